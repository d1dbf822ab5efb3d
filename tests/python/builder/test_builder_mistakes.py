"""Mistakes in a built clause are reported at their Python line, before Spark and by Spark."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import pytest
from frames_without_spark import Frame
from match_recognize import MatchRecognizeError, match, variables
from match_recognize import functions as mf
from match_recognize.builder import checks
from match_recognize.builder.spark_errors import explain
from match_recognize.builder.statement import statement

top, down, up = variables("top down up")


def line_here() -> int:
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


# Each mistake is made in a function; the message must name the line marked HERE.
def two_conditions() -> None:
    match(Frame()).pattern("A").define(
        A=(down.price > 1) and (down.price < 2)  # HERE
    )


def chained() -> None:
    match(Frame()).pattern("A").define(A=1 < down.price < 3)  # HERE


def no_parentheses() -> None:
    down.price > 1 & down.price  # type: ignore[operator]  # noqa: B015  # HERE


def unknown_in_define() -> None:
    built = match(Frame()).pattern("DOWN UP+")
    built = built.define(
        UP="price < 1",
        DWN="price > 1",  # HERE
    )
    built.sql()


def unknown_in_measures() -> None:
    measure = mf.last(up.day)  # HERE
    match(Frame()).pattern("TOP DOWN").measures(x=measure).sql()


def defined_twice() -> None:
    built = match(Frame()).pattern("A").define(A="x > 1")
    built.define(A="x > 2")  # HERE


def variables_twice() -> None:
    variables("a b A")  # HERE


def no_pattern() -> None:
    match(Frame()).sql()  # HERE


def a_method_without_parentheses() -> None:
    top + down.one_or_more  # HERE


def a_pattern_as_a_condition() -> None:
    match(Frame()).pattern("A").define(A=down)  # type: ignore[arg-type]  # HERE


def a_comparison_with_none() -> None:
    down.price == None  # noqa: E711, B015  # HERE


def a_text_as_a_column() -> None:
    mf.prev("price")  # HERE


def zero_times() -> None:
    down.times(0)  # HERE


def an_unknown_skip() -> None:
    match(Frame()).pattern("A B").after_match_skip_to_last("C").sql()  # HERE


def an_unknown_subset_member() -> None:
    match(Frame()).pattern("A B").subset(U="A C").sql()  # HERE


def a_set_as_a_value() -> None:
    down.price > {1}  # noqa: B015  # HERE


def final_of_a_column() -> None:
    mf.final(down.price)  # HERE


def not_a_frame() -> None:
    match([1, 2])  # HERE


def a_variable_as_a_value() -> None:
    match(Frame()).pattern("down").define(down=down == 3)  # HERE


def an_or_of_patterns() -> None:
    match(Frame()).pattern(top or down)  # HERE


def a_variable_in_a_comparison() -> None:
    match(Frame()).pattern("down").define(down=down < 3)  # HERE


def pythons_sum() -> None:
    match(Frame()).measures(total=sum(down.price))  # HERE


def a_text_to_count() -> None:
    mf.count("down")  # HERE


def no_output() -> None:
    match(Frame()).order_by("day").pattern("A").to_df()  # HERE


MISTAKES = [
    (two_conditions, "Use & for and"),
    (chained, "write a < x < b as"),
    (no_parentheses, "& joins two conditions, and 1 is none"),
    (unknown_in_define, "for DWN, which is no variable of the pattern. Did you mean DOWN?"),
    (unknown_in_measures, "variable up, which is not in the pattern. There are: TOP, DOWN."),
    (defined_twice, "the variable A twice, first in"),
    (variables_twice, "The variable A is named twice"),
    (no_pattern, "The pattern is missing"),
    (a_method_without_parentheses, "Write one_or_more()"),
    (a_pattern_as_a_condition, "define() needs an expression for A"),
    (a_comparison_with_none, "Use .is_null()"),
    (a_text_as_a_column, 'Write col("price")'),
    (zero_times, "cannot occur 0 to 0 times"),
    (an_unknown_skip, "cannot go on at C"),
    (an_unknown_subset_member, "lists C, which is no variable"),
    (a_set_as_a_value, "type set is no expression"),
    (final_of_a_column, "FINAL is for first(...)"),
    (not_a_frame, "needs a DataFrame, not builtins.list"),
    (a_variable_as_a_value, "down has no value to compare"),
    (an_or_of_patterns, "a | b for a or b"),
    (a_variable_in_a_comparison, "down has no value to compare"),
    (pythons_sum, "use sum_, min_ and max_"),
    (a_text_to_count, 'Write col("down")'),
    (no_output, "Call .measures(name=...)"),
]


@pytest.mark.parametrize(("mistake", "says"), MISTAKES, ids=[m.__name__ for m, _ in MISTAKES])
def test_mistakes_name_their_line(mistake: Any, says: str) -> None:
    lines, first = inspect.getsourcelines(mistake)
    (here,) = (first + i for i, line in enumerate(lines) if "# HERE" in line)
    if mistake is unknown_in_define and sys.version_info < (3, 11):
        here -= 2
    with pytest.raises(MatchRecognizeError) as raised:
        mistake()
    assert says in str(raised.value)
    assert str(raised.value).endswith(f'File "{__file__}", line {here}')


def test_a_column_that_the_input_lacks() -> None:
    here = line_here() + 1
    condition = down.colour == "red"
    built = match(Frame("day", "color")).pattern("down").define(down=condition)
    with pytest.raises(MatchRecognizeError, match=r"no column colour. Did you mean color\?") as e:
        checks.check_columns(built._clause, built._frame)
    assert f"line {here}" in str(e.value)


@pytest.mark.parametrize(
    ("value", "name", "says"),
    [
        (match(Frame()), "partitionBy", "Did you mean partition_by?"),
        (match(Frame()), "show", "Write .to_df().show"),
        (down.price, "is_nul", "Did you mean is_null?"),
        (down.price, "lower", "write fn.lower(...)"),
    ],
)
def test_methods_that_are_not_there(value: Any, name: str, says: str) -> None:
    with pytest.raises(AttributeError, match=f"has no {name}") as raised:
        getattr(value, name)
    assert says in str(raised.value)
    # Tools look for such names, and must not find them.
    assert not hasattr(value, "_repr_png_")


def test_an_error_of_spark_gets_the_python_line() -> None:
    here = line_here() + 1
    built = match(Frame()).pattern("A B").measures(x="MINN(B.price)", y="A.day")
    made = statement(built._clause, "t")
    assert made.lines[3] == "    MINN(B.price) AS x,"
    written = f'\n\nThe measure x was written here:\n  File "{__file__}", line {here}'
    error = ValueError("no such function\n== SQL (line 4, position 5) ==")
    explain(error, made)
    assert str(error).endswith(f"position 5) =={written}")
    # Without the text, the message names a place that the user cannot see.
    error = ValueError("no such function; line 4 pos 4")
    explain(error, made)
    assert str(error).endswith(
        f"\n== SQL (line 4) ==\n    MINN(B.price) AS x,\n    ^^^^{written}"
    )
