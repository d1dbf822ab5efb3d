"""Expressions of the builder as SQL, and values of Python as literals."""

from __future__ import annotations

import datetime
import math
import random
from decimal import Decimal
from typing import Any

import pytest
from match_recognize import functions as mf
from match_recognize import variables
from match_recognize.builder.expression import show
from match_recognize.builder.literals import literal
from seeds import drawn

(a,) = variables("a")
x, y = mf.col("x"), a.y
EXPRESSIONS = [
    ((x + 1) * y, "(x + 1) * a.y"),
    (x + 1 * y, "x + 1 * a.y"),
    (x - (y - 1), "x - (a.y - 1)"),
    (x - y - 1, "x - a.y - 1"),
    (1 - x, "1 - x"),
    (2 / (x % 3), "2 / (x % 3)"),
    (-(-x), "-(-x)"),  # noqa: B002
    (x - -1, "x - -1"),
    (-mf.lit(-1), "-(-1)"),
    ((x > 1) & ((y < 2) | (x == y)), "x > 1 AND (a.y < 2 OR x = a.y)"),
    ((x > 1) & (y < 2) | (x != y), "x > 1 AND a.y < 2 OR x <> a.y"),
    (~(x > 1) & ~mf.expr("y OR z"), "NOT x > 1 AND NOT (y OR z)"),
    ((x > 1) == (y > 1), "(x > 1) = (a.y > 1)"),
    (x > 3, "x > 3"),
    (x.is_null() | y.is_not_null(), "x IS NULL OR a.y IS NOT NULL"),
    ((x > 1).is_null(), "(x > 1) IS NULL"),
    (x.between(1, y + 1) & True, "x BETWEEN 1 AND a.y + 1 AND TRUE"),
    (x.isin("a", "b"), "x IN ('a', 'b')"),
    (x.isin([1]), "x IN (1)"),
    (x.isin([]), "FALSE"),
    (x.like("a%") | x.rlike("^b"), "x LIKE 'a%' OR x RLIKE '^b'"),
    (x.eq_null_safe(None), "x <=> NULL"),
    ((x + 1).cast("string"), "CAST(x + 1 AS string)"),
    (y["k"][0].field("f g"), "a.y['k'][0].`f g`"),
    (mf.prev(mf.last(a.y, 2), 3), "PREV(LAST(a.y, 2), 3)"),
    (mf.next_(y) - mf.first(y), "NEXT(a.y) - FIRST(a.y)"),
    (mf.count(), "COUNT(*)"),
    (mf.count(a).filter(a.y > 1), "COUNT(a.*) FILTER (WHERE a.y > 1)"),
    (mf.count(y, distinct=True), "COUNT(DISTINCT a.y)"),
    (mf.running(mf.sum_(y)), "RUNNING SUM(a.y)"),
    (mf.final(mf.last(y)), "FINAL LAST(a.y)"),
    (mf.classifier(a), "CLASSIFIER(a)"),
    (mf.classifier() == "A", "CLASSIFIER() = 'A'"),
    (mf.fn.if_(x > 1, x, None), "if(x > 1, x, NULL)"),
    (mf.call("cat.f", 1), "cat.f(1)"),
    (a["my column"] + a["order"], "a.`my column` + a.`order`"),
]


@pytest.mark.parametrize(("built", "text"), EXPRESSIONS, ids=[t for _, t in EXPRESSIONS])
def test_expressions(built: Any, text: str) -> None:
    assert show(built) == text


LITERALS = [
    (None, "NULL"),
    (True, "TRUE"),
    (-5, "-5"),
    (1.5, "1.5D"),
    (1e300, "1e+300D"),
    (math.nan, "DOUBLE('NaN')"),
    (-math.inf, "DOUBLE('-Infinity')"),
    (Decimal("1.50"), "1.50BD"),
    (Decimal("1E+3"), "1000BD"),
    ("it's \\ ${x}\n", "'it\\'s \\\\ \\u0024{x}\\n'"),
    (b"\x00\xff", "X'00FF'"),
    (datetime.date(2024, 2, 29), "DATE '2024-02-29'"),
    (datetime.datetime(2024, 2, 29, 1, 2, 3, 4), "TIMESTAMP_LTZ '2024-02-29 01:02:03.000004'"),
    (datetime.timedelta(days=-1, hours=2), "INTERVAL '-0 22:00:00' DAY TO SECOND"),
]


@pytest.mark.parametrize(("value", "text"), LITERALS, ids=[text for _, text in LITERALS])
def test_literals(value: Any, text: str) -> None:
    assert literal(value) == text


def random_expression(random_: random.Random, depth: int) -> tuple[Any, str]:
    """An expression over x = 3, and the same in Python's own syntax with all parentheses."""
    if depth == 0:
        number = random_.randrange(-4, 5)
        return (mf.col("x"), "x") if random_.random() < 0.5 else (mf.lit(number), f"({number})")
    left, left_text = random_expression(random_, depth - 1)
    right, right_text = random_expression(random_, depth - 1)
    sign = random_.choice(["+", "-", "*", "neg"])
    if sign == "neg":
        return -left, f"(-{left_text})"
    built = {"+": left + right, "-": left - right, "*": left * right}[sign]
    return built, f"({left_text} {sign} {right_text})"


@pytest.mark.seeds
def test_random_expressions_have_the_same_value_built_and_as_text() -> None:
    # The rendered arithmetic is also Python's, with the same precedence.
    for seed in drawn("test_builder_expressions", 500):
        random_ = random.Random(seed)
        built, text = random_expression(random_, random_.randrange(5))
        rendered = show(built)
        assert eval(rendered, {"x": 3}) == eval(text, {"x": 3}), rendered
        assert "--" not in rendered
