"""match_recognize.why: what it says of clauses whose tests are counted by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

import pytest
from conftest import ROOT
from match_recognize import MatchRecognizeError, match, sql, why
from match_recognize.explanations import Explanation
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

FALLS = """
    SELECT * FROM {ticks} MATCH_RECOGNIZE (
      PARTITION BY symbol ORDER BY id MEASURES A.id AS a
      PATTERN (A DOWN{1,} UP)
      DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price) + :least)"""

ROWS = [(1, "X", 10), (2, "X", 9), (3, "X", 9)]

# UP is not tested at row 2, and false at row 3: 9 is not more than 9. DOWN is true of row 2 only.
CONDITIONS = (
    ("A", None, 3, 3, 0, 0, 0),
    ("DOWN", "price < PREV(price)", 2, 1, 1, 0, 0),
)
FURTHEST = (
    "  A: row 1",
    "  DOWN: row 2",
    "  It ended at row 3 (id = 3):",
    "    DOWN AS price < PREV(price) is false: PREV(price) = 9, price = 9",
)


def falls(session: SparkSession) -> Explanation:
    ticks = session.createDataFrame(ROWS, "id INT, symbol STRING, price INT")
    return why(FALLS, session, args={"least": 0}, ticks=ticks)


def assert_falls(found: Explanation) -> None:
    assert found.lines[1] == "0 matches in 3 rows of 1 partition."
    assert (found.rows, found.searched_rows, found.matches) == (3, 3, 0)
    assert found.partitions == (("symbol = 'X'", 3, 3, 0, 0),)
    assert found.conditions[:2] == CONDITIONS
    assert found.conditions[2][2:] == (1, 0, 1, 0, 0)
    assert found.furthest[1:5] == FURTHEST
    assert found.causes == (
        # 9 is not more than 9.
        "price > PREV(price) + :least is false if both are equal. With >=, there is 1 match.",
    )
    assert found.hints == (
        *found.causes,
        "UP is true of no row that was tested.",
        "A is not in DEFINE: every row satisfies it.",
    )
    assert str(found).splitlines() == list(found.lines)


def test_classic(new_session: Callable[[], SparkSession]) -> None:
    assert_falls(falls(new_session()))


def test_connect(connect: SparkSession) -> None:
    assert_falls(falls(connect))


def test_a_builder(new_session: Callable[[], SparkSession]) -> None:
    ticks = new_session().createDataFrame(ROWS, "id INT, symbol STRING, price INT")
    # The condition of UP is a column of PySpark, computed in the input.
    found = why(
        match(ticks)
        .partition_by("symbol")
        .order_by("id")
        .measures(a="A.id")
        .pattern("A DOWN+ UP")
        .define(DOWN="price < PREV(price)", UP=F.col("price") > 100)
    )
    assert found.lines[1] == "0 matches in 3 rows of 1 partition."
    assert found.conditions[1] == CONDITIONS[1]
    assert found.hints[0] == "UP is true of no row that was tested."


#: Rows 1 and 2 fall, row 3 does not rise: as in FALLS, with one partition.
CLAUSE = """MATCH_RECOGNIZE (
      PARTITION BY symbol ORDER BY id MEASURES A.id AS a PATTERN (A DOWN+ UP)
      DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))"""


def explained_frames(session: SparkSession) -> None:
    """DataFrames that were made with the clause, and used further."""
    ticks = session.createDataFrame(ROWS, "id INT, symbol STRING, price INT")
    ticks.createOrReplaceTempView("explained_ticks")
    built = (
        match(ticks)
        .partition_by("symbol")
        .order_by("id")
        .measures(a="A.id")
        .pattern("A DOWN+ UP")
        .define(DOWN="price < PREV(price)", UP="price > PREV(price)")
        .to_df()
    )
    of_frame = sql(session, f"SELECT * FROM {{ticks}} {CLAUSE}", ticks=ticks)
    of_text = session.sql(f"SELECT * FROM explained_ticks {CLAUSE}")
    cached = of_text.where("a > 5").cache()
    for frame in (built, of_frame, of_text, cached, cached.select("a").distinct()):
        found = why(frame)
        assert found.lines[1] == "0 matches in 3 rows of 1 partition."
        assert found.conditions[:2] == CONDITIONS
        assert found.furthest[1:5] == FURTHEST
    cached.unpersist()
    with pytest.raises(MatchRecognizeError, match=r"has no MATCH_RECOGNIZE clause.*Pass why\("):
        why(ticks)


def test_frames(new_session: Callable[[], SparkSession]) -> None:
    explained_frames(new_session())


def test_frames_over_connect(connect: SparkSession) -> None:
    explained_frames(connect)


#: One match, of rows 1 and 2. Causes, which take long, are sought where nothing matches.
FALL = CLAUSE.replace("DOWN+ UP)", "DOWN)").partition(", UP AS")[0] + ")"

#: What a statement explains, over the view explained_further.
EXPLAINED = [
    f"SELECT * FROM explained_further {FALL}",
    f"WITH named AS (SELECT * FROM explained_further) SELECT * FROM named {FALL}",
    f"SELECT a.a FROM explained_further {FALL} AS a JOIN explained_further ON a.a = id",
]


@pytest.fixture(params=["classic", "connect"])
def session(request: pytest.FixtureRequest) -> SparkSession:
    """A client of Connect analyzes a text together with what is built on it."""
    if request.param == "connect":
        return request.getfixturevalue("connect")
    return request.getfixturevalue("new_session")()


@pytest.mark.parametrize("words", ["", "TRACE", "AS JSON"])
def test_explanations_used_further(session: SparkSession, words: str) -> None:
    ticks = session.createDataFrame(ROWS, "id INT, symbol STRING, price INT")
    ticks.createOrReplaceTempView("explained_further")
    for text in EXPLAINED if not words else EXPLAINED[:1]:
        explained = session.sql(f"EXPLAIN MATCH_RECOGNIZE {words} {text}")
        lines = [row.explanation for row in explained.collect()]
        if not words:
            assert "1 match in 3 rows of 1 partition." in lines
        assert explained.columns == ["explanation"]
        assert explained.count() == len(lines) > 0
        assert explained.limit(2).toPandas()["explanation"].tolist() == lines[:2]
        assert explained.agg({"explanation": "max"}).collect()[0][0] == max(lines)
        explained.createOrReplaceTempView("explanations")
        counted = "SELECT COUNT(*), COUNT(explanation) FROM explanations"
        assert tuple(session.sql(counted).collect()[0]) == (len(lines), len(lines))
        for built, wanted in (
            (explained.select("explanation"), lines),
            (explained.select(explained.explanation), lines),
            (explained.selectExpr("explanation AS line"), lines),
            (explained.withColumnRenamed("explanation", "line"), lines),
            (
                explained.where("explanation LIKE '%match%'"),
                [line for line in lines if "match" in line],
            ),
            (explained.union(explained), [*lines, *lines]),
            (explained.orderBy("explanation"), sorted(lines)),
            (explained.distinct(), sorted(set(lines))),
            (explained.crossJoin(session.range(2)).select("explanation"), [*lines, *lines]),
        ):
            assert sorted(row[0] for row in built.collect()) == sorted(wanted)
    with pytest.raises(AnalysisException, match="EXPLAIN_WITHOUT_CLAUSE"):
        session.sql(f"EXPLAIN MATCH_RECOGNIZE {words} SELECT 1").count()


def test_no_clause(new_session: Callable[[], SparkSession]) -> None:
    with pytest.raises(AnalysisException, match="EXPLAIN_WITHOUT_CLAUSE"):
        why("SELECT 1", new_session())


def test_what_is_no_query() -> None:
    with pytest.raises(MatchRecognizeError, match="needs the session"):
        why("SELECT 1")
    with pytest.raises(MatchRecognizeError, match="not int"):
        why(1)


def test_values_and_html(new_session: Callable[[], SparkSession]) -> None:
    found = falls(new_session())
    table = found.to_pandas()
    assert list(table.columns) == [
        "variable",
        *["condition", "tested", "true", "false", "null", "mapped"],
    ]
    assert table.tested.tolist() == [3, 2, 1]
    html = found._repr_html_()
    assert html.startswith("<p><b>MATCH_RECOGNIZE PARTITION BY symbol ORDER BY id PATTERN")
    assert "<p>0 matches in 3 rows of 1 partition.</p>" in html
    assert '<td style="text-align:left">price &lt; PREV(price)</td>' in html
    assert f"<li>{escape(found.causes[0])}</li>" in html


def test_ipython_prints_the_text(new_session: Callable[[], SparkSession]) -> None:
    pretty = pytest.importorskip("IPython.lib.pretty", reason="IPython is not installed")
    found = falls(new_session())
    assert pretty.pretty(found) == str(found)


#: Code of the page, with the text that it prints.
BLOCK = re.compile(
    r"^```(sql|python)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)


def test_the_page(
    new_session: Callable[[], SparkSession], capsys: pytest.CaptureFixture[str]
) -> None:
    session = new_session()
    blocks = BLOCK.findall((ROOT / "docs" / "why.md").read_text())
    assert [language for language, _, _ in blocks] == ["sql", "sql", "python", "sql"]
    for language, code, printed in blocks:
        if language == "python":
            exec(code, {"spark": session})
            # Long lines are wrapped on the page.
            assert capsys.readouterr().out.split() == printed.split()
        else:
            rows = session.sql(code).collect()
            assert [row[0] for row in rows] == printed.splitlines()
