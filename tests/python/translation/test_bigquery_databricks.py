"""Statements of BigQuery and Databricks.

The clauses are described on these pages:

* https://docs.cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#match_recognize_clause
* https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-qry-select-match-recognize
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from match_recognize import MatchRecognizeError, translate
from pyspark.sql import SparkSession

pytest.importorskip("sqlglot", reason="the extra translate is not installed")


def squeezed(text: str) -> str:
    return " ".join(text.split())


def clause(content: str) -> str:
    return f"SELECT * FROM t MATCH_RECOGNIZE ({content})"


def condition(expression: str, read: str) -> str:
    translated = translate(clause(f"ORDER BY d PATTERN (a) DEFINE a AS {expression}"), read)
    return squeezed(translated.sql).split("DEFINE a AS ")[1][:-1]


def test_a_clause_of_bigquery() -> None:
    translated = translate(
        """FROM `my-project.sales`.orders AS o |> MATCH_RECOGNIZE ( # all of them
          PARTITION BY customer ORDER BY day DESC
          MEASURES SUM(low.amount) total, LAST(day) AS last_day
          AFTER MATCH SKIP TO NEXT ROW
          PATTERN (^ (low+ | high{2,}?)*? $)
          DEFINE low AS amount < PREV(amount, 2), high AS name = "it's # no comment"
          OPTIONS (use_longest_match = FALSE)
        ) |> WHERE total > 1""",
        "bigquery",
    )
    assert squeezed(translated.sql) == squeezed(
        r"""SELECT * FROM `my-project`.`sales`.`orders` AS o MATCH_RECOGNIZE ( -- all of them
          PARTITION BY customer ORDER BY day DESC
          MEASURES SUM(low.amount) AS total, LAST(day) AS last_day
          AFTER MATCH SKIP TO NEXT ROW
          PATTERN (^ (low+ | high{2,}?)*? $)
          DEFINE low AS amount < PREV(amount, 2), high AS name = 'it\'s # no comment'
        ) WHERE total > 1"""
    )


@pytest.mark.parametrize("options", ["OPTIONS()", "options ( USE_longest_match=false )", ""])
def test_the_options_of_bigquery(options: str) -> None:
    sql = translate(clause(f"ORDER BY d PATTERN (a) DEFINE a AS x {options}"), "bigquery").sql
    assert squeezed(sql).replace(" )", ")").endswith("DEFINE a AS x)")


def test_the_longest_match_is_refused() -> None:
    text = clause(
        "ORDER BY d PATTERN (a) DEFINE a AS f(')') OPTIONS (use_longest_match = TRUE) /* ) */"
    )
    with pytest.raises(MatchRecognizeError, match="not the longest one") as caught:
        translate(text, "bigquery")
    _, line, marks, advice = str(caught.value).split("\n")
    place = line[marks.index("^") : marks.rindex("^") + 1]
    assert place == "OPTIONS (use_longest_match = TRUE)"
    assert "the longest alternative first" in advice


@pytest.mark.parametrize(
    ("source", "here"),
    [
        ("MATCH_ROW_NUMBER() > 1", "MATCH_SEQUENCE_NUMBER() > 1"),
        # DATE_DIFF counts boundaries, TIMESTAMP_DIFF whole units.
        ("DATE_DIFF(d, PREV(d), DAY) = 1", "DATEDIFF(d, PREV(d)) = 1"),
        (
            "DATE_DIFF(d, e, MONTH) = 1",
            "DATEDIFF(MONTH, DATE_TRUNC('MONTH', e), DATE_TRUNC('MONTH', d)) = 1",
        ),
        ("TIMESTAMP_DIFF(d, e, HOUR) = 1", "TIMESTAMPDIFF(HOUR, e, d) = 1"),
        ("d < TIMESTAMP_ADD(e, INTERVAL 2 HOUR)", "d < (e + INTERVAL '2' HOUR)"),
        ("DATE_TRUNC(d, DAY) = e", "DATE_TRUNC('DAY', d) = e"),
        ("DATE_TRUNC(d, MONTH) = e", "TRUNC(d, 'MONTH') = e"),
        ("EXTRACT(DAYOFWEEK FROM d) = 1", "EXTRACT(DAYOFWEEK FROM d) = 1"),
        ("EXTRACT(ISOWEEK FROM d) = 1", "EXTRACT(WEEK FROM d) = 1"),
        ("EXTRACT(ISOYEAR FROM d) = 1", "EXTRACT(YEAROFWEEK FROM d) = 1"),
        ("DATE_TRUNC(d, WEEK(MONDAY)) = e", "TRUNC(d, 'WEEK') = e"),
        (
            "REGEXP_EXTRACT(s, 'a(b)') = 'b'",
            "IF(s RLIKE 'a(b)', REGEXP_EXTRACT(s, 'a(b)'), NULL) = 'b'",
        ),
        (r"REGEXP_REPLACE(s, '(a)', r'\1\0') = b", "REGEXP_REPLACE(s, '(a)', '$1$0') = b"),
        (r"s LIKE 'a\\_'", r"s LIKE 'a\\_'"),
        ("s = \"say 'x'\"", r"s = 'say \'x\''"),
        ("s = '''it's'''", r"s = 'it\'s'"),
        (r"s = r'\d'", r"s = '\\d'"),
    ],
)
def test_expressions_of_bigquery(source: str, here: str) -> None:
    assert condition(source, "bigquery") == here


def test_arrays_of_bigquery() -> None:
    source = "SELECT o, y FROM t, UNNEST(xs) AS y WITH OFFSET AS o"
    here = "SELECT o, y FROM t LATERAL VIEW POSEXPLODE(xs) AS o, y"
    assert squeezed(translate(source, "bigquery").sql) == here


def test_numerics_of_bigquery() -> None:
    # NUMERIC has nine digits after the point.
    with pytest.raises(MatchRecognizeError, match="write its digits"):
        condition("CAST(x AS NUMERIC) > 1.5", "bigquery")


def test_a_clause_of_databricks_stays() -> None:
    source = r"""SELECT
  *
