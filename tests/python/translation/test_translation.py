"""match_recognize.translate: what the text of a translated statement is. No Spark runs."""

from __future__ import annotations

import io
import sys

import pytest
from match_recognize import MatchRecognizeError, translate
from match_recognize import __main__ as cli
from match_recognize.translation.edits import Edits
from match_recognize.translation.source import masked

pytest.importorskip("sqlglot", reason="the extra translate is not installed")


def clause(content: str) -> str:
    return f"SELECT * FROM t MATCH_RECOGNIZE ({content})"


def squeezed(text: str) -> str:
    return " ".join(text.split())


def measure(expression: str, read: str) -> str:
    """A measure as it is in Spark."""
    sql = clause(f"MEASURES {expression} AS m PATTERN (A) DEFINE A AS true")
    return squeezed(translate(sql, read).sql).split("MEASURES ")[1].split(" AS m ")[0]


def condition(expression: str, read: str) -> str:
    sql = clause(f"PATTERN (A) DEFINE A AS {expression}")
    return squeezed(translate(sql, read).sql).split("DEFINE A AS ")[1][:-1]


#: Everything that the grammar of the standard has.
WHOLE = """
  PARTITION BY a, b
  ORDER BY c NULLS LAST
  MEASURES FINAL LAST(A.x, 2) AS m1, RUNNING SUM(U.x) AS m2, COUNT(A.*) AS m3, -- kept
    PREV(FIRST(A.x), 1) AS m4, CLASSIFIER(U) AS m5, COUNT(*) AS m6, MATCH_NUMBER() AS m7
  {rows}
  {after}
  PATTERN ((A | B{{2,3}}?)*? {{- C+? -}} PERMUTE(D, E){{,2}} () $)
  SUBSET U = (A, B), V = (C, D)
  DEFINE C AS C.x > PREV(C.x, 2), A AS AVG(A.x) < 3, B AS x BETWEEN 1 AND 2
"""


@pytest.mark.parametrize("read", ["oracle", "snowflake", "trino"])
@pytest.mark.parametrize(
    ("rows", "after"),
    [
        ("ONE ROW PER MATCH", "AFTER MATCH SKIP PAST LAST ROW"),
        ("ALL ROWS PER MATCH", "AFTER MATCH SKIP TO NEXT ROW"),
        ("ALL ROWS PER MATCH SHOW EMPTY MATCHES", "AFTER MATCH SKIP TO FIRST A"),
        ("ALL ROWS PER MATCH OMIT EMPTY MATCHES", "AFTER MATCH SKIP TO LAST U"),
        ("all rows per match with unmatched rows", "after match skip to B"),
        ("", ""),
    ],
)
def test_what_is_standard_stays(read: str, rows: str, after: str) -> None:
    source = clause(WHOLE.format(rows=rows, after=after))
    assert translate(source, read).sql == source.replace("* FROM t ", "\n  *\nFROM t\n").replace(
        "SELECT \n", "SELECT\n"
    )


