"""docs/editors.md: what other tools make of the clause."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from conftest import ROOT
from pyspark.sql import SparkSession

sqlglot = pytest.importorskip("sqlglot", reason="the extra translate is not installed")


def test_what_tools_make_of_the_clause(new_session: Callable[[], SparkSession]) -> None:
    page = (ROOT / "docs" / "editors.md").read_text()
    as_it_was, fixed, with_noqa, formatted = re.findall(
        r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    )
    session = new_session()
    session.sql(
        """CREATE TEMP VIEW ticks AS SELECT * FROM VALUES
           ('a', 1, 5), ('a', 2, 4), ('a', 3, 6), ('a', 4, 7), ('a', 5, 8)
           AS t(symbol, day, price)"""
    )
    # Day 2 is down, days 3 and 4 are up: the loop is reluctant, so day 5 is in no match.
    union = session.sql(as_it_was).unionAll(session.sql(with_noqa)).unionAll(session.sql(fixed))
    assert union.unionAll(session.sql(formatted)).collect() == [("a", 3)] * 4
    with pytest.raises(sqlglot.ParseError):
        sqlglot.parse_one(as_it_was, read="spark")
    assert "LAST(up.day) AS" in sqlglot.transpile(as_it_was, read="databricks")[0]
    for addition in ("WITHIN INTERVAL 1 DAY", "SUBSET s = (up)"):
        with pytest.raises(sqlglot.ParseError):
            sqlglot.parse_one(
                as_it_was.replace("  DEFINE", addition + " DEFINE"), read="databricks"
            )
