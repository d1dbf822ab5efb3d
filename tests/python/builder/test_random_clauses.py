"""Property test: a random clause has the same plan, or error, as text and by the builder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import match_recognize
import pytest
from match_recognize import MatchRecognizeError
from match_recognize.builder import Match
from plans import plan
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from random_clauses import INPUT, Draw
from refusals import refusal
from seeds import drawn

#: How many clauses are planned.
CLAUSES = 150


def outcome(run: Callable[[], DataFrame]) -> tuple[str, str]:
    """The kind of an outcome, and the plan or the condition of the error."""
    try:
        frame = run()
    except MatchRecognizeError as error:
        return "refused", str(error)
    except PySparkException as error:
        return "error", str(refusal(error).condition)
    return "plan", f"{frame.schema}\n{plan(frame)}"


@pytest.mark.seeds
def test_plans_are_the_same(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    frame = session.sql(INPUT)
    kinds: Counter[str] = Counter()
    for seed in drawn("test_random_clauses", CLAUSES):
        clause = Draw(seed).clause()
        text = f"SELECT * FROM {{frame}} MATCH_RECOGNIZE (\n{clause.body}\n)"
        said = outcome(lambda text=text: match_recognize.sql(session, text, frame=frame))
        built = outcome(lambda clause=clause: clause.build(frame).to_df())
        kinds[built[0]] += 1
        where = f"seed {seed}:\n{text}\n{said}\n{built}"
        if built[0] == "refused":
            # The builder finds some mistakes before Spark does.
            assert said[0] == "error", where
        else:
            assert said == built, where
    # Most clauses are valid, so most plans are compared.
    assert kinds["plan"] > CLAUSES // 2, kinds


def test_each_method_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    called: set[str] = set()
    methods = {name for name in vars(Match) if re.fullmatch("[a-z].*", name)} - {
        "dialect",
        "pipe",
    }
    for name in methods:
        method = getattr(Match, name)

        def noted(
            self: Any, *args: Any, _name: str = name, _call: Any = method, **kw: Any
        ) -> Any:
            called.add(_name)
            return _call(self, *args, **kw)

        monkeypatch.setattr(Match, name, noted)
    from frames_without_spark import Frame

    for seed in range(CLAUSES):
        Draw(seed).clause().build(Frame("id", "k", "o", "ts", "x", "y", "s", "a b"))
    assert methods == called


def test_the_comparison_sees_a_difference(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    frame = session.sql(INPUT)
    text = "SELECT * FROM {{frame}} MATCH_RECOGNIZE (ORDER BY o {} PATTERN (A+) DEFINE A AS {})"
    one, other, third = (
        outcome(
            lambda words=words: match_recognize.sql(session, text.format(*words), frame=frame)
        )
        for words in [
            ("MEASURES x AS m", "x - (1 - y) > 0"),
            ("MEASURES x AS m", "x - 1 - y > 0"),
            ("MEASURES y AS m", "x - (1 - y) > 0"),
        ]
    )
    assert one[0] == "plan"
    assert len({one, other, third}) == 3