@pytest.mark.parametrize(
    ("read", "source", "here"),
    [
        ("snowflake", "NVL(A.x, 0)", "COALESCE(A.x, 0)"),
        ("snowflake", "FIRST_VALUE(x) - LAST_VALUE(A.x)", "FIRST(x) - LAST(A.x)"),
        ("snowflake", "LAG(x) + LEAD(x, 2)", "PREV(x) + NEXT(x, 2)"),
        ("snowflake", "FINAL LAST_VALUE(x)", "FINAL LAST(x)"),
        ("snowflake", "A.x::INT", "CAST(A.x AS INT)"),
        ("snowflake", "IFF(x > 1, 'a''b', '')", r"IF(x > 1, 'a\'b', '')"),
        (
            "snowflake",
            "DATEDIFF('minute', FIRST(ts), LAST(ts))",
            "DATEDIFF(MINUTE, DATE_TRUNC('MINUTE', FIRST(ts)), DATE_TRUNC('MINUTE', LAST(ts)))",
        ),
        ("snowflake", "DATEDIFF(day, A.d, B.d)", "DATEDIFF(B.d, A.d)"),
        ("snowflake", "DATEADD(quarter, n, ts)", "(ts + (n) * INTERVAL '3' MONTH)"),
        ("snowflake", "ARRAY_AGG(A.x)", "COLLECT_LIST(A.x)"),
        ("snowflake", '"A b"."c""d"', '`A b`.`c"d`'),
        ("snowflake", "DAYOFWEEK(A.d)", "(DAYOFWEEK(A.d) - 1)"),
        ("snowflake", "DATE_PART(dow, A.d)", "(DAYOFWEEK(A.d) - 1)"),
        ("snowflake", "RLIKE(A.s, 'a|b', 'i')", "A.s RLIKE '(?i)^(?:a|b)$'"),
        ("snowflake", "A.s REGEXP A.p", "A.s RLIKE CONCAT('^(?:', A.p, ')$')"),
        (
            "snowflake",
            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY A.x)",
            "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY A.x NULLS LAST)",
        ),
        ("oracle", "NVL(A.x, 0) || 'a'", "COALESCE(A.x, 0) || 'a'"),
        ("oracle", r"'back\slash'", r"'back\\slash'"),
        ("oracle", "SYSDATE", "CURRENT_TIMESTAMP()"),
        ("oracle", "TRUNC(SYSDATE)", "DATE_TRUNC('DAY', CURRENT_TIMESTAMP())"),
        ("oracle", "TRUNC(A.ts, 'HH24')", "DATE_TRUNC('HOUR', A.ts)"),
        (
            "oracle",
            "TRUNC(TO_DATE(s, 'DD.MM.YYYY HH24'), 'DD')",
            "DATE_TRUNC('DAY', TO_TIMESTAMP(s, 'd.M.yyyy H'))",
        ),
        ("oracle", "NVL(TO_DATE(s), TO_DATE(s, f))", "COALESCE(TO_DATE(s), TO_DATE(s, f))"),
        ("oracle", "TO_DATE(s, 'DD.MM.YYYY')", "TO_DATE(s, 'd.M.yyyy')"),
        ("oracle", "TO_DATE(s, 'DD.MM.YYYY HH24')", "TO_TIMESTAMP(s, 'd.M.yyyy H')"),
        ("oracle", "TIMESTAMP '2024-03-01 00:00:00'", "CAST('2024-03-01 00:00:00' AS TIMESTAMP)"),
        ("oracle", "REGEXP_LIKE(s, 'a', 'i')", "s RLIKE '(?i)a'"),
        ("oracle", "REGEXP_LIKE(s, 'a', 'ic')", "s RLIKE 'a'"),
        # A group is \1 in the source and $1 in Spark, where a digit may follow its number, and
        # where $ and a backslash are escaped by a backslash; a literal doubles each backslash.
        ("oracle", r"REGEXP_REPLACE(s, '(a)(b)', '\2\1')", "REGEXP_REPLACE(s, '(a)(b)', '$2$1')"),
        ("snowflake", r"REGEXP_REPLACE(s, '(a)', '<\\1>')", "REGEXP_REPLACE(s, '(a)', '<$1>')"),
        ("snowflake", r"REGEXP_REPLACE(s, '(a)', $$\1$$)", "REGEXP_REPLACE(s, '(a)', '$1')"),
        ("oracle", r"REGEXP_REPLACE(s, '(a)', '\10')", r"REGEXP_REPLACE(s, '(a)', '$1\\0')"),
        ("oracle", "REGEXP_REPLACE(s, 'a', '$1')", r"REGEXP_REPLACE(s, 'a', '\\$1')"),
        ("oracle", r"REGEXP_REPLACE(s, 'a', '\\')", r"REGEXP_REPLACE(s, 'a', '\\\\')"),
        ("oracle", "REGEXP_REPLACE(s, 'a')", "REGEXP_REPLACE(s, 'a', '')"),
        ("trino", "regexp_replace(s, '(a)', '$1')", "regexp_replace(s, '(a)', '$1')"),
        ("snowflake", r"s LIKE 'a\\_' ESCAPE '\\'", r"s LIKE 'a\\_' ESCAPE '\\'"),
        ("trino", "date_diff('day', A.d, LAST(B.d))", "DATEDIFF(DAY, A.d, LAST(B.d))"),
        ("trino", "date_add('hour', 2, A.ts)", "(A.ts + INTERVAL '2' HOUR)"),
        ("trino", "RUNNING array_agg(CLASSIFIER(U))", "RUNNING COLLECT_LIST(CLASSIFIER(U))"),
        # Monday is 1 in Trino, and 0 in WEEKDAY of Spark.
        ("trino", "day_of_week(A.d)", "(WEEKDAY(A.d) + 1)"),
        ("trino", "extract(dow FROM A.d)", "(WEEKDAY(A.d) + 1)"),
        ("trino", "concat_ws('-', a, b)", "concat_ws('-', a, b)"),
        (
            "trino",
            "split_part(s, ',', 2)",
            r"TRY_ELEMENT_AT(SPLIT(s, CONCAT('\\Q', ',', '\\E')), 2)",
        ),
        ("trino", "to_unixtime(A.ts)", "(UNIX_MICROS(CAST(A.ts AS TIMESTAMP)) / 1e6)"),
        # '' where Spark finds nothing, and NULL in the source.
        ("trino", "regexp_extract(s, 'a')", "REGEXP_SUBSTR(s, 'a')"),
        ("flink", "REGEXP_EXTRACT(s, 'a')", "REGEXP_SUBSTR(s, 'a')"),
        (
            "flink",
            "REGEXP_EXTRACT(s, '(a)(b)', 2)",
            "IF(s RLIKE '(a)(b)', REGEXP_EXTRACT(s, '(a)(b)', 2), NULL)",
        ),
        ("snowflake", "DATE_TRUNC('weekiso', d)", "DATE_TRUNC('WEEK', d)"),
        ("snowflake", "TRUNC(d, 'day')", "DATE_TRUNC('DAY', d)"),
        ("oracle", "CAST(ts AS DATE)", "DATE_TRUNC('SECOND', CAST(ts AS TIMESTAMP))"),
        ("oracle", "CURRENT_DATE", "DATE_TRUNC('SECOND', CURRENT_TIMESTAMP())"),
        ("flink", "LISTAGG(A.s)", "LISTAGG(A.s, ',')"),
        ("flink", "DAYOFWEEK(A.d)", "DAYOFWEEK(A.d)"),
        ("trino", "A.xs[1]", "A.xs[0]"),
        ("flink", "A.xs[1]", "A.xs[0]"),
        ("flink", "TIMESTAMPADD(HOUR, 1, A.ts)", "TIMESTAMPADD(HOUR, 1, A.ts)"),
        ("flink", "FLOOR(A.ts TO DAY)", "DATE_TRUNC('DAY', A.ts)"),
        ("flink", "CONCAT_WS('-', a, NVL(b, 1))", "CONCAT_WS('-', a, COALESCE(b, 1))"),
        ("flink", "TO_TIMESTAMP_LTZ(A.m, 3)", "TIMESTAMP_MILLIS(A.m)"),
        ("flink", "CURRENT_ROW_TIMESTAMP()", "MATCH_PROCTIME()"),
        ("flink", "CAST(x AS TIMESTAMP_LTZ(3))", "CAST(x AS TIMESTAMP_LTZ)"),
        ("flink", "CAST(x AS TIMESTAMP(3))", "CAST(x AS TIMESTAMP_NTZ)"),
    ],
)
def test_expressions(read: str, source: str, here: str) -> None:
    assert measure(source, read) == here
    assert condition(f"1 = {source}", read) == f"1 = {here}"


