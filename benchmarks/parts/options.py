"""What to measure, and how long it may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from benchmarks.engines.engine import EngineError
from benchmarks.results import Cell, Results


@dataclass(frozen=True)
class Options:
    """What to measure.

    Attributes:
        rows: of each table.
        lanes: of the questions.
        pairs: how often each way runs, together with those that it is compared with.
        limit: seconds after which a run is cancelled.
        budget: seconds for all runs of one way; one that is slow runs less often, though twice.
        missing: skip what has a cell already.
        check: look at the answers only, and keep nothing.
    """

    rows: int
    lanes: tuple[str, ...]
    pairs: int
    limit: float
    budget: float
    missing: bool = False
    check: bool = False

    def rounds(self, seconds: float) -> int:
        """How often a way runs that takes so many seconds."""
        return max(min(self.pairs, 2), min(self.pairs, int(self.budget / max(seconds, 1e-3))))


@dataclass(frozen=True)
class Bench:
    """What every part works with."""

    spark: SparkSession
    options: Options
    results: Results

    def cell(self, name: str, measure: Callable[[], Cell]) -> None:
        """Measures a cell, keeps it, and says how long that took."""
        if self.options.missing and name in self.results.cells:
            return
        if not self.options.check:
            self.results.check(name)
        start = time.perf_counter()
        cell = measure()
        took = time.perf_counter() - start
        if not self.options.check:
            self.results.put(name, {**cell, "took": round(took, 1)})
        print(f"{name}: {took:.1f} s", flush=True)


def reason(error: Exception) -> str:
    """Why a query failed, in a few words: never what Spark has to say on top of it."""
    if isinstance(error, EngineError):
        return str(error)[:200]
    if isinstance(error, PySparkException) and error.getCondition():
        return str(error.getCondition())
    if isinstance(error, (PySparkException, Py4JError)):
        return type(error).__name__
    raise error
