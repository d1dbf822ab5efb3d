"""Streaming queries whose processes are killed at random moments write each row exactly once.

The environment variable ``KILLS`` says how often the driver is killed (`make chaos`: 50 times);
``KILLS_SEED`` changes the events and the moments.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import killed_stream
import pyspark
import pytest
from pyspark.sql import SparkSession

pytestmark = pytest.mark.nightly

KILLS = int(os.environ.get("KILLS", "2"))
SEED = int(os.environ.get("KILLS_SEED", "1"))

SPARK_HOME = Path(pyspark.__file__).parent

#: How often an executor is killed.
EXECUTOR_KILLS = 2

#: Spark's name for the process of an executor.
EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"

START = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)


def events(chance: random.Random, files: int) -> list[dict[str, Any]]:
    """In the order in which they arrive. The last brings the watermark past all others."""
    found = [
        {"k": f"k{chance.randrange(20)}", "t": at / 4, "x": chance.randrange(10)}
        for at in range(files * 24)
    ]
    found.sort(key=lambda event: event["t"] + chance.random() * (killed_stream.DELAY - 0.5))
    return [*found, {"k": "end", "t": files * 24.0, "x": 0}]


def line(event: dict[str, Any]) -> str:
    time = START + datetime.timedelta(seconds=event["t"])
    return json.dumps({**event, "t": time.isoformat()})


def write(found: list[dict[str, Any]], folder: Path, files: int) -> None:
    """Each file is a micro-batch."""
    folder.mkdir()
    size = 1 + len(found) // files
    for i in range(0, len(found), size):
        file = folder / f"{i}.json"
        file.write_text("\n".join(map(line, found[i : i + size])))
        os.utime(file, (1_000_000_000 + i, 1_000_000_000 + i))


@contextmanager
def queries(folder: Path, master: str, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs the queries. In the end it is killed with all that it has started."""
    (folder / "running").unlink(missing_ok=True)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, killed_stream.__file__, str(folder), master],
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "SPARK_HOME": str(home)},
        )
    try:
        assert wait_for((folder / "running").exists, process, 120), end_of_log(folder)
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def end_of_log(folder: Path) -> str:
    return (folder / "log").read_text()[-4000:]


def wait_for(
    condition: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float
) -> bool:
    """Whether the condition holds before the process has ended or the time is over."""
    end = time.monotonic() + seconds
    while not condition() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def live(folder: Path, chance: random.Random, kill: bool) -> bool:
    """Runs the queries until they are killed or done; whether they were killed."""
    with queries(folder, "local[2]", SPARK_HOME) as process:
        if not kill:
            assert process.wait(timeout=600) == 0, end_of_log(folder)
            return False
        return not wait_for((folder / "done").exists, process, chance.uniform(0, 4))


def check(folder: Path, spark: SparkSession) -> None:
    """Both queries have written the rows of the statement over a table, each once."""
    table = spark.read.schema(killed_stream.SCHEMA).json(str(folder / "input"))
    table.createOrReplaceTempView("all_events")
    # The last event still waits when the files are read.
    statement = killed_stream.STATEMENT.format(
        table="(SELECT * FROM all_events WHERE k <> 'end')"
    )
    expected = sorted(map(str, spark.sql(statement).collect()))
    assert len(expected) > len(list((folder / "input").iterdir()))
    for name in ("files", "batches"):
        written = spark.read.parquet(str(folder / name))
        columns = [column for column in written.columns if column != "number"]
        assert sorted(map(str, written.select(columns).collect())) == expected, name


def test_the_driver_is_killed(tmp_path: Path, spark: SparkSession) -> None:
    chance = random.Random(SEED)
    # More micro-batches than a process runs before it is killed.
    files = 6 + 4 * KILLS
    write(events(chance, files), tmp_path / "input", files)
    kills = 0
    while kills < KILLS and live(tmp_path, chance, kill=True):
        kills += 1
    if not (tmp_path / "done").exists():
        live(tmp_path, chance, kill=False)
    assert kills == KILLS, "the queries were done before the last kill"
    check(tmp_path, spark)


def spark_home(folder: Path) -> Path:
    """A folder like pyspark's own, for local-cluster, which writes to ``work`` in SPARK_HOME."""
    folder.mkdir()
    for name in ("bin", "jars"):
        (folder / name).symlink_to(SPARK_HOME / name)
    return folder


def executors(process: subprocess.Popen[bytes], home: Path) -> list[tuple[str, int]]:
    """The numbers and processes of the executors that have had tasks.

    Only of these does the driver's log say that they are lost.

    Args:
        process: leads the group of processes to which the executors belong.
        home: has their logs.
    """
    listed = subprocess.run(
        # Without -ww lines may be cut.
        ["ps", "-A", "-ww", "-o", "pid=,pgid=,args="],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = re.findall(
        rf"^ *(\d+) +{process.pid} .* {EXECUTOR} .*--executor-id (\d+) ", listed.stdout, re.M
    )
    return [
        (number, int(pid))
        for pid, number in found
        for log in home.glob(f"work/*/{number}/stderr")
        if "Got assigned task" in log.read_text()
    ]


def is_lost(number: str, folder: Path) -> bool:
    """Whether the driver has noticed that this executor is gone."""
    return f"Lost executor {number} " in (folder / "log").read_text()


def commits(folder: Path) -> int:
    """How many micro-batches of both queries are complete."""
    return len(list(folder.glob("*-checkpoint/commits/[0-9]*")))


def test_executors_are_killed(tmp_path: Path, spark: SparkSession) -> None:
    chance = random.Random(SEED)
    files = 10
    write(events(chance, files), tmp_path / "input", files)
    home = spark_home(tmp_path / "spark")
    with queries(tmp_path, "local-cluster[2,1,1024]", home) as process:
        for _ in range(EXECUTOR_KILLS):
            # Each kill is in another micro-batch.
            before = commits(tmp_path)
            assert wait_for(lambda n=before: commits(tmp_path) > n, process, 300)
            time.sleep(chance.uniform(0, 1))
            assert wait_for(lambda: bool(executors(process, home)), process, 300)
            number, pid = chance.choice(executors(process, home))
            os.kill(pid, signal.SIGKILL)
            assert wait_for(lambda n=number: is_lost(n, tmp_path), process, 60), number
        assert not (tmp_path / "done").exists(), "the queries were done before the last kill"
        assert process.wait(timeout=300) == 0, end_of_log(tmp_path)
    check(tmp_path, spark)
