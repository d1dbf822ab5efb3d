"""A simulated hour: many events, some out of order and some late, and every row compared."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pyspark.sql import DataFrame

from benchmarks.data.tables import cache
from benchmarks.results import Cell
from benchmarks.streaming import events, spark_run
from benchmarks.streaming.events import DELAY, Plan
from benchmarks.streaming.queries import QUERIES
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES

QUERY = QUERIES["abandoned_checkout"]

LATE = 0.001


def run(streams: Streams) -> list[str]:
    """Measures it with each state store.

    Returns:
        What is wrong: rows that are missing or too many, late events that Spark did not drop.
    """
    wrong: list[str] = []
    for store in STORES:
        name = f"streaming/hour/{store}/{streams.sizes.hour_rows}"
        streams.bench.cell(name, partial(_measure, streams, store, wrong))
    return wrong


def late(ms: NDArray[Any], batch: int, delay: int = DELAY) -> NDArray[Any]:
    """Which events Spark drops, worked out from their times alone.

    A micro-batch has the watermark of all events before it. Spark compares an event with the
    watermark of the micro-batch before: an operator above another may still emit rows of that
    time (``spark.sql.streaming.statefulOperator.allowMultiple``).

    Args:
        ms: event times, in the order of arrival.
        batch: events of a micro-batch.
        delay: of the watermark, in milliseconds.
    """
    starts = np.arange(0, len(ms), batch)
    latest = np.maximum.accumulate(np.maximum.reduceat(ms, starts)) - delay
    never = np.iinfo(np.int64).min
    watermarks = np.concatenate([[never, never], latest])[: len(starts)]
    return np.asarray(ms <= np.repeat(watermarks, batch)[: len(ms)])


def _measure(streams: Streams, store: str, wrong: list[str]) -> Cell:
    spark = streams.bench.spark
    plan = Plan(streams.sizes.hour_rows, streams.sizes.keys, 1, streams.sizes.batch, LATE)
    folder = events.provide(plan)
    made = events.make(plan)
    is_late = late(made.ms, plan.batch)
    with tempfile.TemporaryDirectory(dir=cache()) as scratch:
        output = Path(scratch) / "found"
        frame = spark_run.ours(spark, folder / "spark", QUERY)
        done = spark_run.run(frame, Path(scratch) / "checkpoint", store, output)
        on_time = Path(scratch) / "on_time.parquet"
        pq.write_table(made.table().filter(~is_late), on_time)
        found = spark.read.parquet(str(output))
        missing, surplus = _differences(_answer(streams, on_time), found)
        returned = found.count()
    dropped = sum(batch.dropped for batch in done.batches)
    counts = {
        "late": int(is_late.sum()),
        "made late": int(made.late.sum()),
        "dropped": dropped,
    }
    if missing or surplus:
        wrong.append(f"hour, {store}: {missing} rows are missing, {surplus} are too many")
    if len(set(counts.values())) > 1:
        wrong.append(f"hour, {store}: numbers of late events: {counts}")
    return {
        "rows": plan.rows,
        "keys": plan.keys,
        "out": returned,
        "missing": missing,
        "surplus": surplus,
        **counts,
        "seconds": round(done.seconds, 3),
        "load": round(done.load, 2),
        "batches": [
            [batch.seconds, batch.entries, batch.memory, batch.state] for batch in done.batches
        ],
    }


def _answer(streams: Streams, file: Path) -> DataFrame:
    """What the statement returns over a table."""
    table = streams.bench.spark.read.parquet(str(file))
    table.selectExpr("*", "timestamp_millis(ms) AS ts").createOrReplaceTempView("events")
    return streams.bench.spark.sql(QUERY.text)


def _differences(expected: DataFrame, found: DataFrame) -> tuple[int, int]:
    """The number of rows that are missing, and of those that are too many."""
    return expected.exceptAll(found).count(), found.exceptAll(expected).count()
