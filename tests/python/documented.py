"""Reads tests/data/documented-examples.yaml, and brings answers into the form of its cases."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import yaml
from conftest import ROOT
from pyspark.sql import DataFrame

CASES = yaml.safe_load((ROOT / "tests" / "data" / "documented-examples.yaml").read_text())

DIALECT = "spark.sql.matchRecognize.dialect"


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
