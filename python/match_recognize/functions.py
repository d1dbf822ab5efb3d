"""Functions for the conditions, measures and patterns of ``match_recognize.match``.

Names that Python has for itself end with an underscore: ``next_``, ``min_``, ``sum_``. Every
other function of Spark SQL is an attribute of ``fn``: ``fn.abs(a.price)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from match_recognize.builder.expression import (
    PRIMARY,
    TEXT,
    Expression,
    IntoExpr,
    Mention,
    commas,
    condition_of,
    operand,
)
from match_recognize.builder.pattern import Pattern, checked, one_variable
from match_recognize.builder.places import caller, refusal
from match_recognize.builder.variable import IntoVariable, Variable, variable, variables
from match_recognize.row_pattern.tree import Absence, Anchor, Empty, Exclusion, Permutation
from match_recognize.sql_text.names import IDENTIFIER, quoted, quoted_variable

__all__ = [
    "absent",
    "asc",
    "avg",
    "call",
    "classifier",
    "col",
    "collect_list",
    "count",
    "desc",
    "empty",
    "end",
    "exclude",
    "expr",
    "final",
    "first",
    "fn",
    "last",
    "lit",
    "match_number",
    "match_proctime",
    "match_rowtime",
    "match_sequence_number",
    "match_timed_out",
    "max_",
    "min_",
    "next_",
    "permute",
    "prev",
    "running",
    "start",
    "sum_",
    "variable",
    "variables",
]


def __dir__() -> list[str]:
    return __all__


def col(name: str) -> Expression:
    """A column of the last row that is mapped, to whichever variable.

    Examples:
        >>> col("price") > 10
        Expression<price > 10>

    Args:
        name: the column.
    """
    if not isinstance(name, str):
        raise refusal(f"col() needs the name of a column, not {name!r}.")
    return Expression([quoted(name)], PRIMARY, columns=[Mention(name, caller())])


def lit(value: IntoExpr) -> Expression:
    """A value of Python as a literal, as in ``lit(1).cast("string")``.

    Examples:
        >>> lit(1).cast("string")
        Expression<CAST(1 AS string)>

    Args:
        value: None, a bool, number, str, bytes, date, datetime or timedelta.
    """
    return operand(value)


def expr(text: str) -> Expression:
    """A piece of SQL as an expression.

    Examples:
        >>> expr("price > 10") & (col("day") > 3)
        Expression<(price > 10) AND day > 3>

    Args:
        text: the SQL text.
    """
    if not isinstance(text, str):
        raise refusal(f"expr() needs SQL text, not {text!r}.")
    return condition_of(text)


def call(function: str, *arguments: IntoExpr | Variable, distinct: bool = False) -> Expression:
    """Calls a function of Spark SQL by its name.

    Examples:
        >>> call("upper", col("name"))
        Expression<upper(name)>

    Args:
        function: the name, which may have parts with dots between them.
        *arguments: expressions, columns of PySpark, or values.
        distinct: whether an aggregate takes each value once.
    """
    if not isinstance(function, str) or not all(
        IDENTIFIER.fullmatch(part) for part in function.split(".")
    ):
        raise refusal(f"call() needs the name of a function first, not {function!r}.")
    items = [_argument(argument) for argument in arguments]
    opening = f"{function}({'DISTINCT ' if distinct else ''}"
    return Expression([opening, *commas(items), ")"], PRIMARY, items, call=function)


class _Functions:
    """``fn.name(...)`` is ``call("name", ...)``."""

    def __getattr__(self, name: str) -> Callable[..., Expression]:
        if name.startswith("_"):
            raise AttributeError(name)

        def function(*arguments: IntoExpr | Variable, distinct: bool = False) -> Expression:
            return call(name.rstrip("_"), *arguments, distinct=distinct)

        return function


fn: _Functions = _Functions()
"""The functions of Spark SQL as attributes: ``fn.abs(a.price)`` is ``call("abs", a.price)``."""


def prev(value: IntoExpr, offset: int = 1) -> Expression:
    """``PREV``: the value in the row before, or some rows before.

    Examples:
        >>> col("price") < prev(col("price"))
        Expression<price < PREV(price)>

    Args:
        value: a column, or an expression over one row.
        offset: the number of rows.
    """
    return _navigation("PREV", value, offset, 1)


def next_(value: IntoExpr, offset: int = 1) -> Expression:
    """``NEXT``: the value in the row after, or some rows after.

    Examples:
        >>> next_(col("price"), 2)
        Expression<NEXT(price, 2)>

    Args:
        value: a column, or an expression over one row.
        offset: the number of rows.
    """
    return _navigation("NEXT", value, offset, 1)


def first(value: IntoExpr, offset: int = 0) -> Expression:
    """``FIRST``: the value in the first row of a variable, or some rows after that.

    Examples:
        >>> first(variable("up").price)
        Expression<FIRST(up.price)>

    Args:
        value: a column of a variable, or an expression over one row.
        offset: the number of rows of the variable to go on.
    """
    return _navigation("FIRST", value, offset, 0)


def last(value: IntoExpr, offset: int = 0) -> Expression:
    """``LAST``: the value in the last row of a variable, or some rows before that.

    Examples:
        >>> last(variable("up").price, 1)
        Expression<LAST(up.price, 1)>

    Args:
        value: a column of a variable, or an expression over one row.
        offset: the number of rows of the variable to go back.
    """
    return _navigation("LAST", value, offset, 0)


def classifier(of: Variable | None = None) -> Expression:
    """``CLASSIFIER()``: the name of the variable to which the row is mapped.

    The name is in upper case, as SQL has it, unless the variable was quoted.

    Examples:
        >>> classifier() == "UP"
        Expression<CLASSIFIER() = 'UP'>

    Args:
        of: a variable or subset: the last row mapped to it.
    """
    if of is None:
        return call("CLASSIFIER")
    if not isinstance(of, Variable):
        raise refusal(f"classifier() needs a variable, not {of!r}.")
    return call("CLASSIFIER", _named(of))


def match_number() -> Expression:
    """``MATCH_NUMBER()``: the number of the match in its partition, from 1.

    Examples:
        >>> match_number()
        Expression<MATCH_NUMBER()>
    """
    return call("MATCH_NUMBER")


def match_sequence_number() -> Expression:
    """``MATCH_SEQUENCE_NUMBER()``: the number of the row in its match, from 1.

    Examples:
        >>> match_sequence_number()
        Expression<MATCH_SEQUENCE_NUMBER()>
    """
    return call("MATCH_SEQUENCE_NUMBER")


def match_timed_out() -> Expression:
    """``MATCH_TIMED_OUT()``: whether the match ran out of time.

    Examples:
        >>> match_timed_out()
        Expression<MATCH_TIMED_OUT()>
    """
    return call("MATCH_TIMED_OUT")


def match_rowtime() -> Expression:
    """``MATCH_ROWTIME()``: the time of the last row of the match.

    Examples:
        >>> match_rowtime()
        Expression<MATCH_ROWTIME()>
    """
    return call("MATCH_ROWTIME")


def match_proctime() -> Expression:
    """``MATCH_PROCTIME()``: the time of the query; in ``order_by`` the order of arrival.

    Examples:
        >>> match_proctime()
        Expression<MATCH_PROCTIME()>
    """
    return call("MATCH_PROCTIME")


def count(value: IntoExpr | Variable = None, distinct: bool = False) -> Expression:
    """``COUNT``: of the rows of the match, of a variable's rows, or of values.

    Examples:
        >>> count(variable("down"))
        Expression<COUNT(down.*)>

    Args:
        value: nothing for all rows, a variable for its rows, or an expression for its values.
        distinct: whether equal values count once.
    """
    argument = Expression(["*"], PRIMARY) if value is None else value
    return _aggregate("COUNT", argument, distinct)


def sum_(value: IntoExpr) -> Expression:
    """``SUM``: the sum of the values.

    Examples:
        >>> sum_(col("price"))
        Expression<SUM(price)>

    Args:
        value: what to add up.
    """
    return _aggregate("SUM", value)


def avg(value: IntoExpr) -> Expression:
    """``AVG``: the mean of the values.

    Examples:
        >>> avg(variable("up").price)
        Expression<AVG(up.price)>

    Args:
        value: the values.
    """
    return _aggregate("AVG", value)


def min_(value: IntoExpr) -> Expression:
    """``MIN``: the smallest of the values.

    Examples:
        >>> min_(col("price"))
        Expression<MIN(price)>

    Args:
        value: the values.
    """
    return _aggregate("MIN", value)


def max_(value: IntoExpr) -> Expression:
    """``MAX``: the largest of the values.

    Examples:
        >>> max_(col("price"))
        Expression<MAX(price)>

    Args:
        value: the values.
    """
    return _aggregate("MAX", value)


def collect_list(value: IntoExpr) -> Expression:
    """``COLLECT_LIST``: the values as an array, in the order of the rows.

    Examples:
        >>> collect_list(col("page"))
        Expression<COLLECT_LIST(page)>

    Args:
        value: the values.
    """
    return _aggregate("COLLECT_LIST", value)


def running(value: Expression) -> Expression:
    """``RUNNING``: over the rows of the match up to the current one.

    Examples:
        >>> running(sum_(col("price")))
        Expression<RUNNING SUM(price)>

    Args:
        value: ``first(...)``, ``last(...)`` or an aggregate.
    """
    return _semantics("RUNNING", value)


def final(value: Expression) -> Expression:
    """``FINAL``: over all rows of the match.

    Examples:
        >>> final(last(col("price")))
        Expression<FINAL LAST(price)>

    Args:
        value: ``first(...)``, ``last(...)`` or an aggregate.
    """
    return _semantics("FINAL", value)


def asc(value: IntoExpr, nulls: Literal["", "first", "last"] = "") -> Expression:
    """An ascending key of ``order_by``.

    Examples:
        >>> asc("day", nulls="last")
        Expression<day ASC NULLS LAST>

    Args:
        value: the name of a column, an expression or a column of PySpark.
        nulls: "first", which is Spark's default, or "last".
    """
    return _sorted(value, "ASC", nulls)


def desc(value: IntoExpr, nulls: Literal["", "first", "last"] = "") -> Expression:
    """A descending key of ``order_by``.

    Examples:
        >>> desc("day")
        Expression<day DESC>

    Args:
        value: the name of a column, an expression or a column of PySpark.
        nulls: "first", or "last", which is Spark's default.
    """
    return _sorted(value, "DESC", nulls)


def permute(*patterns: Pattern) -> Pattern:
    """``PERMUTE``: the patterns in any order; the order as written is preferred.

    Examples:
        >>> permute(variable("a"), variable("b"))
        Pattern<PERMUTE(a, b)>

    Args:
        *patterns: variables or patterns.
    """
    if not patterns:
        raise refusal("permute() needs patterns, as in permute(a, b).")
    return Pattern(Permutation(tuple(checked(each, "permute") for each in patterns)))


def exclude(pattern: Pattern) -> Pattern:
    """``{- ... -}``: rows that belong to the match, but not to ALL ROWS PER MATCH.

    Examples:
        >>> exclude(variable("a"))
        Pattern<{- a -}>

    Args:
        pattern: a variable or pattern.
    """
    return Pattern(Exclusion(checked(pattern, "exclude")))


def absent(variable: IntoVariable) -> Pattern:
    """``[^B]``: the next row is no B; takes no row.

    Examples:
        >>> variable("a") + absent("b")
        Pattern<a [^b]>

    Args:
        variable: the variable B.
    """
    return Pattern(Absence(one_variable(variable, "absent")))


def start() -> Pattern:
    """``^``: the start of the partition.

    Examples:
        >>> start() + variable("a")
        Pattern<^ a>
    """
    return Pattern(Anchor(at_end=False))


def end() -> Pattern:
    """``$``: the end of the partition.

    Examples:
        >>> variable("a") + end()
        Pattern<a $>
    """
    return Pattern(Anchor(at_end=True))


def empty() -> Pattern:
    """``()``: a pattern that takes no row.

    Examples:
        >>> variable("a") | empty()
        Pattern<a | ()>
    """
    return Pattern(Empty())


def _navigation(function: str, value: IntoExpr, offset: int, default: int) -> Expression:
    if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
        raise refusal(f"The offset of {function} must be an int from 0 on, not {offset!r}.")
    if isinstance(value, Variable):
        raise refusal(
            f"{function} needs a column, and {value._name} is a variable. Name a column of it, "
            f"as in {value._name}.price."
        )
    _refuse_text(function, value)
    return call(function, value) if offset == default else call(function, value, offset)


def _aggregate(function: str, value: IntoExpr | Variable, distinct: bool = False) -> Expression:
    _refuse_text(function, value)
    return call(function, value, distinct=distinct)


def _refuse_text(function: str, value: object) -> None:
    if isinstance(value, str):
        rows = f'variable("{value}") for the rows of a variable'
        raise refusal(
            f'{function} needs a column, not the text {value!r}. Write col("{value}"), or '
            + (f"{rows}." if function == "COUNT" else "a column of a variable.")
        )


def _argument(value: object) -> Expression:
    """A variable as an argument stands for its rows: ``COUNT(a.*)``."""
    if isinstance(value, Variable):
        return _named(value, ".*")
    return operand(value)


def _named(variable: Variable, suffix: str = "") -> Expression:
    mention = Mention(variable._name, caller())
    return Expression([quoted_variable(variable._name) + suffix], PRIMARY, variables=[mention])


def _semantics(word: str, value: object) -> Expression:
    if not isinstance(value, Expression) or not value._call:
        raise refusal(
            f"{word} is for first(...), last(...) and aggregates, as in "
            f"{word.lower()}(sum_(a.x))."
        )
    return Expression([f"{word} ", *value._pieces], PRIMARY, [value])


def _sorted(value: object, direction: str, nulls: str) -> Expression:
    if str(nulls).lower() not in ("", "first", "last"):
        raise refusal(f'nulls must be "first" or "last", not {nulls!r}.')
    inner = col(value) if isinstance(value, str) else operand(value)
    ending = f" {direction}" + (f" NULLS {nulls.upper()}" if nulls else "")
    return Expression([*inner._pieces, ending], TEXT, [inner])