FROM t
MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY d -- r'
  MEASURES classifier() AS c, first(down.x, 1) AS f, match_number() AS m
  ALL ROWS PER MATCH SHOW EMPTY MATCHES
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (^ PERMUTE(down, `Up`)+ strt{,2} $)
  DEFINE down AS x < prev(x) AND s = 'it\'s', `Up` AS x > next(x, 2) AND s LIKE '\\_'
)"""
    assert translate(source, "databricks") == (source, ())


@pytest.mark.parametrize("measure", ["CAST(A.x AS TIME)", "A.x AT TIME ZONE 'UTC'"])
def test_times_of_day_and_zones_are_refused(measure: str) -> None:
    text = f"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY x MEASURES {measure} AS m PATTERN (A))"
    with pytest.raises(MatchRecognizeError, match=r"TIME.* has no counterpart"):
        translate(text, "databricks")


def test_expressions_of_databricks() -> None:
    assert condition('j:a.b = "x"', "databricks") == "GET_JSON_OBJECT(j, '$.a.b') = 'x'"
    assert condition("s = r'\\'", "databricks") == r"s = '\\'"
    # Not DATEDIFF(DAY, b, a), which counts whole days.
    assert condition("datediff(a, b) > '1' :: INT", "databricks") == (
        "datediff(a, b) > CAST('1' AS INT)"
    )


@pytest.mark.parametrize(
    ("pattern", "empty"),
    [
        ("a", False),
        ("a? b*", True),
        ("a? b{1,2}", False),
        ("a | (b c?){,2}", True),
        ("PERMUTE(a, b)", False),
        ("PERMUTE(a?, `b c`*)", True),
        ("^ a $", False),
    ],
)
def test_empty_matches_of_databricks(pattern: str, empty: bool) -> None:
    notes = translate(clause(f"ORDER BY d PATTERN ({pattern})"), "databricks").notes
    assert any("no empty matches" in note for note in notes) == empty


# The price falls to the second row, rises to the fourth, falls, and rises.
TABLE = """CREATE TEMP VIEW t AS SELECT * FROM VALUES
  ('x', DATE '2024-03-01', 5), ('x', DATE '2024-03-02', 3), ('x', DATE '2024-03-03', 4),
  ('x', DATE '2024-03-04', 6), ('x', DATE '2024-03-05', 2), ('x', DATE '2024-03-06', 7)
  AS t(k, d, n)"""


@pytest.fixture
def run(new_session: Callable[[], SparkSession]) -> Callable[[str, str], list[tuple[Any, ...]]]:
    session = new_session()
    session.sql(TABLE)
    return lambda source, read: [
        tuple(row) for row in session.sql(translate(source, read).sql).collect()
    ]


def test_answers_of_bigquery(run: Callable[[str, str], list[tuple[Any, ...]]]) -> None:
    found = run(
        """SELECT * FROM t MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY d
          MEASURES MATCH_NUMBER() AS m, ARRAY_TO_STRING(ARRAY_AGG(CLASSIFIER()), "-") AS path,
            ARRAY_AGG(STRUCT(MATCH_ROW_NUMBER() AS i, CLASSIFIER() AS symbol))[OFFSET(1)] AS b,
            MAX(MATCH_ROW_NUMBER()) AS len, FIRST(up.n) low,
            DATE_DIFF(LAST(d), FIRST(d), DAY) AS days
          PATTERN (down+ up+)
          DEFINE down AS n < PREV(n), up AS n > PREV(n)
        ) ORDER BY m""",
        "bigquery",
    )
    # CLASSIFIER returns the names as they are written.
    assert found == [
        ("x", 1, "down-up-up", (2, "up"), 3, 4, 2),
        ("x", 2, "down-up", (2, "up"), 2, 7, 1),
    ]


@pytest.mark.parametrize(
    ("after", "counts"),
    # Without AFTER MATCH, matches do not overlap.
    [("", [4, 2]), ("AFTER MATCH SKIP TO NEXT ROW", [4, 3, 2, 2])],
)
def test_overlapping_matches_of_bigquery(
    run: Callable[[str, str], list[tuple[Any, ...]]], after: str, counts: list[int]
) -> None:
    source = f"""SELECT c FROM t MATCH_RECOGNIZE (
      ORDER BY d MEASURES COUNT(*) AS c, MATCH_NUMBER() AS m {after}
      PATTERN (low+ high) DEFINE low AS n < 6, high AS n >= 6) ORDER BY m"""
    assert run(source, "bigquery") == [(count,) for count in counts]


def test_answers_of_databricks(run: Callable[[str, str], list[tuple[Any, ...]]]) -> None:
    found = run(
        """SELECT d, c, x, p FROM t MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY d
          MEASURES classifier() AS c, first(down.n) AS x, prev(n) AS p
          ALL ROWS PER MATCH
          AFTER MATCH SKIP PAST LAST ROW
          PATTERN (^ strt PERMUTE(up, down))
          DEFINE down AS n < prev(n), up AS n > prev(n)
        ) ORDER BY d""",
        "databricks",
    )
    assert [row[1:] for row in found] == [("STRT", None, None), ("DOWN", 3, 5), ("UP", 3, 3)]