@pytest.mark.parametrize(
    ("read", "keys", "here"),
    [
        # Where NULLs are without a word: last in Oracle, Snowflake and Trino in ascending order;
        # first in descending order, except for Trino, which sorts them last then, too.
        ("oracle", "a, b DESC", "a NULLS LAST, b DESC NULLS FIRST"),
        ("snowflake", "a, b DESC", "a NULLS LAST, b DESC NULLS FIRST"),
        ("trino", "a, b DESC", "a NULLS LAST, b DESC"),
        ("flink", "a, b DESC", "a, b DESC"),
        ("oracle", "a NULLS FIRST, b DESC NULLS LAST", "a NULLS FIRST, b DESC NULLS LAST"),
    ],
)
def test_nulls_in_keys(read: str, keys: str, here: str) -> None:
    translated = translate(clause(f"ORDER BY {keys} PATTERN (A) DEFINE A AS x > 1"), read)
    written = squeezed(translated.sql).split("ORDER BY ")[1].split(" PATTERN")[0]
    assert written.replace(" AFTER MATCH SKIP TO NEXT ROW", "") == here
    assert any("sorts NULLs elsewhere" in note for note in translated.notes) == (
        keys == "a, b DESC" and read != "flink"
    )


@pytest.mark.parametrize(
    "text", ["x IS NOT NULL AND y NOT IN (1, 2)", "x<>1 or NOT (y between 1 and 2)", "x  >\n 1"]
)
def test_what_means_the_same_keeps_its_text(text: str) -> None:
    sql = clause(f"PATTERN (A) DEFINE A AS {text}")
    assert f"DEFINE A AS {text})" in translate(sql, "trino").sql


