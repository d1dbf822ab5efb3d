"""Starts a Trino server and asks it; only the standard library, for ``process.py`` runs it.

``build/trino`` puts the server together. It needs a JDK 25, which ``TRINO_JAVA_HOME`` names.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FOLDER = ROOT / "target" / "trino"

#: What finds a plugin's class, which Trino's own packaging adds.
PLUGINS = {"hive": "hive.HivePlugin", "memory": "memory.MemoryPlugin"}

START_SECONDS = 120


def java() -> Path | None:
    """Java 25, if there is one and the server is put together."""
    home = os.environ.get("TRINO_JAVA_HOME")
    found = Path(home) / "bin" / "java" if home else None
    return found if found and found.exists() and (FOLDER / "complete").exists() else None


class Server:
    """A server on a free port of this machine, which ends with this process.

    Args:
        cores: how many tasks work on a query at once, and the processors that the JVM sees.
    """

    def __init__(self, cores: int) -> None:
        program = java()
        if program is None:
            raise FileNotFoundError("run build/trino, and set TRINO_JAVA_HOME to a JDK 25")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        _configure(port, cores)
        self.process = subprocess.Popen(
            [
                *(str(program), "-Xmx6g", "-XX:+UseG1GC", f"-XX:ActiveProcessorCount={cores}"),
                *("--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"),
                *("-Dnode.environment=lab", "-Dnode.id=lab", "-Dnode.data-dir=data"),
                *("-Dnode.bind-ip=127.0.0.1", "-Dnode.internal-address=127.0.0.1"),
                *("-Duser.timezone=UTC", "-Dplugin.dir=plugin", "-Dconfig=etc/config.properties"),
                *("-Dlog.levels-file=etc/log.properties", "-cp", "lib/*"),
                str(HERE / "Main.java"),
            ],
            cwd=FOLDER,
            stdin=subprocess.PIPE,
            stdout=(FOLDER / "server.log").open("w"),
            stderr=subprocess.STDOUT,
        )
        self._wait()

    def run(self, text: str) -> None:
        """Runs a statement to its end, and drops its rows.

        Raises:
            RuntimeError: it failed.
        """
        answer = self._ask(f"{self.url}/v1/statement", text)
        while "nextUri" in answer:
            answer = self._ask(answer["nextUri"])
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])

    def _ask(self, url: str, text: str | None = None) -> dict[str, Any]:
        body = text.encode() if text is not None else None
        request = urllib.request.Request(url, body, {"X-Trino-User": "lab"})
        with urllib.request.urlopen(request) as response:
            answer: dict[str, Any] = json.load(response)
        return answer

    def _wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self._ask(f"{self.url}/v1/info")["starting"] is False:
                    return
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.2)
        raise RuntimeError(f"Trino did not start; see {FOLDER / 'server.log'}")


def _configure(port: int, cores: int) -> None:
    shutil.rmtree(FOLDER / "data", ignore_errors=True)
    for plugin, name in PLUGINS.items():
        with zipfile.ZipFile(FOLDER / "plugin" / plugin / "services.jar", "w") as jar:
            jar.writestr("META-INF/services/io.trino.spi.Plugin", f"io.trino.plugin.{name}\n")
    texts = {
        "config": f"""
            coordinator=true
            node-scheduler.include-coordinator=true
            http-server.http.port={port}
            discovery.uri=http://127.0.0.1:{port}
            catalog.management=static
            task.concurrency={cores}
            query.max-memory=4GB
            query.max-memory-per-node=4GB
            memory.heap-headroom-per-node=1GB""",
        "log": "io.trino=WARN",
        "catalog/memory": "connector.name=memory\nmemory.max-data-per-node=2GB",
        "catalog/hive": f"""
            connector.name=hive
            hive.metastore=file
            hive.metastore.catalog.dir=local:///{FOLDER.relative_to("/")}/metastore
            hive.storage-format=PARQUET
            hive.parquet.time-zone=UTC
            hive.timestamp-precision=MICROSECONDS
            fs.local.enabled=true
            local.location=/""",
    }
    shutil.rmtree(FOLDER / "metastore", ignore_errors=True)
    (FOLDER / "etc" / "catalog").mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        lines = "\n".join(line.strip() for line in text.strip().splitlines())
        (FOLDER / "etc" / f"{name}.properties").write_text(lines + "\n")
