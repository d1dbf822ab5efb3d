"""The program of the README prints what is below it, and its numbers are those of the report."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT
from pyspark.sql import SparkSession

README = (ROOT / "README.md").read_text()
REPORT = (ROOT / "benchmarks" / "REPORT.md").read_text()
QUERIES = ROOT / "benchmarks" / "queries"

#: In the order of the README's table, the questions of the report and their queries.
WAYS = [
    ("Q1", "q01_v_shape/ours"),
    ("Q1", "q01_v_shape/gaps_and_islands"),
    ("Q1", "q01_v_shape/aggregate_array"),
    ("Q6", "q06_sessions/ours"),
    ("Q6", "q06_sessions/lag_and_sum"),
    ("Q6", "q06_sessions/session_window"),
]


def test_the_program(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
    assert found is not None
    code, printed = found.groups()
    # The session of the tests is the one that getOrCreate() returns.
    exec(code, {})
    assert capsys.readouterr().out.strip() == printed.strip()


def unsorted(question: str) -> str:
    """The table of a question in the report."""
    _, _, rest = REPORT.partition(f"**{question}, unsorted, 10,000,000 rows**")
    return rest.partition("\n**")[0]


def test_the_numbers() -> None:
    rows = re.findall(r"\| (\d+) \| ([\d.]+) \| ([\d,]+ MiB) \|$", README, re.MULTILINE)
    assert len(rows) == len(WAYS)
    for (lines, seconds, memory), (question, path) in zip(rows, WAYS):
        query = (QUERIES / f"{path}.sql").read_text().splitlines()
        assert len([line for line in query if not line.startswith("--")]) == int(lines), path
        (row,) = re.findall(
            rf"^\| {path.partition('/')[2]} \|.*$", unsorted(question), re.MULTILINE
        )
        assert f"| {seconds} (" in row and f"| {memory} |" in row, path
    assert "| Q1, sorted | at most 1.25 times the scan alone | 1.19 (" in REPORT
    assert "take 1.19 times as long" in README
