"""Syntax and functions in docs/migration/flink.md: Spark accepts or refuses them as it says."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from conftest import ROOT, SPARK
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from refusals import refusal

PAGE = ROOT / "docs" / "migration" / "flink.md"
TABLE = PAGE.read_text().partition("## Syntax and functions")[2]
TAKEN = "yes"
FROM_4_1 = "yes from Spark 4.1; 3.5 and 4.0 read `its`"
REFUSED = "no"

#: What Flink spells, what Spark says (one of these, or a condition of ours), what to write.
ROWS = [
    (flink, says, here)
    for flink, says, here in re.findall(r"^\| (.+?) \| (.+?) \| (.*?) ?\|$", TABLE, re.MULTILINE)
    if not flink.startswith(("Flink", "-"))
]


@dataclass(frozen=True)
class Spelling:
    """Statements with Flink's spellings, and with those that the page gives instead."""

    flink: list[str]
    here: list[str] = field(default_factory=list)


def clause(
    measure: str = "A.id AS aid",
    order: str = "ts",
    within: str = "",
    define: str = "A AS type = 'a'",
    select: str = "*",
) -> str:
    return f"""SELECT {select} FROM t MATCH_RECOGNIZE (
        ORDER BY {order} MEASURES {measure} PATTERN (A B) {within} DEFINE {define}) AS T"""


def measures(*expressions: str) -> list[str]:
    return [clause(f"{expression} AS m") for expression in expressions]


SPELLINGS = {
    "`MATCH_RECOGNIZE ( ... ) AS T`, `T.aid`": Spelling([clause(select="T.aid")]),
    "`INTERVAL '2' MINUTES`, `INTERVAL '1' HOUR`, `INTERVAL '1 02' DAY TO HOUR`": Spelling(
        [
            clause(within=f"WITHIN {bound}")
            for bound in (
                "INTERVAL '2' MINUTES",
                "INTERVAL '1' HOUR",
                "INTERVAL '1 02' DAY TO HOUR",
            )
        ]
    ),
    "`WITHIN INTERVAL '1' MONTH`": Spelling(
        [clause(within="WITHIN INTERVAL '1' MONTH")],
        [clause(within="WITHIN INTERVAL '30' DAY")],
    ),
    "`WITHIN INTERVAL '10' SECOND(3)`": Spelling(
        [clause(within="WITHIN INTERVAL '10' SECOND(3)")],
        [clause(within="WITHIN INTERVAL '10' SECOND")],
    ),
    "`TIMESTAMP_LTZ(3)`, `TIMESTAMP(3) WITH LOCAL TIME ZONE` as types": Spelling(
        measures("CAST(A.ts AS TIMESTAMP_LTZ(3))")
        + measures("CAST(A.ts AS TIMESTAMP(3) WITH LOCAL TIME ZONE)"),
        measures("CAST(A.ts AS TIMESTAMP)", "CAST(A.ts AS TIMESTAMP_LTZ)"),
    ),
    "`TIMESTAMP(3)` as a type": Spelling(
        measures("CAST(A.ts AS TIMESTAMP(3))"), measures("CAST(A.ts AS TIMESTAMP_NTZ)")
    ),
    "`VARCHAR` without a length": Spelling(
        measures("CAST(A.id AS VARCHAR)"), measures("CAST(A.id AS STRING)")
    ),
    "`WATERMARK FOR ts AS ts - INTERVAL '5' SECOND` in the table": Spelling(
        [
            "CREATE TABLE w (ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) "
            "USING parquet"
        ],
    ),
    "`MATCH_ROWTIME()`, `MATCH_PROCTIME()`": Spelling(
        measures("MATCH_ROWTIME()", "MATCH_PROCTIME()")
    ),
    "`TIMESTAMPDIFF(SECOND, A.ts, B.ts)`, `TIMESTAMPADD(HOUR, 1, A.ts)`": Spelling(
        measures("TIMESTAMPDIFF(SECOND, A.ts, B.ts)", "TIMESTAMPADD(HOUR, 1, A.ts)")
    ),
    "`EXTRACT(HOUR FROM A.ts)`, `CEIL(x)`, `x IS NOT DISTINCT FROM y`": Spelling(
        measures("EXTRACT(HOUR FROM A.ts)", "CEIL(A.price)", "A.id IS NOT DISTINCT FROM B.id")
    ),
    "`FLOOR(ts TO HOUR)`": Spelling(
        measures("FLOOR(A.ts TO HOUR)"), measures("DATE_TRUNC('HOUR', A.ts)")
    ),
    "`TO_TIMESTAMP_LTZ(millis, 3)`": Spelling(
        measures("TO_TIMESTAMP_LTZ(A.millis, 3)"), measures("TIMESTAMP_MILLIS(A.millis)")
    ),
    "`CURRENT_ROW_TIMESTAMP()`": Spelling(
        measures("CURRENT_ROW_TIMESTAMP()"), measures("MATCH_PROCTIME()")
    ),
    "`x SIMILAR TO 'a%'`": Spelling(
        [clause(define="A AS type SIMILAR TO 'a%'")], [clause(define="A AS type RLIKE '^a'")]
    ),
    "`'it''s'`, a quote within a string": Spelling(measures("'it''s'"), measures(r"'it\'s'")),
    "`JSON_VALUE(x, '$.a')`": Spelling(
        measures("JSON_VALUE(A.json, '$.a')"), measures("GET_JSON_OBJECT(A.json, '$.a')")
    ),
}


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    session = new_session()
    session.conf.set("spark.sql.matchRecognize.dialect", "flink")
    session.sql(
        """CREATE TEMP VIEW t AS
           SELECT *, 0L AS millis, '{"a": 1}' AS json FROM VALUES
             (1, TIMESTAMP'2024-01-01 10:00:00', 'a', 10),
             (2, TIMESTAMP'2024-01-01 10:00:05', 'b', 12) AS t(id, ts, type, price)"""
    )
    return session


def test_each_row_of_the_table_is_run() -> None:
    assert [row[0] for row in ROWS] == list(SPELLINGS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_spelling(row: tuple[str, str, str], session: SparkSession) -> None:
    flink, says, here = row
    spelling = SPELLINGS[flink]
    for statement in spelling.flink:
        if says in (TAKEN, FROM_4_1):
            assert len(session.sql(statement).collect()) == 1, statement
        else:
            with pytest.raises((PySparkException, Py4JJavaError)) as caught:
                session.sql(statement).collect()
            if says != REFUSED:
                assert refusal(caught.value).condition == says.strip("`"), statement
    for statement in spelling.here:
        assert len(session.sql(statement).collect()) == 1, statement
    # What is refused has a replacement; that of a table's watermark is no statement.
    assert (says == TAKEN) == (here == "")
    assert spelling.here or says == TAKEN or "withWatermark" in here


def test_a_quote_within_a_string(session: SparkSession) -> None:
    doubled, escaped = (
        session.sql(statement).collect()[0]["m"]
        for spelling in [SPELLINGS["`'it''s'`, a quote within a string"]]
        for statement in spelling.flink + spelling.here
    )
    assert doubled == ("it's" if SPARK >= (4, 1) else "its")
    assert escaped == "it's"


def test_a_watermark(session: SparkSession) -> None:
    stream = session.readStream.format("rate").load()
    assert stream.withWatermark("timestamp", "5 seconds").isStreaming
