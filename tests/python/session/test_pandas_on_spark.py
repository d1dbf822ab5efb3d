"""The pandas API on Spark: what the clients' table of docs/deployment.md says of ps.sql."""

from __future__ import annotations

import pandas as pd
import pytest
import scripts
from conftest import ROOT, SPARK, needs_connect

pytestmark = pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) >= 3,
    reason="the pandas API on Spark of pyspark 4.3 and earlier cannot be imported with pandas 3",
)

# Spark 4.0 refuses the pandas API in ANSI mode, unless a setting allows it.
PRELUDE = (
    f"""\
import pyspark.pandas as ps

if {SPARK == (4, 0)}:
    ps.set_option("compute.fail_on_ansi_mode", False)
"""
    + '''
ROWS = [("a", 1, 5), ("a", 2, 3), ("a", 3, 4), ("b", 1, 1), ("b", 2, 7), ("b", 3, 2)]
TEXT = """
    SELECT symbol, low FROM {ticks} MATCH_RECOGNIZE (
      PARTITION BY symbol ORDER BY day
      MEASURES DOWN.price AS low
      PATTERN (A DOWN{1,2})
      DEFINE DOWN AS price < PREV(price))
    ORDER BY symbol"""
# The price of a falls on day 2, that of b on day 3.
LOWS = [("a", 3), ("b", 2)]

ticks = ps.DataFrame(ROWS, columns=["symbol", "day", "price"])
ticks.to_spark().createOrReplaceTempView("seen")

def lows(frame):
    return [tuple(row) for row in frame.to_pandas().itertuples(index=False)]

def with_braces(text, number):
    return text.replace("{1,2}", "{" * number + "1,2" + "}" * number)

# By frame, whatever the session.
assert lows(match_recognize.sql(spark, TEXT, ticks=ticks.to_spark()).pandas_api()) == LOWS
try:
    match_recognize.sql(spark, TEXT, ticks=ticks)
except TypeError as error:
    assert "Write ticks=ticks.to_spark()" in str(error), error
else:
    raise AssertionError("not refused")

# By name.
named = TEXT.replace("{ticks}", "seen")
assert lows(ps.sql(with_braces(named, 2))) == LOWS
excluded = with_braces(named, 2).replace("(A ", "({{- A -}} ")
assert lows(ps.sql(excluded)) == LOWS
try:
    ps.sql(named)
except KeyError as error:
    assert "1,2" in str(error)
else:
    raise AssertionError("PySpark has learnt it: the table of clients can go without")
'''
)


def test_classic() -> None:
    scripts.run(
        "spark = configure(builder()).getOrCreate()\n"
        + PRELUDE
        + "assert lows(ps.sql(with_braces(TEXT, 2), ticks=ticks)) == LOWS\n"
    )


@pytest.mark.nightly
@needs_connect
def test_connect() -> None:
    scripts.run(
        'spark = configure(builder(None).remote("local[2]")).getOrCreate()\n'
        + PRELUDE
        # PySpark formats the text twice there.
        + "assert lows(ps.sql(with_braces(TEXT, 4), ticks=ticks)) == LOWS\n"
    )


@pytest.mark.nightly
def test_after_enable() -> None:
    # ps.sql takes the session that getOrCreate() gives, not one that is passed to it.
    scripts.run(
        "spark = builder().getOrCreate()\nenable(spark)\n"
        + PRELUDE
        + "assert lows(ps.sql(with_braces(TEXT, 2), ticks=ticks)) == LOWS\n"
    )


def test_the_page() -> None:
    page = (ROOT / "docs" / "deployment.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith("| `ps.sql(text, ")]
    for text in ("A{{1,2}}", "match_recognize.sql(spark, text, df=psdf.to_spark()).pandas_api()"):
        assert f"`{text}`" in row
