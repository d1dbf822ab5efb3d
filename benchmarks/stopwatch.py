"""One run of one query: how long it takes, and an end to it when it takes too long."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")

#: How long tasks may take to notice that they are cancelled.
GRACE_SECONDS = 120.0

_numbers = itertools.count()


class TimeOverError(Exception):
    """A query took longer than it may; it runs no more."""


@dataclass(frozen=True)
class Run:
    """One run.

    Attributes:
        seconds: wall time.
        load: the machine's average over the minute that ended with the run.
        memory: the most that it had at once, in bytes (for Spark see ``peak_memory``), if known.
    """

    seconds: float
    load: float
    memory: int | None


def to_nowhere(frame: DataFrame) -> None:
    """Makes all rows, whole, and drops them."""
    frame.write.format("noop").mode("overwrite").save()


def timed(spark: SparkSession, limit: float, work: Callable[[], object]) -> Run:
    """Runs a query by the clock.

    Raises:
        TimeOverError: it took longer than ``limit`` seconds and was cancelled.
    """
    with at_most(spark, limit) as group:
        start = time.perf_counter()
        work()
        seconds = time.perf_counter() - start
        return Run(seconds, os.getloadavg()[0], peak_memory(spark, group))


def peak_memory(spark: SparkSession, group: str) -> int | None:
    """The most execution memory that all tasks of a group of jobs had at once, in bytes.

    Spark samples it (``spark.executor.metrics.pollingInterval``), so a short run may show less.
    Execution memory holds what is sorted, hashed, or kept for a match. It does not include
    Python's processes, nor what Parquet buffers.
    """
    context = spark.sparkContext._jsc.sc()
    # The status store is filled by a thread of its own.
    context.listenerBus().waitUntilEmpty()
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    peaks = []
    for stage in {stage for job in jobs if job for stage in job.stageIds}:
        metrics = context.statusStore().lastStageAttempt(stage).peakExecutorMetrics()
        if metrics.isDefined():
            names = ("OnHeapExecutionMemory", "OffHeapExecutionMemory")
            peaks.append(sum(metrics.get().getMetricValue(name) for name in names))
    return max(peaks, default=None)


@contextmanager
def at_most(spark: SparkSession, limit: float) -> Iterator[str]:
    """Cancels the jobs of the block, a group with the name yielded, when its time is over.

    Raises:
        TimeOverError: it was.
        RuntimeError: and its tasks continue all the same, so no cores are free to measure with.
    """
    context = spark.sparkContext
    group = f"benchmark-{next(_numbers)}"
    over = threading.Event()

    done = threading.Event()

    def cancel() -> None:
        over.set()
        # Again and again: another job may start after the first call.
        while not done.is_set():
            context.cancelJobGroup(group)
            done.wait(1)

    timer = threading.Timer(limit, cancel)
    timer.daemon = True
    context.setJobGroup(group, "benchmark", interruptOnCancel=True)
    timer.start()
    try:
        yield group
    except Exception as error:
        if over.is_set():
            _wait_until_idle(spark)
            raise TimeOverError(f"> {limit:g} s") from None
        raise error
    finally:
        timer.cancel()
        done.set()


def _wait_until_idle(spark: SparkSession) -> None:
    tracker = spark.sparkContext._jsc.sc().statusTracker()
    end = time.monotonic() + GRACE_SECONDS
    while any(info.numRunningTasks() for info in tracker.getExecutorInfos()):
        if time.monotonic() > end:
            raise RuntimeError("a cancelled task does not end: start again with --missing")
        time.sleep(0.2)
