"""What Flink refuses in a pattern sequence, and what the clause cannot say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from match_recognize.builder.places import refusal
from match_recognize.cep.element import Contiguity, Element, Inner
from match_recognize.cep.skip import Skip


def one_pattern(element: Element, method: str) -> Element:
    """Returns an element that must be a pattern, not a group."""
    if element.group:
        raise refusal(
            f"{method}() concerns one pattern, and this is a group. Call it on a pattern within "
            "the group."
        )
    return element


def _comes(element: Element, method: str) -> None:
    """Refuses quantifiers of what must not come."""
    if element.is_absence:
        raise refusal(
            f"{method}() cannot follow {element.contiguity.value}(): the pattern {element.name} "
            "takes no event. Call it before."
        )


def group(
    elements: tuple[Element, ...], skip: Skip, bound: Any, method: str
) -> tuple[Element, ...]:
    """Returns the elements of a sequence that becomes a group of another."""
    if method.startswith("not_"):
        raise refusal(
            f"{method}() needs the name of one pattern, not a group. Name the event that must "
            "not come."
        )
    if skip.skip != "no skip":
        raise refusal(
            f"The group in {method}() has a skip strategy. Give it to the outermost begin()."
        )
    if bound is not None:
        raise refusal(
            f"The group in {method}() has a bound. Call within() on the whole sequence."
        )
    if elements[-1].is_absence:
        raise refusal(
            f"The group in {method}() ends with {elements[-1].contiguity.value}(). Call it after "
            "the group."
        )
    return elements


def can_be_counted(element: Element, method: str, low: int, high: int | None) -> None:
    """Checks a quantifier."""
    _comes(element, method)
    if element.counted:
        raise refusal(f"There are two quantifiers for {element.label}. Use one.")
    if element.optional:
        raise refusal(f"{method}() comes before optional(). Write .{method}(...).optional().")
    for bound in (low, high):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
            raise refusal(f"A number of times must be an int, not {bound!r}.")
    least = 0 if high is not None and high > low else 1
    if low < least or (high is not None and high < low):
        raise refusal(
            f"A pattern cannot occur {low} to {'any number of' if high is None else high} times. "
            "Write positive numbers, the smaller one first."
        )


def can_be_optional(elements: tuple[Element, ...]) -> None:
    """Checks optional()."""
    last = elements[-1]
    _comes(last, "optional")
    if last.optional:
        raise refusal(f"There is an optional() for {last.label} already. Call it once.")
    if len(elements) > 1 and elements[-2].greedy:
        raise refusal(
            f"Flink has no optional() directly after the greedy pattern {elements[-2].name}. "
            "Drop greedy() there, or write two sequences."
        )


def can_be_greedy(element: Element) -> None:
    """Checks greedy()."""
    _comes(element, "greedy")
    if element.group:
        raise refusal(
            "greedy() is for one pattern, and this is a group, as in Flink. In the standard "
            "dialect a loop over a group may be greedy: write match(df).pattern(...)."
        )
    if not element.counted:
        raise refusal("greedy() follows a quantifier. Write .one_or_more().greedy().")
    if element.inner is Inner.ANY:
        raise _greedy_combinations()


def can_be_inner(element: Element, inner: Inner) -> None:
    """Checks consecutive() and allow_combinations()."""
    method = inner.value
    _comes(element, method)
    if not element.counted:
        raise refusal(f"{method}() follows a quantifier. Write .one_or_more().{method}().")
    if element.inner is not Inner.RELAXED:
        raise refusal(f"{element.inner.value}() and {method}() exclude each other. Use one.")
    if inner is Inner.ANY and element.greedy:
        raise _greedy_combinations()
    if inner is Inner.ANY and element.stop is not None:
        raise _stopped_combinations()


def can_stop(element: Element) -> None:
    """Checks until()."""
    _comes(element, "until")
    if element.group:
        raise refusal(
            "until() is for a loop over one pattern here, not over a group. Limit the loop by "
            "times(m, n), or the sequence by within()."
        )
    if not element.counted or element.high is not None:
        raise refusal(
            "until() is for loops without an upper bound. Write .one_or_more().until(...)."
        )
    if element.stop is not None:
        raise refusal("A loop has one stop condition. Join the two by OR.")
    if element.inner is Inner.ANY:
        raise _stopped_combinations()


def complete(elements: tuple[Element, ...], bound: Any) -> None:
    """Checks a whole sequence, before it is searched."""
    last = elements[-1]
    if last.contiguity is Contiguity.NOT_FOLLOWED_BY and bound is None:
        raise refusal(
            "A sequence cannot end with not_followed_by() without a time limit. Add "
            ".within(timedelta(...)).",
            last.place,
        )
    _sequence(elements)


def _sequence(elements: tuple[Element, ...]) -> None:
    for before, element in zip((None, *elements), elements):
        for fault in _faults(before, element):
            raise refusal(fault, element.place)
        if element.group:
            _sequence(element.group)
            _head(element, element.group[0])


def _faults(before: Element | None, element: Element) -> Iterator[str]:
    """What is wrong with an element after the one before it."""
    method = element.contiguity.value
    after_absence = before is not None and before.contiguity is Contiguity.NOT_FOLLOWED_BY
    if element.is_absence and element.condition is None:
        yield (
            f"{method}() needs a condition: without one, no event may come. Add .where(...) "
            "after it."
        )
    if element.is_absence and before is not None and before.optional:
        yield (
            f"{method}() cannot follow an optional pattern, as in Flink. Write two sequences, "
            "one with the pattern and one without it."
        )
    if after_absence and element.contiguity in (Contiguity.NEXT, Contiguity.NOT_NEXT):
        yield (
            f"{method}() cannot follow not_followed_by(): it leaves no room for events between. "
            "Write not_next() in its place."
        )
    if element.is_absence and before is not None and before.inner is Inner.ANY:
        yield (
            f"{method}() cannot follow allow_combinations() here. Drop allow_combinations(), or "
            "name a plain pattern between the two."
        )
    if element.optional and element.greedy and element.low > 1:
        yield (
            "optional() and greedy() exclude each other for a loop of at least "
            f"{element.low} events. Write two sequences, one with the pattern and one without it."
        )
    if element.optional and after_absence:
        yield (
            "An optional pattern cannot follow not_followed_by(): the clause would drop both "
            "together. Write two sequences, one with the pattern and one without it."
        )


def _head(group: Element, head: Element) -> None:
    """Flink takes some properties of a group's first pattern from the group."""
    if head.group:
        raise refusal(
            "A group cannot begin with a group: Flink would ignore how the outer one follows. "
            "Write the patterns of the inner group first, without begin().",
            head.place,
        )
    if head.optional:
        raise refusal(
            f"The first pattern of a group, {head.name}, cannot be optional: Flink ignores that. "
            "Make the group optional, or write two sequences.",
            head.place,
        )
    if head.counted and head.inner is not group.inner:
        wanted = "neither" if group.inner is Inner.RELAXED else f"{group.inner.value}()"
        raise refusal(
            "In Flink, consecutive() and allow_combinations() of a group also apply to its "
            f"first pattern, {head.name}. Give both the same; the group has {wanted}.",
            head.place,
        )
    if group.counted and group.high != 1 and group.inner is Inner.RELAXED and head.counted:
        raise refusal(
            "A loop over a group passes over events between two iterations, so the group must "
            "begin with one event. Begin it with a plain pattern, or use consecutive() for both.",
            group.place,
        )


def _greedy_combinations() -> Exception:
    return refusal(
        "greedy() and allow_combinations() exclude each other: the one takes each event that "
        "fits, the other passes over some. Drop one."
    )


def _stopped_combinations() -> Exception:
    return refusal(
        "until() and allow_combinations() cannot be combined here. Drop allow_combinations(), or "
        "limit the loop by times(m, n) and the sequence by within()."
    )
