"""Ways to ask with a Python function over each partition (applyInPandas)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
from pyspark.sql import DataFrame, SparkSession

from benchmarks.data.tables import TABLES
from benchmarks.questions import Question, Way, in_lane

Row = tuple[Any, ...]


def v_shapes(rows: pd.DataFrame) -> Iterator[Row]:
    """Q1: each fall with the rise after it."""
    symbol, times, prices = rows["symbol"].iat[0], rows["ts"].to_numpy(), rows["price"].tolist()
    start, size = 0, len(prices)
    while start < size:
        low = start
        while low + 1 < size and prices[low + 1] < prices[low]:
            low += 1
        end = low
        while low > start and end + 1 < size and prices[end + 1] > prices[end]:
            end += 1
        if end > low:
            at = (start, low, end)
            yield (symbol, *(times[i] for i in at), *(prices[i] for i in at))
            start = end + 1
        else:
            start = max(low, start + 1)


def limited_runs(rows: pd.DataFrame) -> Iterator[Row]:
    """Q4: rows as long as their average stays below 520, and one row more."""
    symbol, times = rows["symbol"].iat[0], rows["ts"].to_numpy()
    volumes = rows["volume"].tolist()
    start, size = 0, len(volumes)
    while start < size:
        end, total = start, 0
        while end < size and (total + volumes[end]) / (end - start + 1) < 520:
            total += volumes[end]
            end += 1
        if end == size and end > start:
            # The last row has to be the B.
            end -= 1
            total -= volumes[end]
        if end > start:
            yield symbol, times[start], times[end - 1], total / (end - start), end - start
        start = end + 1


#: Question and way to the function, and the columns that it outputs.
FUNCTIONS: dict[str, tuple[Callable[[pd.DataFrame], Iterator[Row]], str]] = {
    "Q1": (
        v_shapes,
        "symbol string, t0 timestamp, tlow timestamp, t1 timestamp, "
        "p0 double, plow double, p1 double",
    ),
    "Q4": (limited_runs, "symbol string, t0 timestamp, t1 timestamp, v double, n bigint"),
}


def pandas_ways(question: Question) -> list[Way]:
    """The way in Python, where there is one."""
    return [Way("pandas", "")] if question.name in FUNCTIONS else []


def frame(spark: SparkSession, question: Question, lane: str) -> DataFrame:
    """The question asked in Python."""
    function, schema = FUNCTIONS[question.name]
    columns = [column.split()[0] for column in schema.split(", ")]
    table = TABLES[question.table]

    def of_partition(rows: pd.DataFrame) -> pd.DataFrame:
        found = function(rows.sort_values(list(table.order)))
        return pd.DataFrame(list(found), columns=columns)

    rows = spark.table(in_lane(question.table, lane)).select(*question.columns)
    return rows.groupBy(*table.keys).applyInPandas(of_partition, schema)
