"""Keys of PARTITION BY and ORDER BY as they are given: names, text, columns of PySpark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from match_recognize.builder import columns
from match_recognize.builder.clause import Entry
from match_recognize.builder.expression import (
    PRIMARY,
    TEXT,
    Expression,
    Helper,
    Mention,
    condition_of,
)
from match_recognize.builder.names import find
from match_recognize.builder.places import Place, caller, refusal
from match_recognize.builder.variable import Variable
from match_recognize.sql_text.names import needs_quotes, quoted


def partition_keys(
    values: tuple[object, ...], names: Callable[[], list[str]]
) -> tuple[Entry, ...]:
    """Returns the keys of ``partition_by``."""
    place = caller()
    return tuple(_partition_key(value, names, place) for value in _flat(values, "partition_by"))


def order_keys(values: tuple[object, ...], names: Callable[[], list[str]]) -> tuple[Entry, ...]:
    """Returns the keys of ``order_by``."""
    place = caller()
    return tuple(
        Entry("", _order_key(value, names, place), place) for value in _flat(values, "order_by")
    )


def _flat(values: tuple[object, ...], method: str) -> Iterator[object]:
    if len(values) == 1 and isinstance(values[0], (list, tuple)):
        values = tuple(cast("Iterable[object]", values[0]))
    if not values:
        raise refusal(f'{method}() needs at least one column, as in {method}("day").')
    yield from values


def _partition_key(value: Any, names: Callable[[], list[str]], place: Place) -> Entry:
    if columns.is_column(value):
        name = columns.simple_name(value)
        if name is not None:
            return Entry("", _named(name, place, value), place)
        if columns.sort_key(value) is not None:
            raise refusal("A key of partition_by has no direction. Give the column alone.")
        name = columns.alias(value) or columns.printed(value)
        return Entry(name, Expression([Helper(value, place)], PRIMARY), place)
    return Entry("", _text_or_expression(value, names, place, "partition_by"), place)


def _order_key(value: Any, names: Callable[[], list[str]], place: Place) -> Expression:
    if columns.is_column(value):
        name = columns.simple_name(value)
        if name is not None:
            return _named(name, place, value)
        key = columns.sort_key(value)
        if key is None:
            return Expression([Helper(value, place)], PRIMARY)
        text, direction = key
        if text is None:
            raise refusal(
                f"The sort order {columns.printed(value)} is not over a plain column. Write "
                "match_recognize.functions.asc(column) or desc(column, nulls=...), with the "
                "column of PySpark without its own direction."
            )
        return Expression(
            [f"{quoted(text)} {direction}"], TEXT, columns=[Mention(text, place, value)]
        )
    return _text_or_expression(value, names, place, "order_by")


def _text_or_expression(
    value: Any, names: Callable[[], list[str]], place: Place, method: str
) -> Expression:
    if isinstance(value, Variable):
        raise refusal(
            f"{method} takes columns, and {value._name} is a variable: the keys are those of the "
            "input."
        )
    if isinstance(value, Expression):
        if value._variables:
            raise refusal(
                f"{method} takes columns of the input, not of the variable "
                f"{value._variables[0].name}. Write the column's name."
            )
        return value
    if isinstance(value, str):
        text = value.strip()
        # A name such as `my column` would be text of SQL with another meaning.
        if needs_quotes(text) and find(text, names()):
            return _named(text, place)
        return condition_of(value)
    raise refusal(f"{method} takes names, SQL text or columns, not {value!r}.")


def _named(name: str, place: Place, column: Any = None) -> Expression:
    return Expression([quoted(name)], PRIMARY, columns=[Mention(name, place, column)])
