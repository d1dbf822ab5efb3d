"""DataFusion Comet with the extension: native up to the clause, the same rows, in both orders."""

from __future__ import annotations

import re
from pathlib import Path

import surface
from test_lakehouse import LOWS, ORDERS, ROWS, answers, errors, jars

SPARK = "3.5.9"
COMET = "org.apache.datafusion:comet-spark-spark3.5_2.12:0.12.0"
EXTENSION = "org.apache.comet.CometSparkSessionExtensions"

#: A zigzag of 20,000 rows of 40 symbols: what it rises by depends on the row.
WALK = """\
SELECT id % 40 AS symbol, id DIV 40 AS day, (id * 7919 + id DIV 40 * 31) % 101 AS price
FROM RANGE(20000)"""

#: Many matches, with measures that each row of a match changes.
FALLS = """\
SELECT symbol, first_day, n, low, total FROM walk MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES FIRST(day) AS first_day, COUNT(*) AS n, LAST(DOWN.price) AS low, SUM(price) AS total
  PATTERN (A DOWN+ UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
ORDER BY symbol, first_day"""


def settings() -> dict[str, str]:
    """Those of the page; the jar and the extensions are given by the test."""
    # A properties file joins a line that ends with a backslash and the next one.
    text = surface.block("comet").replace("\\\n", " ")
    lines = [line.split(None, 1) for line in text.splitlines()]
    given = {name: value.strip() for name, value in lines}
    own = ("spark.jars", "spark.driver.extraClassPath", "spark.executor.extraClassPath")
    assert all("comet-spark-spark3.5_2.12-0.12.0.jar" in given.pop(name) for name in own)
    return given


def operators(explained: list[list[str]]) -> list[str]:
    """The operators of a physical plan, from the clause's down."""
    plan = explained[0][0]
    names = re.findall(r"^[\s:+-]*(?:\*\(\d+\) ?)?(\w+)", plan, re.MULTILINE)
    return names[names.index("MatchRecognize") :]


@ORDERS
def test_comet(tmp_path: Path, order: str) -> None:
    lows = LOWS.format(table="ticks")
    said = answers(
        tmp_path,
        SPARK,
        order,
        EXTENSION,
        jars(COMET),
        settings(),
        "CREATE TABLE ticks (symbol STRING, day INT, price INT) USING parquet",
        f"INSERT INTO ticks {ROWS}",
        f"CREATE TABLE walk USING parquet AS {WALK}",
        f"{lows} ORDER BY symbol",
        FALLS,
        # EXPLAIN shows no plan as it ran where Spark may change it while it runs.
        "SET spark.sql.adaptive.enabled = false",
        f"EXPLAIN {lows}",
        FALLS,
        "SET spark.comet.enabled = false",
        f"EXPLAIN {lows}",
        FALLS,
    )
    assert errors(said) == []
    assert said[3] == [["a", "3"], ["b", "2"]]
    # Native up to the clause.
    shown = re.findall(r"\w+", surface.block("comet-plan"))
    assert shown == [
        "MatchRecognize",
        "CometColumnarToRow",
        "CometExchange",
        "CometScan",
    ]
    assert operators(said[6])[: len(shown)] == shown, said[6]
    # Without Comet: the same rows, adaptive or not.
    assert not any("Comet" in name for name in operators(said[9])), said[9]
    assert len(said[10]) > 3000
    assert said[4] == said[10]
    assert said[7] == said[10]