def test_names_variables_and_comments() -> None:
    translated = translate(
        """SELECT "Sum", 'it''s' FROM "My Table" AS x MATCH_RECOGNIZE ( // first
          PARTITION BY "Key"
          MEASURES SUM("Up".v) "Sum" -- the "Sum"
          AFTER MATCH SKIP TO LAST "Up"
          PATTERN (^ "Up"+ $a) SUBSET "S" = ("Up", a)
          DEFINE "Up" AS "Up".v > 0 /* "c" */
        ) m""",
        "snowflake",
    ).sql
    assert squeezed(translated) == squeezed(
        r"""SELECT `Sum`, 'it\'s' FROM `My Table` AS x MATCH_RECOGNIZE ( -- first
          PARTITION BY `Key`
          MEASURES SUM(`Up`.v) AS `Sum` -- the "Sum"
          AFTER MATCH SKIP TO LAST `Up`
          PATTERN (^ `Up`+ $ a) SUBSET `S` = (`Up`, a)
          DEFINE `Up` AS `Up`.v > 0 /* "c" */
        ) AS m"""
    )


def test_measures_without_as_in_oracle() -> None:
    text = clause('MEASURES A.x y, SUM(A.x) "Sum", A.z AS z PATTERN (A)')
    assert (
        "MEASURES A.x AS y, SUM(A.x) AS `Sum`, A.z AS z PATTERN" in translate(text, "oracle").sql
    )


def test_an_anchor_is_no_part_of_a_name() -> None:
    for pattern in ("A B+$", "A B $", "(A B)$", '"A$" "b#"+ $'):
        translated = translate(clause(f"PATTERN ({pattern})"), "oracle").sql
        assert f"PATTERN ({pattern.replace(chr(34), '`')})" in translated


@pytest.mark.parametrize(
    ("read", "text"),
    [
        ("flink", "(f = g) IS NULL"),
        ("flink", "f = (g IS NULL)"),
        ("trino", "f = 1 AND g IS NULL"),
        ("trino", "CASE WHEN f = 1 THEN g END IS NULL"),
        ("trino", "CASE WHEN f = 1 THEN g IS NULL ELSE h IS NULL END"),
        ("trino", "CASE WHEN f THEN g ELSE h = 1 END IS NULL"),
        ("snowflake", "h(f = 1) IS NULL"),
        ("oracle", "f = g IS NULL"),
    ],
)
def test_comparisons_and_predicates(read: str, text: str) -> None:
    # In Oracle, IS applies to the comparison.
    here = "(f = g) IS NULL" if read == "oracle" else text
    assert condition(text, read) == here


def test_comments_with_a_backslash_end_with_their_line() -> None:
    # Spark continues a comment on the next line after a backslash.
    kept = translate(
        clause(
            """ONE ROW PER MATCH -- see C:\\
            AFTER MATCH SKIP TO NEXT ROW // or D:\\
            PATTERN (A) DEFINE A AS x > 1 -- not E:\\
              AND y > 2 /* F:\\ */"""
        ),
        "snowflake",
    ).sql
    assert "-- see C:\\ \n" in kept
    assert "-- or D:\\ \n" in kept
    assert "-- not E:\\ \n" in kept
    assert "/* F:\\ */" in kept


@pytest.mark.parametrize(
    ("source", "here"),
    [
        ("FROM {t} m JOIN u ON m.a = u.a", "FROM {t} AS m JOIN u ON m.a = u.a"),
        ("FROM u JOIN {t} m ON m.a = u.a", "FROM u INNER JOIN {t} AS m ON m.a = u.a"),
        ("FROM u LEFT JOIN {t} m USING (a)", "FROM u LEFT JOIN {t} AS m USING (a)"),
        ("FROM u, {t} m, v", "FROM u, {t} AS m, v"),
        ("FROM {t} m CROSS JOIN {t} n", "FROM {t} AS m CROSS JOIN {t} AS n"),
        ("FROM (SELECT 1 AS a FROM {t}) s", "FROM (SELECT 1 AS a FROM {t}) AS s"),
        ("FROM {t} m (a, b) WHERE a > 1", "FROM {t} AS m(a, b) WHERE a > 1"),
    ],
)
def test_the_place_of_a_clause(source: str, here: str) -> None:
    once = "t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS x > 1)"
    translated = squeezed(translate("SELECT 1 " + source.format(t=once), "trino").sql)
    assert translated.replace("( ", "(").replace(" )", ")") == "SELECT 1 " + here.format(t=once)


