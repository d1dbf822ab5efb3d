"""Runs a streaming query in Spark over events in files, and reads what each micro-batch did."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from benchmarks.data.tables import cache
from benchmarks.streaming.events import DELAY, SPLITS
from benchmarks.streaming.queries import Query

PROVIDER = "spark.sql.streaming.stateStore.providerClass"
PACKAGE = "org.apache.spark.sql.execution.streaming.state"
STORES = {
    "default": f"{PACKAGE}.HDFSBackedStateStoreProvider",
    "RocksDB": f"{PACKAGE}.RocksDBStateStoreProvider",
}

#: What a state store reports as the bytes of its state: estimated for the objects of the newest
#: version in the heap, and of RocksDB's files.
STATE_BYTES = {"default": "stateOnCurrentVersionSizeBytes", "RocksDB": "rocksdbSstFileSize"}

SCHEMA = "id BIGINT, ms BIGINT, kind STRING, price INT"


@dataclass(frozen=True)
class Batch:
    """One micro-batch, as Spark reports it.

    Attributes:
        rows: of the input.
        seconds: of the whole micro-batch.
        began: when, as Spark writes it.
        watermark: as Spark writes it; empty in the first.
        entries: of the state store (``numRowsTotal``).
        memory: bytes (``memoryUsedBytes``).
        state: bytes; see ``STATE_BYTES``.
        dropped: rows (``numRowsDroppedByWatermark``).
    """

    number: int
    rows: int
    seconds: float
    began: str
    watermark: str
    entries: int = 0
    memory: int = 0
    state: int = 0
    dropped: int = 0


@dataclass(frozen=True)
class Run:
    """A query that has ended.

    Attributes:
        batches: all of them, in order.
        is_cut: whether it took too long and was stopped.
        load: the machine's average over the minute that ended with the run.
    """

    batches: list[Batch]
    load: float
    is_cut: bool = False

    @property
    def seconds(self) -> float:
        """The time of all micro-batches: without the start of the query."""
        return sum(batch.seconds for batch in self.batches)

    @property
    def rows(self) -> int:
        """The rows that it read."""
        return sum(batch.rows for batch in self.batches)

    @property
    def state(self) -> int:
        """The most bytes of state that a micro-batch left."""
        return max(batch.state for batch in self.batches)


def events(spark: SparkSession, folder: Path, delay: int = DELAY) -> DataFrame:
    """The events as a streaming table, also as the view ``events``.

    Args:
        spark: the session.
        folder: of the micro-batches.
        delay: of the watermark, in milliseconds.
    """
    frame = (
        spark.readStream.schema(SCHEMA)
        .option("maxFilesPerTrigger", SPLITS)
        .parquet(str(folder))
        .selectExpr("*", "timestamp_millis(ms) AS ts")
        .withWatermark("ts", f"{delay} milliseconds")
    )
    frame.createOrReplaceTempView("events")
    return frame


def ours(spark: SparkSession, folder: Path, query: Query, delay: int = DELAY) -> DataFrame:
    """The statement of a query."""
    events(spark, folder, delay)
    return spark.sql(query.text)


def keep(spark: SparkSession, folder: Path, query: Query) -> DataFrame:
    """The least that an operator of Spark's does which keeps each event for as long.

    It moves the same rows through the same exchange, has an entry with all columns for each row
    in the state store, and removes it when the bound and the watermark's delay are over.
    """
    frame = events(spark, folder, DELAY + query.minutes * 60_000)
    return frame.dropDuplicates(frame.columns)


@contextmanager
def checkpoint() -> Iterator[Path]:
    """A folder for a checkpoint, on the disk of the events."""
    with tempfile.TemporaryDirectory(dir=cache()) as folder:
        yield Path(folder)


def run(
    frame: DataFrame,
    folder: Path,
    store: str,
    output: Path | None = None,
    limit: float | None = None,
) -> Run:
    """Runs a query over all files that are there.

    Args:
        frame: the query.
        folder: of its checkpoint.
        store: a name of ``STORES``.
        output: a folder for the rows, as Parquet files; otherwise they are dropped.
        limit: seconds after which it is stopped.
    """
    frame.sparkSession.conf.set(PROVIDER, STORES[store])
    writer = frame.writeStream.format("parquet" if output else "noop")
    if output:
        writer = writer.option("path", str(output))
    writer = writer.option("checkpointLocation", str(folder)).trigger(availableNow=True)
    query = writer.outputMode("append").start()
    try:
        is_cut = not _has_ended(query, limit)
    finally:
        query.stop()
    batches = [_batch(progress, store) for progress in query.recentProgress]
    return Run(batches, os.getloadavg()[0], is_cut)


def _has_ended(query: StreamingQuery, limit: float | None) -> bool:
    """Waits for the end of a query, at most so many seconds."""
    if limit is None:
        query.awaitTermination()
        return True
    return bool(query.awaitTermination(math.ceil(limit)))


def _batch(progress: Any, store: str) -> Batch:
    found = Batch(
        number=progress["batchId"],
        rows=progress["numInputRows"],
        seconds=progress["durationMs"]["triggerExecution"] / 1000,
        began=progress["timestamp"],
        watermark=progress["eventTime"].get("watermark", ""),
    )
    operators = progress["stateOperators"]
    if not operators:
        return found
    [operator] = operators
    return Batch(
        **{
            **asdict(found),
            "entries": operator["numRowsTotal"],
            "memory": operator["memoryUsedBytes"],
            "state": operator["customMetrics"][STATE_BYTES[store]],
            "dropped": operator["numRowsDroppedByWatermark"],
        }
    )
