"""Runs a statement in Flink: starts ``flink_job.py`` in the Python that has it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyspark

from benchmarks.session import CORES
from benchmarks.streaming.events import DELAY

ROOT = Path(__file__).resolve().parents[2]

#: Made by ``make bench-streaming``.
PYTHON = ROOT / "target" / "tools" / "flink" / "bin" / "python"
JARS = ROOT / "target" / "flink"

BACKENDS = {"heap": "hashmap", "RocksDB": "rocksdb"}

#: As much as Spark has, and memory outside the heap for RocksDB.
HEAP, MANAGED = "8g", "2g"

#: Seconds from one checkpoint to the next.
INTERVAL = 5


@dataclass(frozen=True)
class Job:
    """What ``flink_job.py`` is to do.

    Attributes:
        statement: a query over ``events``.
        input: the folder of the events.
        backend: ``hashmap`` or ``rocksdb``.
        checkpoints: the folder for them.
        warm_up: the folder of a few events, for a run that is not measured; empty for none.
        output: the folder for the rows found, in JSON; empty to drop them.
        stop_at: rows after which the job is cancelled and restored.
        restarts: how often it is restored; 0 to run it once, to its end.
        limit: seconds after which it is cancelled; a tenth of it when it warms up.
    """

    statement: str
    input: str
    backend: str
    checkpoints: str
    warm_up: str = ""
    output: str = ""
    stop_at: int = 0
    restarts: int = 0
    limit: float = 1e9
    cores: int = CORES
    delay: int = DELAY // 1000
    interval: int = INTERVAL
    managed: str = MANAGED


def run(statement: str, events: Path, store: str, **options: Any) -> dict[str, Any]:
    """Runs a statement.

    Args:
        statement: the query.
        events: what ``events.provide`` returned.
        store: a name of ``BACKENDS``.
        options: further fields of the job.

    Returns:
        What ``flink_job.py`` measured, or ``refused`` with Flink's reason.

    Raises:
        RuntimeError: the program failed; the message has the end of what it wrote.
    """
    # Where Spark's checkpoints are, too.
    with tempfile.TemporaryDirectory(dir=events.parent) as checkpoints:
        job = Job(
            statement, str(events / "flink"), BACKENDS[store], f"{checkpoints}/flink", **options
        )
        program = Path(__file__).with_name("flink_job.py")
        done = subprocess.run(
            [str(PYTHON), str(program), json.dumps(asdict(job))],
            env={**os.environ, **environment(), "FLINK_LOG_DIR": checkpoints},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        raise RuntimeError(f"Flink failed:\n{done.stderr[-4000:]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def environment() -> dict[str, str]:
    """What PyFlink reads: the heap, and the jars that read Parquet files.

    Flink's jar for Parquet requires Hadoop, which pyspark has.
    """
    hadoop = (Path(pyspark.__file__).parent / "jars").glob("hadoop-client-*.jar")
    jars = [*sorted(JARS.glob("*.jar")), *sorted(hadoop)]
    return {
        "JVM_ARGS": f"-Xmx{HEAP}",
        "HADOOP_CLASSPATH": os.pathsep.join(map(str, jars)),
    }