def test_each_of_several_clauses_keeps_its_place() -> None:
    inner = "SELECT * FROM t MATCH_RECOGNIZE (MEASURES A.x AS one PATTERN (A) DEFINE A AS x > 1)"
    outer = "MATCH_RECOGNIZE (PATTERN (B) DEFINE B AS x > 2) MATCH_RECOGNIZE (PATTERN (C))"
    translated = squeezed(translate(f"WITH w AS ({inner}) SELECT * FROM w {outer}", "oracle").sql)
    assert translated == f"WITH w AS ( {inner} ) SELECT * FROM w {outer}"


def test_jdbc_marks_of_oracle() -> None:
    translated = translate(clause(r"PATTERN {\ (A B??) \} DEFINE A AS x > '{\ '"), "oracle").sql
    assert squeezed(translated).endswith(r"PATTERN (A B??) DEFINE A AS x > '{\\ ')")


def test_flink_default_and_bound() -> None:
    translated = translate(
        clause("ORDER BY ts PATTERN (A) WITHIN INTERVAL '10' SECOND DEFINE A AS x > 1"),
        "flink",
    )
    assert squeezed(translated.sql).endswith(
        "ORDER BY ts AFTER MATCH SKIP TO NEXT ROW PATTERN (A) WITHIN INTERVAL '10' SECOND "
        "DEFINE A AS x > 1)"
    )
    assert "spark.sql.matchRecognize.dialect" in translated.notes[0]


@pytest.mark.parametrize(
    ("read", "content", "note"),
    [
        ("oracle", "PATTERN (A) DEFINE A AS x = ''", "empty string is NULL"),
        ("oracle", "PATTERN (A) DEFINE A AS x > 1", "in capitals"),
        ("trino", "PATTERN (A) DEFINE A AS x / 2 > 1", "Write DIV"),
        ("snowflake", "PATTERN (A) DEFINE A AS LAG(x) > 1", "LAG(x) > 1 is written PREV(x) > 1"),
        ("oracle", "PATTERN (A) DEFINE A AS x = y || 'a'", "CONCAT_WS('', x, 'a')"),
        ("oracle", "PATTERN (A) DEFINE A AS x = CONCAT(y, 'a')", "CONCAT_WS('', x, 'a')"),
        ("oracle", "PATTERN (A) DEFINE A AS CAST(x AS INTEGER) > 1", "rounds in the source"),
        ("snowflake", "PATTERN (A) DEFINE A AS x::INT > 1", "rounds in the source"),
        ("snowflake", "PATTERN (A) DEFINE A AS TRY_CAST(x AS INT) > 1", "rounds in the source"),
        ("trino", "PATTERN (A) DEFINE A AS CAST(x AS bigint) > 1", "CAST(ROUND(x) AS INT)"),
        ("oracle", "PATTERN (A) DEFINE A AS ADD_MONTHS(x, 1) > y", "without one"),
        ("trino", "PATTERN (A) DEFINE A AS m[1] > 1", "Undo this for a map"),
        ("trino", "PATTERN (A) DEFINE A AS m[k] > 1", "write x - 1 for an array"),
        ("flink", "PATTERN (A) DEFINE A AS m[1] > 1", "Undo this for a map"),
        (
            "snowflake",
            "MEASURES SUM(x) AS s ALL ROWS PER MATCH PATTERN (A) DEFINE A AS x > 1",
            "is RUNNING in Spark",
        ),
        ("oracle", "PATTERN (A) DEFINE A AS GREATEST(x, y) > 1", "Spark skips NULLs"),
        ("trino", "MEASURES array_agg(x) AS xs PATTERN (A)", "Spark drops NULLs"),
        ("flink", "PATTERN (A) WITHIN INTERVAL '1' HOUR DEFINE A AS x > 1", "includes its bound"),
    ],
)
def test_notes(read: str, content: str, note: str) -> None:
    assert any(note in each for each in translate(clause(content), read).notes)


def test_words_outside_the_clause() -> None:
    statement = "SELECT NVL(a, 1) b FROM t MINUS SELECT 1 FROM u FETCH FIRST 2 ROWS ONLY"
    assert translate(statement, "oracle").notes[-1] == (
        "Outside the clause, these words are written otherwise: FETCH, FIRST, MINUS, NVL, ONLY, "
        "ROWS. Check what replaces them."
    )


