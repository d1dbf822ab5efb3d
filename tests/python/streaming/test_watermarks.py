"""Watermarks as docs/streaming.md says that they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SPARK
from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import DataFrame, SparkSession

PAGE = " ".join((ROOT / "docs" / "streaming.md").read_text().split())

#: From the page: what a statement has between STREAM and the clause.
(STREAM,) = re.findall(r"FROM (STREAM events WATERMARK at DELAY OF .*?) MATCH_RECOGNIZE", PAGE)

#: A price falls at 10:01; the fall at 10:20 is after the watermark, which is at 10:15.
ROWS = ["10:00", 5], ["10:01", 3], ["10:09", 4], ["10:20", 1]

FALLS = """SELECT CAST(at AS STRING) AS at FROM {events} MATCH_RECOGNIZE (
  ORDER BY at MEASURES B.at AS at PATTERN (A B) DEFINE B AS price < A.price)"""

FOUND = ["2026-01-05 10:01:00"]

#: How a watermark is written, by its place.
WRITTEN: dict[str, Callable[[SparkSession, str], DataFrame]] = {
    "SQL": lambda session, at: session.sql(
        FALLS.format(events=STREAM.replace(" events", f" events_{at}"))
    ),
    "withWatermark": lambda session, at: with_watermark(
        session, session.readStream.table(f"events_{at}")
    ),
}


def with_watermark(session: SparkSession, frame: DataFrame) -> DataFrame:
    frame.withWatermark("at", "5 minutes").createOrReplaceTempView("timed_events")
    return session.sql(FALLS.format(events="timed_events"))


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> Iterator[SparkSession]:
    session = new_session()
    values = ", ".join(f"('2026-01-05 {at}:00', {price})" for at, price in ROWS)
    for kind in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        session.sql(f"CREATE TABLE events_{kind} (at {kind}, price INT) USING parquet")
        session.sql(
            f"INSERT INTO events_{kind} SELECT CAST(at AS {kind}), price "
            f"FROM VALUES {values} AS t(at, price)"
        )
    yield session
    for kind in ("TIMESTAMP", "TIMESTAMP_NTZ"):
        session.sql(f"DROP TABLE events_{kind}")


def answer(frame: DataFrame, folder: Path) -> list[Any]:
    query = (
        frame.writeStream.format("memory")
        .queryName("found_falls")
        .option("checkpointLocation", str(folder))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    return [row.at for row in frame.sparkSession.table("found_falls").collect()]


def test_the_delay_of_the_page() -> None:
    assert STREAM.endswith("DELAY OF INTERVAL 5 MINUTES")
    assert "From Spark 4.2 on, SQL can define the watermark" in PAGE


@pytest.mark.parametrize("written", WRITTEN)
def test_a_watermark(session: SparkSession, written: str, tmp_path: Path) -> None:
    if written == "SQL" and SPARK < (4, 2):
        with pytest.raises(ParseException):
            WRITTEN[written](session, "TIMESTAMP")
        return
    assert answer(WRITTEN[written](session, "TIMESTAMP"), tmp_path) == FOUND


@pytest.mark.parametrize("written", WRITTEN)
def test_a_watermark_on_a_time_without_zone(session: SparkSession, written: str) -> None:
    """Spark refuses it, so the page says to cast."""
    assert "Spark takes watermarks on `TIMESTAMP` only: cast a `TIMESTAMP_NTZ` to it" in PAGE
    if written == "SQL" and SPARK < (4, 2):
        pytest.skip("there is no such SQL")
    with pytest.raises(AnalysisException, match=r"(?i)event.time|watermark"):
        WRITTEN[written](session, "TIMESTAMP_NTZ").columns  # noqa: B018


def test_a_watermark_on_a_cast_time(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    frame = session.readStream.table("events_TIMESTAMP_NTZ")
    cast = frame.selectExpr("CAST(at AS TIMESTAMP) AS at", "price")
    assert answer(with_watermark(session, cast), tmp_path) == FOUND
