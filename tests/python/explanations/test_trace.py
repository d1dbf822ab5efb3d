"""match_recognize.trace: what the threads of small searches do, followed by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from match_recognize import MatchRecognizeError, match, trace
from pyspark.sql import SparkSession

CLAUSE = """MATCH_RECOGNIZE (
      PARTITION BY symbol ORDER BY id MEASURES A.id AS a PATTERN (A DOWN{1,1})
      DEFINE DOWN AS price < PREV(price))"""

# Row 2 is a DOWN of row 1. The search goes on after the match, where the partition has no rows.
TRACE = """MATCH_RECOGNIZE PARTITION BY symbol ORDER BY id PATTERN (A DOWN{1})
Trace of 2 rows of the first partition, symbol = 'X'.

Conditions:
  A AS TRUE (not in DEFINE)
  DOWN AS price < PREV(price)

Start row 1 (id = 1): a thread waits for A.
  Row 1 (id = 1):
    thread (): A is true. It maps the row and waits for DOWN.
  Row 2 (id = 2):
    thread (A): DOWN is true: PREV(price) = 10, price = 9. It maps the row and completes a match.
  Match 1: A: row 1, DOWN: row 2

The search of the partition has ended."""


def assert_traced(session: SparkSession) -> None:
    rows = [(1, "X", 10), (2, "X", 9), (1, "Y", 10)]
    ticks = session.createDataFrame(rows, "id INT, symbol STRING, price INT")
    ticks.createOrReplaceTempView("traced_ticks")
    built = (
        match(ticks)
        .partition_by("symbol")
        .order_by("id")
        .measures(a="A.id")
        .pattern("A DOWN{1,1}")
        .define(DOWN="price < PREV(price)")
    )
    text = f"SELECT * FROM traced_ticks {CLAUSE}"
    assert str(trace(text, session)) == TRACE
    assert str(trace(f"SELECT * FROM {{ticks}} {CLAUSE}", session, ticks=ticks)) == TRACE
    assert str(trace(built)) == TRACE
    assert str(trace(session.sql(text))) == TRACE
    other = trace(f"SELECT * FROM {{ticks}} {CLAUSE}", session, ticks=ticks.where("symbol > 'X'"))
    assert other.lines[1] == "Trace of 1 row of the first partition, symbol = 'Y'."
    with pytest.raises(MatchRecognizeError, match=r"Pass trace\(\) what"):
        trace(ticks)


def test_classic(new_session: Callable[[], SparkSession]) -> None:
    assert_traced(new_session())


def test_connect(connect: SparkSession) -> None:
    assert_traced(connect)


def test_what_is_no_query() -> None:
    with pytest.raises(MatchRecognizeError, match=r"trace\(\) needs the session"):
        trace("SELECT 1")


def test_html(new_session: Callable[[], SparkSession]) -> None:
    text = "SELECT * FROM VALUES (1) AS t(id) MATCH_RECOGNIZE (MEASURES 1 AS a PATTERN (A))"
    shown = trace(text, new_session())._repr_html_()
    assert shown.startswith("<pre>MATCH_RECOGNIZE PATTERN (A)\n")
    assert shown.endswith("</pre>")
