"""Translated statements, run: rows that follow from the language of the source."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from match_recognize import translate
from pyspark.sql import SparkSession

pytest.importorskip("sqlglot", reason="the extra translate is not installed")

# March 1 of 2024 is a Friday. The price falls to March 2, rises to March 4, falls, and rises.
TABLE = """CREATE TEMP VIEW t AS SELECT * FROM VALUES
  ('x', DATE '2024-03-01', 5, 'a'), ('x', DATE '2024-03-02', 3, 'b'),
  ('x', DATE '2024-03-03', 4, 'c'), ('x', DATE '2024-03-04', 6, 'd'),
  ('x', DATE '2024-03-05', 2, 'e'), ('x', DATE '2024-03-06', 7, NULL) AS t(k, d, n, s)"""


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    session = new_session()
    session.sql(TABLE)
    return session


def rows(session: SparkSession, source: str, read: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in session.sql(translate(source, read).sql).collect()]


def test_snowflake(session: SparkSession) -> None:
    found = rows(
        session,
        """-- A fall, then a rise
        WITH "Src" AS (SELECT * FROM t WHERE n > 0) -- all
        SELECT "Low Day", dow, whole FROM (
          SELECT * FROM "Src" MATCH_RECOGNIZE (
            PARTITION BY k ORDER BY d
            MEASURES LAST(down.d) AS "Low Day", DAYOFWEEK(LAST(down.d)) dow, COUNT(*) whole
            PATTERN (strt down+ "Up"+) // the shape
            DEFINE down AS n < LAG(n), "Up" AS n > LAG(n) /* a "rise" */
          )
        ) q WHERE dow IN (0, 6)""",
        "snowflake",
    )
    # Saturday is 6, as Sunday is 0.
    assert found == [(datetime.date(2024, 3, 2), 6, 4)]


def test_regular_expressions_of_snowflake(session: SparkSession) -> None:
    # 'xa' has an x, but is no x; the last row is NULL.
    source = """SELECT n FROM t MATCH_RECOGNIZE (
      ORDER BY d MEASURES COUNT(*) AS n PATTERN (p+) DEFINE p AS NOT RLIKE(k || s, 'X', 'i'))"""
    assert rows(session, source, "snowflake") == [(5,)]


def test_oracle(session: SparkSession) -> None:
    found = rows(
        session,
        """SELECT n, cls, w FROM t MATCH_RECOGNIZE (
             PARTITION BY k ORDER BY d
             MEASURES CLASSIFIER() AS cls, q'[it's]' AS w
             ALL ROWS PER MATCH
             PATTERN (PERMUTE(lo, hi) {- mid -})
             DEFINE lo AS n < 4, hi AS n >= 4)
           MINUS SELECT 5, 'HI', 'it''s'
           ORDER BY n""",
        "oracle",
    )
    # Two matches: 5 3 4 and 6 2 7. The third row of each is not in the output.
    assert found == [(2, "LO", "it's"), (3, "LO", "it's"), (6, "HI", "it's")]


def test_times_of_oracle(session: SparkSession) -> None:
    source = """SELECT TRUNC(d, 'MM'),
      TRUNC(TO_DATE('2024-03-09 10:30', 'YYYY-MM-DD HH24:MI'), 'HH24'),
      TIMESTAMP '2024-03-01 00:00:00', REGEXP_LIKE(s, 'A', 'i')
      FROM t WHERE n = 5"""
    first = datetime.datetime(2024, 3, 1)
    assert rows(session, source, "oracle") == [
        (first, datetime.datetime(2024, 3, 9, 10), first, True)
    ]


def test_trino(session: SparkSession) -> None:
    found = rows(
        session,
        """SELECT m.lo, m.dow, u.e
           FROM (VALUES (DATE '2024-03-01', 5), (DATE '2024-03-02', 3), (DATE '2024-03-03', 4))
             AS t(d, n)
           MATCH_RECOGNIZE (
             ORDER BY d
             MEASURES LAST(b.n) AS lo, extract(dow FROM LAST(b.d)) AS dow,
               array_agg(CLASSIFIER()) AS cs
             PATTERN (((a b+) | c))
             DEFINE b AS n < PREV(n)) AS m
           CROSS JOIN UNNEST(cs) AS u(e)
           WHERE u.e NOT IN (
             SELECT x FROM t MATCH_RECOGNIZE (
               ORDER BY d MEASURES CLASSIFIER() AS x PATTERN (B $) DEFINE B AS n > 0) AS i)""",
        "trino",
    )
    # Saturday is 6, as Monday is 1. The subquery has the row B.
    assert found == [(3, 6, "A"), (None, None, "C")]


def test_values_of_trino(session: SparkSession) -> None:
    source = """SELECT CAST('1.5' AS DECIMAL(2, 1)), week(d), concat_ws('-', s, NULL), U&'\\0041'
      FROM t WHERE n = 5"""
    assert rows(session, source, "trino") == [(Decimal("1.5"), 9, "a", "A")]


def test_nothing_found(session: SparkSession) -> None:
    source = """SELECT regexp_extract(s, 'b'), regexp_extract(s, '(b)', 1), split_part(s, 'z', 2),
      regexp_extract(s, '(a)', 1), split_part(s, 'a', 2),
      to_unixtime(TIMESTAMP '1970-01-01 00:00:01.25') - to_unixtime(TIMESTAMP '1970-01-01')
      FROM t WHERE n = 5"""
    assert rows(session, source, "trino") == [(None, None, None, "a", "", 1.25)]


def test_flink(session: SparkSession) -> None:
    session.conf.set("spark.sql.matchRecognize.dialect", "flink")
    found = rows(
        session,
        """SELECT j, w FROM t MATCH_RECOGNIZE (
             PARTITION BY k ORDER BY d
             MEASURES CONCAT_WS('-', A.s, B.s) AS j, DAYOFWEEK(B.d) AS w, B.n AS `the n`
             PATTERN (A B) WITHIN INTERVAL '1' DAY
             DEFINE B AS n > A.n) -- the next match begins on the next row
           ORDER BY `the n`""",
        "flink",
    )
    # March 3 is a Sunday. The last row has no s.
    assert found == [("b-c", 1), ("c-d", 2), ("e", 4)]


def test_groups_in_replacements(session: SparkSession) -> None:
    # \1 is a group, which has one digit; $ is a character.
    source = r"""SELECT REGEXP_REPLACE('ab', '(a)(b)', '\2\1') AS swapped,
      REGEXP_REPLACE('a', '(a)', '<\10>') AS digit, REGEXP_REPLACE('a', 'a', '$1') AS dollar,
      REGEXP_REPLACE('a', 'a', '\\') AS backslash, REGEXP_REPLACE('ab', 'a') AS removed"""
    answers = [("ba", "<a0>", "$1", "\\", "b")]
    assert rows(session, source, "oracle") == answers
    doubled = source.replace("\\", "\\\\")
    assert rows(session, doubled, "snowflake") == answers


def test_comments_that_end_in_a_backslash(session: SparkSession) -> None:
    source = """SELECT * FROM t MATCH_RECOGNIZE (
      ORDER BY d MEASURES MATCH_NUMBER() AS m ONE ROW PER MATCH -- see C:\\
      AFTER MATCH SKIP TO NEXT ROW
      PATTERN (A B) DEFINE A AS n > 0)"""
    # Five of the six rows have a next one.
    assert rows(session, source, "trino") == [(m,) for m in range(1, 6)]
