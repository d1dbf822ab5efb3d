"""build/newest, its page, and the lowest Python of pyproject.toml."""

from __future__ import annotations

import re

from conftest import ROOT
from match_recognize.session import jars

SCRIPT = (ROOT / "build" / "newest").read_text()
PAIRS = [tuple(pair.split()) for pair in re.findall(r'"(3\.\d+ \d\S+)"', SCRIPT)]


def minor(python: str) -> int:
    return int(python.partition(".")[2])


def test_each_spark_is_tested() -> None:
    lines = (jars.FOLDER / "sparks.txt").read_text().splitlines()
    tested = [line.split()[3] for line in lines if not line.startswith("#")]
    assert {spark for _, spark in PAIRS} == set(tested)


def test_each_python_is_tested_from_the_lowest() -> None:
    pythons = sorted({minor(python) for python, _ in PAIRS})
    assert pythons == list(range(pythons[0], pythons[-1] + 1))
    assert f'requires-python = ">=3.{pythons[0]}"' in (ROOT / "pyproject.toml").read_text()


def test_the_page_lists_them() -> None:
    page = (ROOT / "docs" / "compatibility.md").read_text()
    rows = re.findall(r"(?m)^\| (3\.\d+) \| (\d+\.\d+\.\d+) \|", page)
    assert rows == PAIRS
