"""Streaming queries whose process is killed at random moments write each row exactly once.

The environment variable ``KILLS`` says how often (`make chaos`: 50 times); ``KILLS_SEED`` changes
the events and the moments.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import killed_stream
from pyspark.sql import SparkSession

KILLS = int(os.environ.get("KILLS", "5"))
SEED = int(os.environ.get("KILLS_SEED", "1"))

#: Micro-batches: more than a process runs before it is killed.
FILES = 6 + 4 * KILLS

START = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)


def events(chance: random.Random) -> list[dict[str, Any]]:
    """In the order in which they arrive. The last brings the watermark past all others."""
    found = [
        {"k": f"k{chance.randrange(20)}", "t": at / 4, "x": chance.randrange(10)}
        for at in range(FILES * 24)
    ]
    found.sort(key=lambda event: event["t"] + chance.random() * (killed_stream.DELAY - 0.5))
    return [*found, {"k": "end", "t": FILES * 24.0, "x": 0}]


def line(event: dict[str, Any]) -> str:
    time = START + datetime.timedelta(seconds=event["t"])
    return json.dumps({**event, "t": time.isoformat()})


def write(found: list[dict[str, Any]], folder: Path) -> None:
    folder.mkdir()
    size = 1 + len(found) // FILES
    for i in range(0, len(found), size):
        file = folder / f"{i}.json"
        file.write_text("\n".join(map(line, found[i : i + size])))
        os.utime(file, (1_000_000_000 + i, 1_000_000_000 + i))


def wait_for(file: Path, process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the file is there before the process has ended or the time is over."""
    end = time.monotonic() + seconds
    while not file.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return file.exists()


def live(folder: Path, chance: random.Random, kill: bool) -> bool:
    """Runs the queries until they are killed or done; whether they were killed."""
    (folder / "running").unlink(missing_ok=True)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, killed_stream.__file__, str(folder)],
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        assert wait_for(folder / "running", process, 120), (folder / "log").read_text()[-4000:]
        if not kill:
            assert process.wait(timeout=600) == 0, (folder / "log").read_text()[-4000:]
            return False
        return not wait_for(folder / "done", process, chance.uniform(0, 4))
    finally:
        if process.poll() is None:
            # The JVM, too.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def test_each_row_is_written_once(tmp_path: Path, spark: SparkSession) -> None:
    chance = random.Random(SEED)
    write(events(chance), tmp_path / "input")
    kills = 0
    while kills < KILLS and live(tmp_path, chance, kill=True):
        kills += 1
    if not (tmp_path / "done").exists():
        live(tmp_path, chance, kill=False)
    assert kills == KILLS, "the queries were done before the last kill"
    table = spark.read.schema(killed_stream.SCHEMA).json(str(tmp_path / "input"))
    table.createOrReplaceTempView("all_events")
    # The last event still waits when the files are read.
    statement = killed_stream.STATEMENT.format(
        table="(SELECT * FROM all_events WHERE k <> 'end')"
    )
    expected = sorted(map(str, spark.sql(statement).collect()))
    assert len(expected) > FILES
    for folder in ("files", "batches"):
        written = spark.read.parquet(str(tmp_path / folder))
        columns = [name for name in written.columns if name != "number"]
        assert sorted(map(str, written.select(columns).collect())) == expected, folder
