"""The examples of the docstrings, run by doctest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import match_recognize
import pytest
from match_recognize import functions, match, patterns
from pyspark.sql import SparkSession

#: Public functions whose examples must not go.
WITH_EXAMPLES = {"diagram", "match", "plot_matches", "translate", "why"} | {
    name for module in (functions, patterns) for name in module.__all__ if name not in ("fn",)
}

#: What a tool or a run as a program imports.
NOT_IMPORTED = ("match_recognize.demo", "match_recognize.editors", "match_recognize.__main__")


def examples() -> list[doctest.DocTest]:
    """The examples of all modules."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = []
    for module in pkgutil.walk_packages(match_recognize.__path__, "match_recognize."):
        if module.name.startswith(NOT_IMPORTED):
            continue
        try:
            imported = importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            # An extra that is not installed.
            assert not str(error.name).startswith("match_recognize"), error
            continue
        found += [test for test in finder.find(imported) if test.examples]
    return found


EXAMPLES = examples()


#: What the examples of methods can use, beside what their own module has.
NAMES = {name: getattr(functions, name) for name in functions.__all__} | {"match": match}


def needs_spark(test: doctest.DocTest) -> bool:
    code = [each.source.split("import")[0] for each in test.examples]
    return any("spark" in line or "prices" in line for line in code)


def run(test: doctest.DocTest, names: dict[str, Any]) -> None:
    # Examples of functions do not import what their own module has.
    test.globs = {**NAMES, **test.globs, **names}
    lines: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=lines.append)
    assert not failed, "".join(lines)


def test_the_first_functions_have_examples() -> None:
    named = {test.name.rpartition(".")[2] for test in EXAMPLES}
    assert named >= WITH_EXAMPLES


@pytest.mark.parametrize(
    "test", [e for e in EXAMPLES if not needs_spark(e)], ids=lambda e: e.name
)
def test_examples(test: doctest.DocTest) -> None:
    for extra, users in {"sqlglot": "translat", "matplotlib": "plot_matches"}.items():
        if users in test.name:
            pytest.importorskip(extra)
    run(test, {})


def test_examples_in_spark(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    prices = session.sql(
        "SELECT * FROM VALUES ('ACME', 1, 20), ('ACME', 2, 17), ('ACME', 3, 21) AS "
        "t(symbol, day, price)"
    )
    for test in EXAMPLES:
        if needs_spark(test):
            run(test, {"spark": session, "prices": prices})