@pytest.mark.parametrize(
    "text",
    [
        "x > 'INTERVAL'",
        "m['k'] > CAST(1 AS bigint)",
        "CAST(x AS double) > 1",
        "CONCAT(x, 'a') = 'b'",
    ],
)
def test_no_notes_without_a_reason(text: str) -> None:
    assert translate(clause(f"PATTERN (A) DEFINE A AS {text}"), "trino").notes == ()


def test_no_notes_of_casts_and_subscripts_that_mean_the_same() -> None:
    # Flink cuts off, as Spark does; ELEMENT_AT counts from 1 in both.
    for text, read in (("CAST(x AS INT) > 1", "flink"), ("element_at(m, 1) > 1", "trino")):
        notes = translate(clause(f"PATTERN (A) DEFINE A AS {text}"), read).notes
        assert not any("rounds" in note or "Arrays begin" in note for note in notes)


@pytest.mark.parametrize("end", ["; -- done", ";\n/* done; */\n", " -- done;", ";"])
def test_comments_after_the_statement(end: str) -> None:
    translated = squeezed(translate("SELECT 1 FROM t" + end, "trino").sql)
    assert translated.split("/*")[0].strip() == "SELECT 1 FROM t"
    translated = translate(clause("PATTERN (A) DEFINE A AS x > 1") + end, "trino").sql
    assert "DEFINE A AS x > 1)" in translated


@pytest.mark.parametrize(
    ("read", "sql", "underlined", "message"),
    [
        ("trino", clause("MEASURES (1 + 2 3) AS m PATTERN (A)"), "3", "Trino"),
        (
            "trino",
            "SELECT a FROM t WHERE " + clause("PATTERN (A)"),
            "SELECT",
            "an operand is missing",
        ),
        ("trino", clause("MEASURES A.x PATTERN (A)"), "A.x", "measure has no name"),
        ("trino", clause("MEASURES A.x y AS m PATTERN (A)"), "A.x y", "one expression"),
        ("trino", clause("MEASURES x FROM u AS m PATTERN (A)"), "x FROM u", "is expected"),
        (
            "snowflake",
            clause("PATTERN (A) DEFINE A AS LAG(x, 1, 0) > 1"),
            "LAG(x, 1, 0)",
            "has a default; write COALESCE",
        ),
        (
            "oracle",
            clause("PATTERN (A) DEFINE A AS TO_CHAR(x, '999.9') > 1"),
            "TO_CHAR",
            "'format' is not supported",
        ),
        (
            "oracle",
            "SELECT 1, TO_NUMBER(a) AS x FROM t " + clause("PATTERN (A)")[16:],
            "TO_NUMBER",
            "format is required",
        ),
        ("oracle", clause("PATTERN (strt$ dn+)"), "strt$", "Rename this"),
        ("snowflake", clause("PATTERN (strt dn$)"), "dn$", "write a blank before it"),
        ("oracle", clause("PATTERN (A) DEFINE A AS A.x#1 > 1"), "x#1", "Rename this"),
        ("oracle", clause("AFTER MATCH SKIP TO A$b PATTERN (A$b)"), "A$b", "Rename this"),
        (
            "trino",
            clause(
                "PATTERN (A) DEFINE A AS x IN (SELECT 1 FROM u MATCH_RECOGNIZE (PATTERN (B)))"
            ),
            "MATCH_RECOGNIZE",
            "name in WITH",
        ),
    ],
)
def test_refusals(read: str, sql: str, underlined: str, message: str) -> None:
    with pytest.raises(MatchRecognizeError) as caught:
        translate(sql, read)
    said = str(caught.value)
    assert message in said
    _, line, marks, _ = said.split("\n")
    assert line == sql
    assert line[marks.index("^") : marks.index("^") + marks.count("^")] == underlined


