"""What the time of micro-batches goes to: samples of what their tasks do.

A sample is the stack of each thread that runs a task. The topmost frame that ``PARTS`` knows says
which part of the program has called the rest.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from functools import partial
from typing import Any

from pyspark.sql import SparkSession

from benchmarks.results import Cell
from benchmarks.session import CORES
from benchmarks.streaming import events, spark_run
from benchmarks.streaming.queries import QUERIES, Query
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES

#: Seconds from one sample to the next.
PAUSE = 0.05

SPARK = r"org\.apache\.spark\."
EXECUTION = rf"{SPARK}sql\.execution\."

#: The parts, and the beginnings of the names of their methods.
PARTS = {
    "clause": r"org\.matchrecognize\.",
    "state store": r"org\.rocksdb\."
    rf"|{EXECUTION}streaming\.(state\.|([\w.]*\.)?(transformwithstate\.(?!Transform)|StateStore))",
    "shuffle": rf"{SPARK}(shuffle|storage|network|io|serializer|util\.collection)\."
    rf"|{EXECUTION}(UnsafeRowSerializer|UnsafeExternalRowSorter|SortExec)",
    "input": rf"org\.apache\.parquet\.|{EXECUTION}(datasources|vectorized)\.",
    # Not Catalyst: what evaluates an expression is the part that has called it.
    "other operators": rf"{EXECUTION}|{SPARK}(scheduler|executor|rdd)\.",
}

#: A thread that has no task at the moment, while a micro-batch runs.
IDLE = "no task"

FRAME = re.compile(r"^\tat (?:[\w.@]*/+)?([\w.$]+)", re.MULTILINE)
THREAD = re.compile(r'^"Executor task launch worker for task (?:.+\n)*', re.MULTILINE)


class Samples(threading.Thread):
    """Counts what tasks do, from ``start`` to ``stop``."""

    def __init__(self, spark: SparkSession) -> None:
        super().__init__(daemon=True)
        self.parts: Counter[str] = Counter()
        self._jvm: Any = spark._jvm
        self._is_over = threading.Event()

    def run(self) -> None:
        """Takes samples."""
        while not self._is_over.wait(PAUSE):
            self.parts.update(parts(self._dump()))

    def stop(self) -> Counter[str]:
        """Ends, and returns how often each part was met."""
        self._is_over.set()
        self.join()
        return self.parts

    def _dump(self) -> str:
        dump = self._jvm.org.apache.spark.util.Utils.getThreadDump()
        wrapped = self._jvm.scala.collection.immutable.ArraySeq.unsafeWrapArray(dump)
        return str(wrapped.mkString("\n"))


def parts(dump: str) -> list[str]:
    """The part of each core, in the stacks of all threads."""
    found = [part(FRAME.findall(stack)) for stack in THREAD.findall(dump)]
    # A thread keeps the name of its last task while it waits for the next.
    busy = [name for name in found if name != IDLE]
    return busy + [IDLE] * (CORES - len(busy))


def part(frames: list[str]) -> str:
    """The part that a stack is in, by its methods from the top."""
    for frame in frames:
        for name, beginning in PARTS.items():
            if re.match(beginning, frame):
                return name
    return IDLE


def run(streams: Streams) -> list[str]:
    """Samples each query with each state store."""
    for query in QUERIES.values():
        name = f"streaming/share/{query.name}/{streams.plan.rows}"
        streams.bench.cell(name, partial(_measure, streams, query))
    return []


def _measure(streams: Streams, query: Query) -> Cell:
    return {
        "rows": streams.plan.rows,
        "batch": streams.plan.batch,
        "ways": {store: _way(streams, query, store) for store in STORES},
    }


def _way(streams: Streams, query: Query, store: str) -> dict[str, Any]:
    spark = streams.bench.spark
    plan, warm_up = events.provide(streams.plan), events.provide(streams.warm_up)
    for folder in (warm_up, plan):
        frame = spark_run.ours(spark, folder / "spark", query)
        samples = Samples(spark)
        samples.start()
        with spark_run.checkpoint() as checkpoint:
            done = spark_run.run(frame, checkpoint, store, limit=streams.bench.options.limit)
        counted = samples.stop()
    return {"samples": dict(counted), "seconds": done.seconds, "load": round(done.load, 2)}
