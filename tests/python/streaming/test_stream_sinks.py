"""Sources, sinks and triggers of streaming queries: the rows of the batch query."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

#: By file, rows of key, minute and price. Minutes are out of order, by less than the delay.
FILES = [
    [("a", 1, 9), ("b", 2, 5), ("a", 3, 4)],
    [("a", 2, 6), ("b", 4, 3), ("a", 5, 8)],
    [("b", 6, 7), ("a", 8, 1), ("a", 7, 5)],
    [("a", 10, 2), ("b", 9, 2), ("b", 12, 4)],
    # Hours later: all matches are decided.
    [("c", 600, 0)],
]
SCHEMA = "k STRING, minute INT, x INT"
TIME = "timestamp_seconds(60 * minute) AS t"
DELAY = "5 minutes"

#: Each fall and the rise after it.
DIPS = """\
SELECT k, first, last, low FROM {table} MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY t
  MEASURES FIRST(minute) AS first, LAST(minute) AS last, LAST(DOWN.x) AS low
  PATTERN (A DOWN+ UP+) WITHIN INTERVAL 1 HOUR
  DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))"""

#: By hand: a is 9 6 4 8 5 1 2, b is 5 3 7 2 4.
ANSWER = [("a", 1, 5, 4), ("a", 7, 10, 1), ("b", 2, 6, 3)]


class Ticks:
    """A folder of files, as the streaming table ``ticks`` and as the table ``all_ticks``."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self.folder = folder / "ticks"
        self.folder.mkdir()
        self.checkpoint = str(folder / "checkpoint")
        (
            spark.readStream.schema(SCHEMA)
            .option("maxFilesPerTrigger", 1)
            .json(str(self.folder))
            .selectExpr("*", TIME)
            .withWatermark("t", DELAY)
            .createOrReplaceTempView("ticks")
        )

    def add(self, rows: list[tuple[str, int, int]]) -> None:
        number = len(list(self.folder.iterdir()))
        lines = [json.dumps({"k": k, "minute": minute, "x": x}) for k, minute, x in rows]
        # Written elsewhere: Spark must not see the file before it is complete.
        part = self.folder.parent / "part"
        part.write_text("\n".join(lines))
        # Files are read in the order of their times.
        os.utime(part, (1_000_000_000 + number, 1_000_000_000 + number))
        part.rename(self.folder / f"{number}.json")

    def batch(self, statement: str) -> list[tuple[Any, ...]]:
        """What the statement returns over all files as a table."""
        table = self.spark.read.schema(SCHEMA).json(str(self.folder))
        table.selectExpr("*", TIME).createOrReplaceTempView("all_ticks")
        return rows(self.spark.sql(statement.format(table="all_ticks")))


def rows(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in frame.collect())


@pytest.fixture
def ticks(new_session: Callable[[], SparkSession], tmp_path: Path) -> Ticks:
    return Ticks(new_session(), tmp_path)


@pytest.fixture
def table_name(spark: SparkSession) -> Iterator[str]:
    name = f"found_{uuid.uuid4().hex}"
    yield name
    spark.sql(f"DROP TABLE IF EXISTS {name}")


def test_to_table_and_restart(ticks: Ticks, table_name: str) -> None:
    """The second run goes on from the checkpoint and appends to the table."""
    for some in (FILES[:2], FILES[2:]):
        for file in some:
            ticks.add(file)
        (
            ticks.spark.sql(DIPS.format(table="ticks"))
            .writeStream.option("checkpointLocation", ticks.checkpoint)
            .trigger(availableNow=True)
            .toTable(table_name)
            .awaitTermination()
        )
    found = rows(ticks.spark.table(table_name))
    assert found == ticks.batch(DIPS) == ANSWER


