"""Named entries of a clause: measures, conditions and subsets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from match_recognize.builder.clause import Entry
from match_recognize.builder.expression import Expression, condition_of
from match_recognize.builder.pattern import Pattern
from match_recognize.builder.places import caller, caller_of, refusal
from match_recognize.builder.variable import Variable


def added(
    method: str,
    what: str,
    there: tuple[Entry, ...],
    mapping: Mapping[Any, Any] | None,
    named: Mapping[str, Any],
) -> tuple[Entry, ...]:
    """Returns the entries of earlier calls and those of this one.

    Args:
        method: the method that the user called.
        what: what its names are.
        there: the entries of earlier calls.
        mapping: entries by name, or by variable.
        named: entries by name.

    Raises:
        MatchRecognizeError: a name comes twice, or has no expression.
    """
    place = caller()
    if mapping is not None and not isinstance(mapping, Mapping):
        raise refusal(f"{method}() needs names, as in {method}(name=...), not {mapping!r} alone.")
    entries = list(there)
    for key, value in [*(mapping or {}).items(), *named.items()]:
        name = variable_name(key, method)
        # Names that differ in upper and lower case are Spark's to judge: it has a setting.
        first = next((e for e in entries if e.name == name), None)
        if first is not None:
            raise refusal(
                f"{method}() has the {what} {name} twice, first in {first.place}. Give each "
                f"{what} once.",
                place,
            )
        expression = _entry_value(name, value, method)
        # Text has the line of the call; what was built has its own.
        own = caller_of(name) if isinstance(value, str) else expression._place
        entries.append(Entry(name, expression, own))
    return tuple(entries)


def _entry_value(name: str, value: Any, method: str) -> Expression:
    if isinstance(value, Pattern) or callable(value):
        raise refusal(
            f"{method}() needs an expression for {name}, not {value!r}. Write SQL text, or an "
            "expression such as a.price > 10."
        )
    return condition_of(value)


def variable_name(value: Any, method: str) -> str:
    """Returns a name that is given as text or as a variable.

    Args:
        value: the name or the variable.
        method: the method that the user called.
    """
    if isinstance(value, Variable):
        return value._name
    if isinstance(value, str) and value.strip():
        return value.strip().strip("`")
    raise refusal(f'{method}() needs a name, not {value!r}. Write "A" or a variable.')
