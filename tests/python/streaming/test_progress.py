"""The progress of a streaming query, compared with numbers worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SPARK, needs_connect
from match_recognize import MatchRecognizeError, progress
from match_recognize.streaming.stream_progress import NO_BATCH
from pyspark.sql import SparkSession

#: By file, events of key, minute and kind. Each file is one micro-batch.
FILES = [
    [("a", 1, "A"), ("a", 2, "B"), ("a", 3, "C"), ("b", 1, "A"), ("b", None, "A")],
    [("b", 2, "B"), ("a", 4, "A")],
    # The event of minute 0 is late.
    [("c", 9, "X"), ("a", 0, "A")],
    [("c", 20, "X")],
    [("c", 60, "X")],
]

STATEMENT = """
    SELECT k, n, late FROM events MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t
      MEASURES COUNT(*) AS n, MATCH_TIMED_OUT() AS late
      ONE ROW PER MATCH SHOW TIMEOUT MATCHES
      PATTERN (A B C) WITHIN INTERVAL 10 MINUTES
      DEFINE A AS kind = 'A', B AS kind = 'B', C AS kind = 'C')
"""

NUMBERS = (
    "rows",
    "late_rows",
    "rows_without_time",
    "matches",
    "timed_out_matches",
    "output_rows",
    "waiting_rows",
    "retained_rows",
    "partial_matches",
)

#: By micro-batch, NUMBERS. Its watermark is the latest minute of the files before, less 2.
ANSWER = [
    # Watermark 0. All events wait but the one without a time.
    (0, 0, 1, 0, 0, 0, 4, 0, 0),
    # Watermark 1. Searched are a1 and b1, each the A of a partial match. a2, a3, a4 and b2 wait.
    (2, 0, 0, 0, 0, 0, 4, 2, 2),
    # Watermark 2. Searched are a2 and b2, which go on. a3, a4 and c9 wait.
    (2, 1, 0, 0, 0, 0, 3, 4, 2),
    # Watermark 7. a3 completes a match, a4 begins another; b1 and b2 go on. c9 and c20 wait.
    (2, 0, 0, 1, 0, 1, 2, 3, 2),
    # Watermark 18. The bound of a4 ends at 14, that of b1 at 11. Searched is c9, in vain. c20 and
    # c60 wait.
    (1, 0, 0, 0, 2, 2, 2, 0, 0),
]
WATERMARKS = [0, 1, 2, 7, 18]

#: Keys with a state: those of an event that waits or of a partial match.
KEYS = [2, 2, 3, 3, 1]

ROCKS_DB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    return new_session()


def read_events(session: SparkSession, folder: Path) -> None:
    """Makes the streaming table."""
    folder.mkdir()
    (
        session.readStream.schema("k STRING, minute INT, kind STRING")
        .json(str(folder))
        .selectExpr("*", "timestamp_seconds(60 * minute) AS t")
        .withWatermark("t", "2 minutes")
        .createOrReplaceTempView("events")
    )
    # Spark would add a micro-batch without a file for each watermark.
    session.conf.set("spark.sql.streaming.noDataMicroBatches.enabled", "false")


def add_file(folder: Path, number: int) -> None:
    lines = [{"k": k, "minute": minute, "kind": kind} for k, minute, kind in FILES[number]]
    # Written elsewhere: Spark must not see the file before it is complete.
    part = folder.parent / "part"
    part.write_text("\n".join(map(json.dumps, lines)))
    part.rename(folder / f"{number}.json")


def start(session: SparkSession, statement: str, name: str) -> Any:
    return session.sql(statement).writeStream.format("memory").queryName(name).start()


def check_progress(session: SparkSession, folder: Path, name: str, *, keys: bool = True) -> None:
    """Compares the progress of each micro-batch with the answer."""
    read_events(session, folder)
    query = start(session, STATEMENT, name)
    try:
        assert str(progress(query)) == NO_BATCH
        for number, numbers in enumerate(ANSWER):
            add_file(folder, number)
            query.processAllAvailable()
            found = progress(query)
            (clause,) = found.clauses
            assert found.batch == number
            assert found.watermark == f"1970-01-01T00:{WATERMARKS[number]:02}:00.000Z"
            assert tuple(getattr(clause, name) for name in NUMBERS) == numbers, number
            assert clause.state_bytes > 0
            if keys:
                assert clause.state_rows == KEYS[number]
    finally:
        query.stop()
    rows = sorted(tuple(row) for row in session.table(name).collect())
    assert rows == [("a", 1, True), ("a", 3, False), ("b", 2, True)]


def test_default_state_store(session: SparkSession, tmp_path: Path) -> None:
    check_progress(session, tmp_path / "events", "default_progress")


@pytest.mark.skipif(SPARK < (4, 0), reason="Spark 3.5 has one operator for all state stores")
def test_rocksdb(session: SparkSession, tmp_path: Path) -> None:
    session.conf.set("spark.sql.streaming.stateStore.providerClass", ROCKS_DB)
    # The state has entries of several kinds for a key.
    check_progress(session, tmp_path / "events", "rocksdb_progress", keys=False)


@needs_connect
def test_connect(connect: SparkSession, tmp_path: Path) -> None:
    check_progress(connect, tmp_path / "events", "connect_progress")


def test_a_query_without_the_clause(session: SparkSession, tmp_path: Path) -> None:
    read_events(session, tmp_path / "events")
    query = start(session, "SELECT * FROM events", "plain_progress")
    try:
        add_file(tmp_path / "events", 0)
        query.processAllAvailable()
        with pytest.raises(MatchRecognizeError, match="has no MATCH_RECOGNIZE"):
            progress(query)
    finally:
        query.stop()


def test_watching_ends_with_the_query(
    session: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_events(session, tmp_path / "events")
    query = start(session, STATEMENT, "watched_progress")
    try:
        add_file(tmp_path / "events", 0)
        query.processAllAvailable()
    finally:
        query.stop()
    progress(query).watch(0.1)
    # With an empty line after it.
    assert capsys.readouterr().out == f"{progress(query)}\n\n"
