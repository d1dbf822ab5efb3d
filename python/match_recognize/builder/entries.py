"""Named entries of a clause: measures, conditions and subsets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from match_recognize.builder.clause import Entry
from match_recognize.builder.expression import Expression, condition_of
from match_recognize.builder.pattern import Pattern
from match_recognize.builder.places import caller, caller_of, refusal
from match_recognize.builder.texts import check_text
from match_recognize.builder.variable import Variable

V = TypeVar("V")


def added(
    method: str,
    what: str,
    there: tuple[Entry, ...],
    mapping: object,
    named: Mapping[str, object],
) -> tuple[Entry, ...]:
    """Returns the entries of earlier calls and those of this one, which replace them by name.

    Refuses a name that comes twice in this call, or that has no expression.
    """
    place = caller()
    entries: dict[str, Entry] = {}
    for key, value in given(method, mapping, named):
        name = variable_name(key, method)
        # Names that differ in upper and lower case are Spark's to judge: it has a setting.
        if name in entries:
            raise refusal(
                f"{method}() has the {what} {name} twice. Give each {what} once in a call.", place
            )
        expression = _entry_value(name, value, method)
        # Text has the line of the call; what was built has its own.
        own = caller_of(name) if isinstance(value, str) else expression._place
        entries[name] = Entry(name, expression, own)
    return tuple({**{entry.name: entry for entry in there}, **entries}.values())


def given(method: str, mapping: object, named: Mapping[str, V]) -> list[tuple[object, V]]:
    """Returns what a call was given in a mapping and by name."""
    if mapping is not None and not isinstance(mapping, Mapping):
        raise refusal(f"{method}() needs names, as in {method}(name=...), not {mapping!r} alone.")
    return [*cast("Mapping[object, V]", mapping or {}).items(), *named.items()]


def _entry_value(name: str, value: object, method: str) -> Expression:
    if not isinstance(value, Expression) and (isinstance(value, Pattern) or callable(value)):
        raise refusal(
            f"{method}() needs an expression for {name}, not {value!r}. Write SQL text, or an "
            "expression such as a.price > 10."
        )
    if isinstance(value, str):
        check_text(value, f"The text of {name}", commas=False)
    return condition_of(value)


def variable_name(value: object, method: str) -> str:
    """Returns a name that is given as text or as a variable."""
    if isinstance(value, Variable):
        return value._name
    if isinstance(value, str) and value.strip():
        return value.strip().strip("`")
    raise refusal(f'{method}() needs a name, not {value!r}. Write "A" or a variable.')
