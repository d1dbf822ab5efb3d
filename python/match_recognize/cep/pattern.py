"""Pattern sequences, put together by the methods that Flink's CEP library has."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import Any, NoReturn, Union

from match_recognize.builder.expression import Expression, condition_of
from match_recognize.builder.names import find
from match_recognize.builder.places import caller, refusal
from match_recognize.cep import checks
from match_recognize.cep.element import Contiguity, Element, Inner, patterns_of
from match_recognize.cep.skip import Skip, no_skip

Bound = Union[datetime.timedelta, int, float]


class Pattern:
    """A pattern sequence. Each method returns a changed copy; most concern the last pattern."""

    def __init__(self, elements: tuple[Element, ...], skip: Skip, bound: Bound | None) -> None:
        self._elements = elements
        self._skip = skip
        self._bound = bound

    def __repr__(self) -> str:
        from match_recognize.cep.render import row_pattern

        return repr(row_pattern(self._elements))

    @staticmethod
    def begin(first: str | Pattern, skip: Skip | None = None) -> Pattern:
        """``begin(name)`` or ``begin(sequence)``: the first pattern, or a group.

        Examples:
            >>> from match_recognize import cep
            >>> cep.Pattern.begin("start").where("type = 'a'").next("other")
            Pattern<start other>

        Args:
            first: the name of the pattern, or the patterns of the group.
            skip: what follows a match; ``no_skip()`` if omitted, as in Flink.
        """
        if skip is not None and not isinstance(skip, Skip):
            raise refusal(
                f"begin() needs a skip strategy such as cep.skip_to_next(), not {skip!r}."
            )
        return Pattern((), skip or no_skip(), None)._append(Contiguity.FIRST, first)

    def next(self, following: str | Pattern) -> Pattern:
        """``next``: the event directly after the one before.

        Args:
            following: the name of the pattern, or the patterns of a group.
        """
        return self._append(Contiguity.NEXT, following)

    def followed_by(self, following: str | Pattern) -> Pattern:
        """``followedBy``: the first later event that fits.

        Args:
            following: the name of the pattern, or the patterns of a group.
        """
        return self._append(Contiguity.FOLLOWED_BY, following)

    def followed_by_any(self, following: str | Pattern) -> Pattern:
        """``followedByAny``: any later event that fits; each makes a match.

        Args:
            following: the name of the pattern, or the patterns of a group.
        """
        return self._append(Contiguity.FOLLOWED_BY_ANY, following)

    def not_next(self, name: str) -> Pattern:
        """``notNext``: the event directly after does not fit.

        Args:
            name: the name of the pattern that must not come.
        """
        return self._append(Contiguity.NOT_NEXT, name)

    def not_followed_by(self, name: str) -> Pattern:
        """``notFollowedBy``: no event fits up to the next pattern, or up to the bound.

        Args:
            name: the name of the pattern that must not come.
        """
        return self._append(Contiguity.NOT_FOLLOWED_BY, name)

    def where(self, condition: Any) -> Pattern:
        """``where``: a condition of the last pattern; further calls must hold, too.

        Args:
            condition: SQL text, an expression of the builder or a column of PySpark. Text may
                name columns of earlier patterns, as in ``price > start.price``.
        """
        last = checks.one_pattern(self._elements[-1], "where")
        added = _condition(condition)
        return self._changed(
            condition=added if last.condition is None else last.condition & added
        )

    def or_where(self, condition: Any) -> Pattern:
        """``or``: an alternative to the conditions of the last pattern so far.

        Args:
            condition: as in where().
        """
        last = checks.one_pattern(self._elements[-1], "or_where")
        if last.condition is None:
            raise refusal(
                f"or_where() of the pattern {last.name} has no condition before it. Begin with "
                "where()."
            )
        return self._changed(condition=last.condition | _condition(condition))

    def subtype(self, kind: object) -> NoReturn:
        """``subtype``: refused, since rows have no classes.

        Args:
            kind: the class.
        """
        raise refusal(
            "Rows have no classes, so there is no subtype(). Test a column: "
            f".where(\"type = '{getattr(kind, '__name__', kind)}'\")."
        )

    def one_or_more(self) -> Pattern:
        """``oneOrMore``: one event or more, with others between them."""
        return self._counted("one_or_more", 1, None)

    def times_or_more(self, low: int) -> Pattern:
        """``timesOrMore``: so many events or more, with others between them.

        Args:
            low: the least number of events.
        """
        return self._counted("times_or_more", low, None)

    def times(self, low: int, high: int | None = None) -> Pattern:
        """``times``: so many events, with others between them.

        Args:
            low: the number of events, or the least number.
            high: the largest number of events.
        """
        return self._counted("times", low, low if high is None else high)

    def optional(self) -> Pattern:
        """``optional``: the pattern may be missing, with all its iterations."""
        checks.can_be_optional(self._elements)
        return self._changed(optional=True)

    def greedy(self) -> Pattern:
        """``greedy``: as many iterations as possible."""
        checks.can_be_greedy(self._elements[-1])
        return self._changed(greedy=True)

    def consecutive(self) -> Pattern:
        """``consecutive``: no other event between two iterations."""
        checks.can_be_inner(self._elements[-1], Inner.STRICT)
        return self._changed(inner=Inner.STRICT)

    def allow_combinations(self) -> Pattern:
        """``allowCombinations``: also passes over events that fit, between two iterations."""
        checks.can_be_inner(self._elements[-1], Inner.ANY)
        return self._changed(inner=Inner.ANY)

    def until(self, condition: Any) -> Pattern:
        """``until``: the loop ends before an event that satisfies the condition.

        Args:
            condition: as in where().
        """
        checks.can_stop(self._elements[-1])
        return self._changed(stop=_condition(condition))

    def within(self, bound: Bound) -> Pattern:
        """``within``: the longest time from the first to the last event; the smallest one counts.

        Args:
            bound: a timedelta, or a number if the events are ordered by a number.
        """
        numbers = (int, float)
        if isinstance(bound, bool) or not isinstance(bound, (datetime.timedelta, *numbers)):
            raise refusal(
                f"within() needs a timedelta, not {bound!r}. Write timedelta(minutes=10), or a "
                "number if the events are ordered by a number."
            )
        known = self._bound
        if known is not None:
            if isinstance(known, numbers) != isinstance(bound, numbers):
                raise refusal(f"within() has the bounds {known} and {bound}. Use one kind.")
            bound = min(known, bound)
        return Pattern(self._elements, self._skip, bound)

    def _append(self, contiguity: Contiguity, following: str | Pattern) -> Pattern:
        method = contiguity.value
        group: tuple[Element, ...] = ()
        name = ""
        if isinstance(following, Pattern):
            group = checks.group(following._elements, following._skip, following._bound, method)
        elif isinstance(following, str) and following.strip():
            name = following.strip()
        else:
            raise refusal(f"{method}() needs the name of a pattern, not {following!r}.")
        element = Element(contiguity, caller(), name, group)
        there = [pattern.name for pattern in patterns_of(self._elements)]
        for added in patterns_of((element,)):
            if find(added.name, there) is not None:
                raise refusal(
                    f"The pattern {added.name} is there twice. Each pattern needs a name of its "
                    "own; upper and lower case are alike."
                )
        return Pattern((*self._elements, element), self._skip, self._bound)

    def _counted(self, method: str, low: int, high: int | None) -> Pattern:
        checks.can_be_counted(self._elements[-1], method, low, high)
        if low == 0:
            return self._changed(low=1, high=high, counted=True, optional=True)
        return self._changed(low=low, high=high, counted=True)

    def _changed(self, **changes: Any) -> Pattern:
        changed = replace(self._elements[-1], **changes)
        return Pattern((*self._elements[:-1], changed), self._skip, self._bound)


def _condition(value: Any) -> Expression:
    if callable(value) and not isinstance(value, Expression):
        raise refusal(
            "A condition is SQL text, such as \"type = 'a'\", an expression or a column of "
            f"PySpark, not the function {getattr(value, '__name__', value)}."
        )
    return condition_of(value)