#: What sqlglot would drop, or write with another meaning.
CHANGED = [
    ("trino", "SELECT array_agg(x ORDER BY y) FROM t", "ORDER BY", "SORT_ARRAY"),
    ("trino", "SELECT max(x, 2) FROM t", "max", "of the first values"),
    ("trino", "SELECT x AT TIME ZONE 'UTC' FROM t", "AT TIME ZONE", "has a zone"),
    ("trino", "SELECT hour(from_unixtime(x, 'CET')) FROM t", "from_unixtime", "zone as an"),
    ("bigquery", "SELECT DATE_TRUNC(x, DAY, 'CET') FROM t", "DATE_TRUNC", "zone as an argument"),
    ("bigquery", "SELECT FORMAT_TIMESTAMP('%H', x, z) FROM t", "FORMAT_TIMESTAMP", "zone as an"),
    ("oracle", "SELECT TO_NUMBER(x, '9D9', 'NLS') FROM t", "TO_NUMBER", "takes only a format"),
    ("trino", "SELECT DECIMAL '1.5'", "DECIMAL", "DECIMAL(38, 0)"),
    ("trino", r"SELECT 1 FROM t WHERE s LIKE 'a\_b'", "LIKE", "ESCAPE"),
    ("trino", "SELECT * FROM UNNEST(a) WITH ORDINALITY AS t (v, n)", "WITH ORDINALITY", "add 1"),
    ("trino", "SELECT CAST(x AS time) FROM t", "time", "a number of seconds"),
    ("oracle", "SELECT TRUNC(x, 'D') FROM t", "TRUNC", "TRUNC to D"),
    ("trino", "SELECT date_trunc('decade', x) FROM t", "date_trunc", "unit DECADE"),
    ("bigquery", "SELECT DATE_TRUNC(x, WEEK) FROM t", "WEEK", "write ISOWEEK"),
    ("bigquery", "SELECT DATE_DIFF(x, y, WEEK(SUNDAY)) FROM t", "WEEK", "write ISOWEEK"),
    ("bigquery", "SELECT EXTRACT(WEEK FROM x) FROM t", "WEEK", "write ISOWEEK"),
    ("bigquery", "SELECT DATETIME_TRUNC(x, ISOYEAR) FROM t", "DATETIME_TRUNC", "unit ISOYEAR"),
    ("oracle", "SELECT INSTR(s, 'a', -1) FROM t", "INSTR", "from the left"),
    ("oracle", "SELECT INSTR(s, 'a', 1, 2) FROM t", "INSTR", "from the left"),
    ("snowflake", "SELECT REGEXP_SUBSTR(s, 'a', 1, 2) FROM t", "REGEXP_SUBSTR", "only the first"),
    ("oracle", "SELECT CAST(x AS NUMBER) FROM t", "NUMBER", "DECIMAL(38, 0)"),
    ("oracle", "SELECT 1 FROM t FETCH FIRST 3 ROWS WITH TIES", "TIES", "RANK()"),
    ("oracle", "SELECT 1 FROM t FETCH FIRST 3 PERCENT ROWS ONLY", "PERCENT", "PERCENT_RANK()"),
    ("oracle", "SELECT REGEXP_REPLACE(s, 'a', 'b', 1, 2) FROM t", "REGEXP_REPLACE", "occurrence"),
    ("oracle", "SELECT 1 FROM t WHERE REGEXP_LIKE(s, 'a', 'n')", "REGEXP_LIKE", "these flags"),
    ("snowflake", r"SELECT 1 FROM t WHERE s LIKE 'a\\_b'", "LIKE", "ESCAPE"),
    ("snowflake", r"SELECT 1 FROM t WHERE s LIKE $$a\_b$$", "LIKE", "ESCAPE"),
    ("oracle", r"SELECT 1 FROM t WHERE s LIKE N'a\_b'", "LIKE", "ESCAPE"),
    ("oracle", r"SELECT 1 FROM t WHERE s LIKE q'[a\_b]'", "LIKE", "ESCAPE"),
    ("snowflake", r"SELECT 1 FROM t WHERE s LIKE ANY ('a\\_b')", "LIKE", "ESCAPE"),
    ("flink", "SELECT f = g IS NULL FROM t", "IS", "(a = b) IS NULL"),
    ("trino", "SELECT 1 FROM t WHERE f <> g + 1 IS NOT NULL", "IS", "(a = b) IS NULL"),
    ("snowflake", clause("PATTERN (A) DEFINE A AS x <= g(y) IS TRUE"), "IS", "(a = b) IS NULL"),
]


@pytest.mark.parametrize(("read", "sql", "underlined", "message"), CHANGED)
def test_what_would_change_is_refused(read: str, sql: str, underlined: str, message: str) -> None:
    test_refusals(read, sql, underlined, message)


#: Expressions that are refused, and what is underlined of them.
REFUSED = [
    ("oracle", "TO_NUMBER(a)", "TO_NUMBER"),
    ("oracle", "TO_NUMBER(x, '9D9', 'NLS')", "TO_NUMBER"),
    ("oracle", "TO_CHAR(x, '999.9')", "TO_CHAR"),
    ("oracle", "TRUNC(x, 'D')", "TRUNC"),
    ("oracle", "CAST(x AS NUMBER)", "NUMBER"),
    ("oracle", "REGEXP_REPLACE(s, 'a', 'b', 1, 2)", "REGEXP_REPLACE"),
    ("trino", "max(x, 2)", "max"),
    ("trino", "CAST(x AS time)", "time"),
    ("trino", "array_agg(x ORDER BY y)", "ORDER BY"),
]

