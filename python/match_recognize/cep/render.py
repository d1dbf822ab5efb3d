"""Pattern sequences as row patterns of the clause, in the flink dialect."""

from __future__ import annotations

from collections.abc import Iterator

from match_recognize.builder import pattern as row
from match_recognize.builder.clause import Entry
from match_recognize.cep.element import Contiguity, Element, Inner, patterns_of


def row_pattern(elements: tuple[Element, ...]) -> row.Pattern:
    """Returns a sequence as a row pattern.

    Args:
        elements: the sequence.
    """
    return _sequence(elements, _stops(elements))


def text(elements: tuple[Element, ...]) -> str:
    """Returns a sequence as the text of PATTERN.

    Args:
        elements: the sequence.
    """
    return row.render(row_pattern(elements))


def conditions(elements: tuple[Element, ...]) -> list[Entry]:
    """Returns the conditions of DEFINE.

    Args:
        elements: the sequence.
    """
    entries = [
        Entry(pattern.name, pattern.condition, pattern.place)
        for pattern in patterns_of(elements)
        if pattern.condition is not None
    ]
    stops = _stops(elements)
    for element in _all(elements):
        if element.stop is not None:
            entries.append(Entry(stops[id(element)], element.stop, element.place))
    return entries


def _all(elements: tuple[Element, ...]) -> Iterator[Element]:
    for element in elements:
        yield element
        yield from _all(element.group)


def _stops(elements: tuple[Element, ...]) -> dict[int, str]:
    """Names the variables of stop conditions, by the identity of their elements."""
    taken = {pattern.name.upper() for pattern in patterns_of(elements)}
    numbers = (f"STOP_{n}" for n in range(1, 1_000_000))
    free = (name for name in numbers if name not in taken)
    return {id(element): next(free) for element in _all(elements) if element.stop is not None}


def _sequence(elements: tuple[Element, ...], stops: dict[int, str]) -> row.Pattern:
    parts: list[row.Pattern] = []
    for element in elements:
        parts += _joined(element, stops)
    return parts[0] if len(parts) == 1 else row.Sequence(*parts)


def _joined(element: Element, stops: dict[int, str]) -> list[row.Pattern]:
    if element.contiguity is Contiguity.NOT_NEXT:
        return [row.Absence(row.Named(element.name))]
    if element.contiguity is Contiguity.NOT_FOLLOWED_BY:
        return [row.Gap(reluctant=True), row.Absence(row.Named(element.name))]
    body = _repeated(element, stops)
    if element.contiguity is Contiguity.FOLLOWED_BY:
        return [row.Gap(reluctant=True), body]
    if element.contiguity is Contiguity.FOLLOWED_BY_ANY:
        return [row.Gap(reluctant=False), body]
    return [body]


def _repeated(element: Element, stops: dict[int, str]) -> row.Pattern:
    body: row.Pattern = (
        _sequence(element.group, stops) if element.group else row.Named(element.name)
    )
    if not element.counted or element.high == 1:
        return row.Quantified(body, 0, 1) if element.optional else body
    if element.inner is Inner.ANY:
        loop = _combinations(element, body)
        return row.Quantified(loop, 0, 1) if element.optional else loop
    reluctant = element.varies and not element.greedy
    # A loop that may be missing: {0,n} where that is the same.
    from_none = element.optional and element.low == 1
    made = row.Quantified(
        body,
        0 if from_none else element.low,
        element.high,
        reluctant=reluctant,
        loose=element.inner is Inner.RELAXED,
        stop=row.Named(stops[id(element)]) if element.stop is not None else None,
    )
    return row.Quantified(made, 0, 1) if element.optional and not from_none else made


def _combinations(element: Element, body: row.Pattern) -> row.Pattern:
    """A (gap A)*?: the gap before each further iteration may pass over events that fit."""
    further = row.Sequence(row.Gap(reluctant=False), body)
    high = None if element.high is None else element.high - 1
    loop = row.Quantified(further, element.low - 1, high, reluctant=element.varies)
    return row.Sequence(body, loop)
