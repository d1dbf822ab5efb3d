"""The statements of other engines on the pages of docs/migration, translated and run."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable

import pytest
from conftest import ROOT
from match_recognize import MatchRecognizeError, translate
from pyspark.sql import SparkSession

pytest.importorskip("sqlglot", reason="the extra translate is not installed")

PAGES = ROOT / "docs" / "migration"

#: A view, or a statement of another engine with that of Spark and its rows.
PIECE = re.compile(
    r"^```sql\n(CREATE .*?)^```\n"
    r'|^```sql title="(\w+)"\n((?:SELECT|WITH) .*?)^```\n\n```sql\n(.*?)^```\n\n'
    r"((?:    \S[^\n]*\n)+)",
    re.DOTALL | re.MULTILINE,
)


#: How many statements each page has in both languages.
PAIRS = {"bigquery": 2, "databricks": 1, "flink": 1, "oracle": 3, "snowflake": 2, "trino": 2}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name: str, new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    if name == "flink":
        session.conf.set("spark.sql.matchRecognize.dialect", "flink")
    pairs = 0
    for view, engine, source, here, table in PIECE.findall((PAGES / f"{name}.md").read_text()):
        if view:
            session.sql(view)
            continue
        pairs += 1
        translated = session.sql(translate(source, engine.lower()).sql)
        header, *rows = [re.split(r" {2,}", line.strip()) for line in table.splitlines()]
        assert translated.columns == header, source
        assert translated.schema == session.sql(here).schema, source
        assert [[str(value) for value in row] for row in translated.collect()] == rows, source
    assert pairs == PAIRS[name]


def test_rows_with_nulls_are_those_of_the_source(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    session.sql("CREATE TEMP VIEW t AS SELECT * FROM VALUES (NULL, 5), (1, 1), (2, 3) AS t(k, x)")
    source = """SELECT * FROM t MATCH_RECOGNIZE (ORDER BY {key}
        MEASURES ARRAY_AGG(x) AS xs PATTERN (A+) DEFINE A AS x > 0)"""
    # Oracle and Snowflake take NULL for the largest key; Trino puts it last in both orders.
    expected = {
        ("snowflake", "k"): [[1, 3, 5]],
        ("snowflake", "k DESC"): [[5, 3, 1]],
        ("trino", "k DESC"): [[3, 1, 5]],
        # The next match starts on the next row.
        ("flink", "k"): [[5, 1, 3], [1, 3], [3]],
    }
    frames = [session.sql(translate(source.format(key=key), read).sql) for read, key in expected]
    union = frames[0]
    for frame in frames[1:]:
        union = union.unionAll(frame)
    assert [row["xs"] for row in union.collect()] == [
        xs for each in expected.values() for xs in each
    ]


#: Python with the text that it prints, or its error.
PYTHON = re.compile(
    r"^```python\n(.*?)^```\n\n```(?:text|sql)\n(.*?)^```\n", re.DOTALL | re.MULTILINE
)


def test_the_page_of_the_translation() -> None:
    page = (PAGES / "translate.md").read_text()
    source = re.search(r'^```sql title="Snowflake"\n(.*?)^```', page, re.DOTALL | re.MULTILINE)
    assert source is not None
    names: dict[str, object] = {"statement": source[1]}
    blocks = PYTHON.findall(page)
    assert len(blocks) == 3
    for code, expected in blocks:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, names)
        except MatchRecognizeError as error:
            printed.write(f"MatchRecognizeError: {error}")
        assert printed.getvalue().split() == expected.split()