#: Where they can be. Other lines have words like theirs.
PLACES = [
    "SELECT 1 AS truncated,\n  {e} AS e\nFROM t",
    "SELECT 1\nFROM t\nWHERE y > 1 AND {e} IS NOT NULL",
    "SELECT * -- max to_number order by\nFROM (SELECT {e} AS e FROM u) AS v\n"
    "MATCH_RECOGNIZE (PATTERN (A))",
    "SELECT * FROM t MATCH_RECOGNIZE (\n  MEASURES A.x AS y,\n    {e} AS m\n  PATTERN (A))",
    "SELECT * FROM t MATCH_RECOGNIZE (\n  PATTERN (A B)\n  DEFINE A AS x > 1,\n"
    "    B AS y > 1 AND {e} IS NOT NULL)",
    "SELECT * FROM t MATCH_RECOGNIZE (\n  PARTITION BY k\n  ORDER BY {e}\n  PATTERN (A))",
    "SELECT * FROM t MATCH_RECOGNIZE (\n  PATTERN (A)) m\nWHERE m.y > 1\n  OR {e} IS NULL",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("read", "expression", "underlined"), REFUSED)
def test_a_refusal_underlines_its_own_line(
    read: str, expression: str, underlined: str, place: str
) -> None:
    sql = place.format(e=expression)
    with pytest.raises(MatchRecognizeError) as caught:
        translate(sql, read)
    _, line, marks, _ = str(caught.value).split("\n")
    assert expression in line and line in sql.split("\n")
    at = marks.index("^")
    assert line[at : at + marks.count("^")] == underlined


@pytest.mark.parametrize(
    ("read", "sql", "message"),
    [
        ("trino", "SELECT 1; SELECT 2", "one statement is expected"),
        ("trino", "SELECT 'abc", "has no end"),
        ("trino", "SHOW TABLES", "statements of this kind are not translated"),
        ("trino", "EXPLAIN SELECT 1", "statements of this kind are not translated"),
        ("trino", clause("PATTERN (A) DEFINE A AS x AND"), "an operand is missing"),
        ("trino", clause("PATTERN (A) DEFINE A AS x, B"), "variable AS condition"),
        ("db2", "SELECT 1", "bigquery, databricks, flink, oracle, snowflake, trino"),
    ],
)
def test_statements_that_are_refused(
    read: str, sql: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(MatchRecognizeError, match=message):
        translate(sql, read)
    # sqlglot logs what it does not know.
    assert caplog.text == ""


def test_failures_of_sqlglot_are_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> str:
        raise KeyError("unit")

    monkeypatch.setattr("sqlglot.generator.Generator.generate", failing)
    for sql in ("SELECT 1", clause("PATTERN (A) DEFINE A AS x > 1")):
        with pytest.raises(MatchRecognizeError, match=r"as Spark SQL \(KeyError: 'unit'\)"):
            translate(sql, "trino")


def test_without_sqlglot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(MatchRecognizeError, match=r"spark-match-recognize\[translate\]"):
        translate("SELECT 1", "trino")


def test_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT NVL(x, 1) FROM t ORDER BY x;\n"))
    assert cli.main(["translate", "--read", "oracle"]) == 0
    said = capsys.readouterr()
    assert squeezed(said.out) == "SELECT COALESCE(x, 1) FROM t ORDER BY x NULLS LAST"
    assert said.err.startswith("-- ")
    monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT FROM WHERE"))
    assert cli.main(["translate", "--read", "oracle"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "^" in said.err


def test_mask_keeps_places() -> None:
    text = "a 'b''(' \"c\" -- (\n/* ) */ q'[it's]' d"
    assert masked(text, "oracle") == "a 'xxxx' `x`     \n        'xxxxxxx' d"


def test_places_before_edits() -> None:
    edits = Edits("abcdef")
    edits.replace(1, 3, "XYZ1")
    edits.replace(5, 5, "!")
    assert edits.result() == "aXYZ1de!f"
    assert [edits.old(i) for i in range(9)] == [0, 1, 1, 1, 1, 3, 4, 5, 5]
