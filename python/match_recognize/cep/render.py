"""Pattern sequences as row patterns of the clause, in the flink dialect."""

from __future__ import annotations

from match_recognize.builder.clause import Entry
from match_recognize.builder.pattern import Pattern
from match_recognize.cep.element import Contiguity, Element, Inner, all_of, patterns_of
from match_recognize.row_pattern.tree import (
    Absence,
    Loop,
    RowPattern,
    Variable,
    gap,
    sequence,
)
from match_recognize.sql_text.names import free_names


def row_pattern(elements: tuple[Element, ...]) -> Pattern:
    """Returns a sequence as a row pattern."""
    return Pattern(_sequence(elements, _stops(elements)))


def conditions(elements: tuple[Element, ...]) -> list[Entry]:
    """Returns the conditions of DEFINE."""
    entries = [
        Entry(pattern.name, pattern.condition, pattern.place)
        for pattern in patterns_of(elements)
        if pattern.condition is not None
    ]
    stops = _stops(elements)
    for element in all_of(elements):
        if element.stop is not None:
            entries.append(Entry(stops[id(element)], element.stop, element.place))
    return entries


def _stops(elements: tuple[Element, ...]) -> dict[int, str]:
    """Names the variables of stop conditions, by the identity of their elements."""
    free = free_names("STOP", (pattern.name for pattern in patterns_of(elements)))
    return {id(element): next(free) for element in all_of(elements) if element.stop is not None}


def _sequence(elements: tuple[Element, ...], stops: dict[int, str]) -> RowPattern:
    return sequence(*(part for element in elements for part in _joined(element, stops)))


def _joined(element: Element, stops: dict[int, str]) -> list[RowPattern]:
    if element.contiguity is Contiguity.NOT_NEXT:
        return [Absence(element.name)]
    if element.contiguity is Contiguity.NOT_FOLLOWED_BY:
        return [Absence(element.name, over_gap=True)]
    body = _repeated(element, stops)
    if element.contiguity is Contiguity.FOLLOWED_BY:
        return [gap(greedy=False), body]
    if element.contiguity is Contiguity.FOLLOWED_BY_ANY:
        return [gap(greedy=True), body]
    return [body]


def _repeated(element: Element, stops: dict[int, str]) -> RowPattern:
    body: RowPattern = (
        _sequence(element.group, stops) if element.group else Variable(element.name)
    )
    if not element.counted or element.high == 1:
        return Loop(body, 0, 1) if element.optional else body
    if element.inner is Inner.ANY:
        loop = _combinations(element, body)
        return Loop(loop, 0, 1) if element.optional else loop
    # A loop that may be missing: {0,n} where that is the same.
    from_none = element.optional and element.low == 1
    made = Loop(
        body,
        0 if from_none else element.low,
        element.high,
        greedy=element.greedy or not element.varies,
        loose=element.inner is Inner.RELAXED,
        stop=stops.get(id(element)),
    )
    return Loop(made, 0, 1) if element.optional and not from_none else made


def _combinations(element: Element, body: RowPattern) -> RowPattern:
    """A (gap A)*?: the gap before each further iteration may pass over events that fit."""
    further = sequence(gap(greedy=True), body)
    high = None if element.high is None else element.high - 1
    return sequence(body, Loop(further, element.low - 1, high, greedy=not element.varies))
