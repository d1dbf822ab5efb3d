"""Options of each JVM of the tests, and the archive of classes that shortens its start.

    .venv/bin/python tests/python/java_options.py    writes the archive for this Python's Spark

Half of the CPU time of a small session is for reading and checking Spark's classes. With the
archive, the JVM maps them instead. It passes over an archive of another class path or JVM.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyspark

ARCHIVE = Path(__file__).parents[2] / "target" / "classes" / f"spark-{pyspark.__version__}.jsa"

#: Short queries take half of the CPU time without the JVM's second compiler. The room for code is
#: then a fifth of the usual: what is compiled is soon thrown out, and compiled again.
COMPILER = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"

STREAMING = "org.apache.spark.sql.execution.streaming"
if tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 1):
    STREAMING += ".checkpointing"

#: To rename a file of a checkpoint, Spark's usual class starts four processes, which take a
#: quarter of the time of test_streams.py.
FILES = (
    "-Dspark.sql.streaming.checkpointFileManagerClass="
    f"{STREAMING}.FileSystemBasedCheckpointFileManager"
)


def java_options() -> str:
    """Returns the options, with the archive if there is one."""
    archive = [f"-XX:SharedArchiveFile={ARCHIVE}"] if ARCHIVE.exists() else []
    return " ".join([COMPILER, FILES, *archive])


def write_archive() -> None:
    """Runs a small query, and waits until the JVM has written the archive."""
    from pyspark.sql import SparkSession

    ARCHIVE.parent.mkdir(parents=True, exist_ok=True)
    unfinished = ARCHIVE.with_suffix(f".{os.getpid()}")
    os.environ["SPARK_SUBMIT_OPTS"] = f"{COMPILER} -XX:ArchiveClassesAtExit={unfinished}"
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = builder.getOrCreate()
    spark.createDataFrame([(1, "a")], "x INT, s STRING").groupBy("s").max("x").collect()
    gateway: Any = spark.sparkContext._gateway
    spark.stop()
    # The JVM ends when its input does.
    gateway.proc.stdin.close()
    gateway.proc.wait()
    unfinished.rename(ARCHIVE)


if __name__ == "__main__":
    if not ARCHIVE.exists():
        write_archive()
