"""A row pattern as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

#: A number, a parameter marker as written, or None for no upper bound.
Bound = Union[int, str, None]


@dataclass(frozen=True)
class Variable:
    """A row of a variable."""

    name: str


@dataclass(frozen=True)
class Empty:
    """``()``, which takes no row."""


@dataclass(frozen=True)
class Anchor:
    """``^`` or ``$``.

    Attributes:
        at_end: whether it is ``$``.
    """

    at_end: bool


@dataclass(frozen=True)
class Absence:
    """``[^B]``: the next row is not a B.

    Attributes:
        name: the variable B.
        over_gap: whether a gap before it extends the test to all rows up to the next element;
            the gap has then become part of this element.
    """

    name: str
    over_gap: bool = False


@dataclass(frozen=True)
class Sequence:
    """Elements one after another."""

    elements: tuple[RowPattern, ...]


@dataclass(frozen=True)
class Alternation:
    """Alternatives, the preferred one first."""

    elements: tuple[RowPattern, ...]


@dataclass(frozen=True)
class Permutation:
    """Elements in any order."""

    elements: tuple[RowPattern, ...]


@dataclass(frozen=True)
class Exclusion:
    """``{- ... -}``: rows that ALL ROWS PER MATCH does not return."""

    element: RowPattern


@dataclass(frozen=True)
class Loop:
    """An element with a quantifier.

    Attributes:
        element: what is repeated.
        lower: the least number of iterations.
        upper: the largest number of iterations.
        greedy: whether more iterations are preferred.
        loose: whether rows between two iterations may be passed over.
        stop: the variable of a stop condition, or None.
    """

    element: RowPattern
    lower: Bound
    upper: Bound
    greedy: bool = True
    loose: bool = False
    stop: str | None = None


RowPattern = Union[
    Variable, Empty, Anchor, Absence, Sequence, Alternation, Permutation, Exclusion, Loop
]


def children(pattern: RowPattern) -> tuple[RowPattern, ...]:
    """Returns the parts of a pattern, one level down.

    Args:
        pattern: the pattern.
    """
    if isinstance(pattern, (Sequence, Alternation, Permutation)):
        return pattern.elements
    if isinstance(pattern, (Exclusion, Loop)):
        return (pattern.element,)
    return ()


def all_parts(pattern: RowPattern) -> Iterator[RowPattern]:
    """Returns the pattern itself and all its parts, in the order of the text.

    Args:
        pattern: the pattern.

    Yields:
        Each part.
    """
    yield pattern
    for child in children(pattern):
        yield from all_parts(child)


def with_gap_absences(pattern: RowPattern, defined: frozenset[str]) -> RowPattern:
    """Makes ``{- X*? -} [^B]`` one element, if X has no condition and occurs once.

    Args:
        pattern: as written.
        defined: the variables that have a condition.

    Returns:
        The pattern with these elements as absences over a gap.
    """
    names = [part.name for part in all_parts(pattern) if isinstance(part, Variable)]
    gaps = {name for name in names if names.count(name) == 1 and name not in defined}
    return _resolved(pattern, gaps)


def _resolved(pattern: RowPattern, gaps: set[str]) -> RowPattern:
    if isinstance(pattern, (Exclusion, Loop)):
        values = {**vars(pattern), "element": _resolved(pattern.element, gaps)}
        return type(pattern)(**values)
    if not isinstance(pattern, (Sequence, Alternation, Permutation)):
        return pattern
    elements: list[RowPattern] = []
    for element in pattern.elements:
        before = elements[-1] if elements else None
        sequence = isinstance(pattern, Sequence)
        if sequence and isinstance(element, Absence) and is_gap(before, gaps):
            elements[-1] = Absence(element.name, over_gap=True)
        else:
            elements.append(_resolved(element, gaps))
    return elements[0] if len(elements) == 1 else type(pattern)(tuple(elements))


def is_gap(pattern: RowPattern | None, gaps: set[str]) -> bool:
    """Says whether a part is ``{- X*? -}`` with a variable X that may be a gap.

    Args:
        pattern: the part.
        gaps: the variables that have no condition and occur once.
    """
    if not isinstance(pattern, Exclusion) or not isinstance(pattern.element, Loop):
        return False
    loop = pattern.element
    return (
        isinstance(loop.element, Variable)
        and loop.element.name in gaps
        and (loop.lower, loop.upper, loop.greedy, loop.loose, loop.stop)
        == (0, None, False, False, None)
    )