def test_for_each_batch_is_repeated_with_the_same_rows(ticks: Ticks, tmp_path: Path) -> None:
    """A sink that replaces what it wrote for a batch id has each match once."""
    written: list[tuple[int, list[tuple[Any, ...]]]] = []

    def write(frame: DataFrame, batch: int) -> None:
        frame.write.mode("overwrite").parquet(str(tmp_path / "found" / f"batch={batch}"))
        found = rows(frame)
        written.append((batch, found))
        # The first batch with matches fails after it was written.
        if found and [number for number, _ in written].count(batch) == 1:
            raise RuntimeError("the sink fails")

    for file in FILES:
        ticks.add(file)

    def run() -> None:
        (
            ticks.spark.sql(DIPS.format(table="ticks"))
            .writeStream.option("checkpointLocation", ticks.checkpoint)
            .trigger(availableNow=True)
            .foreachBatch(write)
            .start()
            .awaitTermination()
        )

    failures = 0
    while failures < 10:
        try:
            run()
            break
        except StreamingQueryException as error:
            assert "the sink fails" in str(error)
            failures += 1
    repeated = [(batch, found) for batch, found in written if found]
    # Each batch with matches came twice, the same.
    assert repeated[::2] == repeated[1::2]
    assert len(repeated) == 2 * failures > 0
    found = ticks.spark.read.parquet(str(tmp_path / "found")).drop("batch")
    assert rows(found) == ticks.batch(DIPS) == ANSWER


def test_a_view_over_a_streaming_table(ticks: Ticks) -> None:
    for file in FILES:
        ticks.add(file)
    ticks.spark.sql(f"CREATE TEMPORARY VIEW dips AS {DIPS.format(table='ticks')}")
    assert ticks.spark.table("dips").isStreaming
    found = in_memory(ticks, ticks.spark.sql("SELECT k, low FROM dips WHERE low < 4"))
    assert found == [("a", 1), ("b", 3)]


JOINED = """\
SELECT name, low, depth FROM (
  SELECT {table}.*, name FROM {table} JOIN (VALUES ('a', 'ACME'), ('b', 'BOLT')) n(k, name)
    USING (k))
MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY t
  MEASURES LAST(name) AS name, LAST(DOWN.x) AS low, FIRST(x) - LAST(DOWN.x) AS depth
  PATTERN (A DOWN+ UP+) WITHIN INTERVAL 1 HOUR
  DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))
WHERE depth > 2"""


def test_a_join_with_a_table_before_and_a_filter_after(ticks: Ticks) -> None:
    for file in FILES:
        ticks.add(file)
    found = in_memory(ticks, ticks.spark.sql(JOINED.format(table="ticks")))
    # The depths: 9 to 4, 5 to 1, 5 to 3.
    assert found == ticks.batch(JOINED) == [("ACME", 1, 4), ("ACME", 4, 5)]


def test_a_join_with_a_table_after(ticks: Ticks) -> None:
    statement = f"""
        SELECT name, low FROM ({DIPS})
        JOIN (VALUES ('a', 'ACME'), ('b', 'BOLT')) n(k, name) USING (k)"""
    for file in FILES:
        ticks.add(file)
    found = in_memory(ticks, ticks.spark.sql(statement.format(table="ticks")))
    assert found == ticks.batch(statement) == [("ACME", 1), ("ACME", 4), ("BOLT", 3)]


def test_processing_time_while_files_come(ticks: Ticks) -> None:
    query = (
        ticks.spark.sql(DIPS.format(table="ticks"))
        .writeStream.format("memory")
        .queryName("found")
        .option("checkpointLocation", ticks.checkpoint)
        .trigger(processingTime="100 milliseconds")
        .start()
    )
    try:
        for file in FILES:
            ticks.add(file)
            query.processAllAvailable()
    finally:
        query.stop()
    assert rows(ticks.spark.table("found")) == ticks.batch(DIPS) == ANSWER


def in_memory(ticks: Ticks, frame: DataFrame) -> list[tuple[Any, ...]]:
    """The rows of a streaming query once all files are read."""
    (
        frame.writeStream.format("memory")
        .queryName("found")
        .option("checkpointLocation", ticks.checkpoint)
        .trigger(availableNow=True)
        .start()
        .awaitTermination()
    )
    return rows(ticks.spark.table("found"))
