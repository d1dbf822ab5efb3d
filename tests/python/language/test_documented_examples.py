"""The worked examples of other engines' documentation: tests/data/documented-examples.yaml."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from documented import CASES, DIALECT, answer, bag, matches, query
from paths import CODEGEN, INTERPRETED, Path
from pyspark.sql import SparkSession
from refusals import EXCEPTIONS, refusal

INVALID_SKIP = "spark.sql.matchRecognize.invalidSkip"


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


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    return new_session()


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
