"""The worked examples of other engines' documentation: tests/data/documented-examples.yaml."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
import yaml
from conftest import ROOT, copy_settings
from paths import CODEGEN, INTERPRETED, Path
from pyspark.sql import DataFrame, SparkSession
from refusals import EXCEPTIONS, refusal

CASES = yaml.safe_load((ROOT / "tests" / "data" / "documented-examples.yaml").read_text())

DIALECT = "spark.sql.matchRecognize.dialect"
INVALID_SKIP = "spark.sql.matchRecognize.invalidSkip"


def query(case: dict[str, Any]) -> str:
    """The query of a case; the contiguity cases give its parts only."""
    if "sql" in case:
        return str(case["sql"])
    conditions = ", ".join(f"{name} AS {text}" for name, text in case["define"].items())
    after = case["after"] if case["after"] == "NO SKIP" else f"SKIP {case['after']}"
    measures = case.get("measures")
    return f"""
        SELECT * FROM t MATCH_RECOGNIZE (
          ORDER BY o
          MEASURES {measures or "MATCH_NUMBER() AS match_number"}
          {"ONE ROW" if measures else "ALL ROWS"} PER MATCH
          AFTER MATCH {after}
          PATTERN ({case["pattern"]})
          DEFINE {conditions})"""


def create_table(spark: SparkSession, case: dict[str, Any]) -> None:
    if "sequence" in case:
        schema = "o int, name string, type string"
        rows = [(i, name, name[0]) for i, name in enumerate(case["sequence"], 1)]
    else:
        schema, rows = case["table"]["schema"], case["table"]["rows"]
    columns = [column.split() for column in schema.split(",")]
    # Times are written as strings.
    read_as = {"timestamp": "string", "date": "string"}
    frame = spark.createDataFrame(
        [tuple(row) for row in rows],
        ", ".join(f"{name} {read_as.get(kind, kind)}" for name, kind in columns),
    )
    casts = [f"CAST({name} AS {kind}) AS {name}" for name, kind in columns]
    frame.selectExpr(*casts).createOrReplaceTempView("t")


def answer(frame: DataFrame) -> list[tuple[object, ...]]:
    """The rows, times as the cases write them."""
    times = {
        field.name for field in frame.schema if field.dataType.typeName() in ("timestamp", "date")
    }
    texts = [
        f"CAST({name} AS STRING) AS {name}" if name in times else name for name in frame.columns
    ]
    return [tuple(row) for row in frame.selectExpr(*texts).collect()]


def bag(rows: list[Any]) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in rows), key=repr)


def matches(frame: DataFrame) -> list[list[str]]:
    """The names of each match's rows, for the contiguity cases."""
    names: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for row in frame.collect():
        names[row["match_number"]].append((row["o"], row["name"]))
    return [[name for _, name in sorted(rows)] for _, rows in sorted(names.items())]


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    return copy_settings(spark.newSession())


@pytest.mark.parametrize("path", [CODEGEN, INTERPRETED], ids=lambda path: path.name)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_documented_example(case: dict[str, Any], path: Path, session: SparkSession) -> None:
    for key, value in path.conf.items():
        session.conf.set(key, value)
    create_table(session, case)
    session.conf.set(DIALECT, case.get("dialect", "standard"))
    if "expect_error" in case:
        expect_error(session, case, f"MATCH_RECOGNIZE.{case['expect_error']}")
        if "relaxed" in case:
            session.conf.set(INVALID_SKIP, "nextRow")
            assert bag(answer(session.sql(query(case)))) == bag(case["relaxed"]["rows"])
    else:
        expect_rows(session, case)


def expect_rows(session: SparkSession, case: dict[str, Any]) -> None:
    frame = session.sql(query(case))
    if "expect_matches" in case:
        assert sorted(matches(frame)) == sorted(case["expect_matches"])
    else:
        assert bag(answer(frame)) == bag(case["expect"])


# What VVR's documentation prints comes out in its dialect, too.
VVR = [case for case in CASES if case["name"].startswith("vvr-")]


@pytest.mark.parametrize("case", VVR, ids=lambda case: case["name"])
def test_vvr_in_the_flink_dialect(case: dict[str, Any], session: SparkSession) -> None:
    create_table(session, case)
    session.conf.set(DIALECT, "flink")
    expect_rows(session, case)


def expect_error(session: SparkSession, case: dict[str, Any], condition: str) -> None:
    with pytest.raises(EXCEPTIONS) as caught:
        session.sql(query(case)).collect()
    assert refusal(caught.value).condition == condition


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # As the cases' notes say. In the standard dialect a gap is nothing but an exclusion.
        ("vvr-followed-by-any", [["a1", "b3"], ["a2", "b3"], ["a3", "b3"]]),
        ("vvr-gap-binds-to-first-of-group", [["a1", "b2", "c1"]]),
        ("vvr-until-followed-by", [["a1", "c1"], ["a2", "c1"], ["a3", "c1"]]),
        # X* is greedy, so it prefers to pass over b1 and b2.
        ("vvr-no-skip-compared", [["a1", "b3", "c1"]]),
    ],
)
def test_flink_cases_in_the_standard_dialect(
    name: str, expected: list[list[str]], session: SparkSession
) -> None:
    case = next(case for case in CASES if case["name"] == name)
    create_table(session, case)
    assert matches(session.sql(query(case))) == expected
