"""Servers and programs of a Spark, started as docs/deployment.md says and stopped again.

Each server has a folder of its own for all that it writes, listens on free ports of the loopback
interface, and is a process group of its own, which is ended with its test.
"""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyspark

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PAGE = ROOT / "docs" / "deployment.md"
PIPELINES = ROOT / "docs" / "pipelines.md"
SPARK_HOME = Path(pyspark.__file__).parent

# What the page says for the ports that the tests replace.
PORTS = {"thrift": "10000", "connect": "15002", "master": "7077"}


@functools.cache
def blocks(page: Path = PAGE) -> dict[str, str]:
    """The pieces of a page that are tested, by name."""
    marked = re.compile(r"<!-- test: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
    return dict(marked.findall(page.read_text()))


def block(name: str, page: Path = PAGE, **ports: int) -> str:
    """A piece of a page, with other ports: ``block("beeline", thrift=12345)``."""
    text = blocks(page)[name]
    for server, port in ports.items():
        assert PORTS[server] in text, f"{name} does not name port {PORTS[server]}"
        text = text.replace(PORTS[server], str(port))
    return text


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@functools.cache
def tools(name: str) -> Path:
    """The folder of programs of ``target/tools/NAME``, made if it is not there (build/tools)."""
    done = subprocess.run(
        [ROOT / "build" / "tools", name], stdout=subprocess.PIPE, text=True, check=True
    )
    return ROOT / done.stdout.strip() / "bin"


def home(folder: Path, **defaults: str) -> dict[str, str]:
    """The environment of a shell that works in a folder, and writes nowhere else.

    Args:
        folder: gets ``conf/spark-defaults.conf``, and all files that a Spark leaves there.
        defaults: more settings for that file, with ``__`` for a dot. An empty one is omitted.
    """
    for name in ("conf", "tmp", "home"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "tmp"),
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder / 'tmp'}"
        f" -Dderby.system.home={folder} -Duser.home={folder / 'home'}",
        **{name.replace("__", "."): value for name, value in defaults.items()},
    }
    text = "".join(f"{name} {value}\n" for name, value in settings.items() if value)
    (folder / "conf" / "spark-defaults.conf").write_text(text)
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK_", "PYSPARK_", "HADOOP_", "HIVE_"))
    }
    programs = [str(Path(sys.executable).parent), f"{SPARK_HOME}/bin", f"{SPARK_HOME}/sbin"]
    return {
        **inherited,
        "PATH": os.pathsep.join([*programs, inherited["PATH"]]),
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "tmp"),
        "SPARK_LOG_DIR": str(folder / "logs"),
        "SPARK_PID_DIR": str(folder / "tmp"),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "PYSPARK_PYTHON": sys.executable,
    }


def shell(
    command: str,
    folder: Path,
    *,
    stdin: str | None = None,
    seconds: int = 300,
    **defaults: str,
) -> subprocess.CompletedProcess[str]:
    """Runs a command of the page in a folder."""
    return subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=home(folder, **defaults),
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


@dataclass
class Server:
    """A server that runs."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes]
    environment: Mapping[str, str] = field(repr=False)
    ui: int | None = None

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def rest(self, path: str) -> Any:
        """What Spark's REST interface tells of the one application of this server."""
        top = f"http://127.0.0.1:{self.ui}/api/v1/applications"
        (application,) = fetch(top)
        return fetch(f"{top}/{application['id']}/{path}")

    def kill(self) -> None:
        """Ends it and all that it has started at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def fetch(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.loads(answer.read())


@contextmanager
def server(
    command: str, ready: str, folder: Path, port: int, *, ui: int | None = None, **defaults: str
) -> Iterator[Server]:
    """Starts a server, waits until its log says that it is ready, and stops it in the end."""
    if ui is not None:
        defaults |= {"spark__ui__enabled": "true", "spark__ui__port": str(ui)}
    environment = home(folder, **defaults)
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = Server(port, folder, process, environment, ui)
    try:
        wait_for(lambda: ready in running.log or process.poll() is not None, 240)
        assert ready in running.log, f"it did not start:\n{running.log[-3000:]}"
        yield running
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process group, first with a signal that lets it put things away."""
    for number, seconds in ((signal.SIGTERM, 30), (signal.SIGKILL, 30)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        # The group outlives its leader where a child is slow.
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            process.poll()
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)


def wait_for(condition: Any, seconds: float) -> None:
    """Waits until a condition holds; the caller looks whether it does."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
