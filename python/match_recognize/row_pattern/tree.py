"""A row pattern as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

#: A number, a parameter marker as written, or None for no upper bound.
Bound = Union[int, str, None]


@dataclass(frozen=True)
class Variable:
    """A row of a variable.

    Attributes:
        name: the variable; empty for one that occurs nowhere else, which the writer names.
    """

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
            the gap is part of this element.
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
    """Returns the parts of a pattern, one level down."""
    if isinstance(pattern, (Sequence, Alternation, Permutation)):
        return pattern.elements
    if isinstance(pattern, (Exclusion, Loop)):
        return (pattern.element,)
    return ()


def all_parts(pattern: RowPattern) -> Iterator[RowPattern]:
    """Returns the pattern itself and all its parts, in the order of the text."""
    yield pattern
    for child in children(pattern):
        yield from all_parts(child)


def names(pattern: RowPattern) -> list[str]:
    """Returns the variables of a pattern, each once, in the order of the text."""
    first: dict[str, str] = {}
    for name in _named(pattern):
        first.setdefault(name.lower(), name)
    return list(first.values())


def _named(pattern: RowPattern) -> Iterator[str]:
    if isinstance(pattern, (Variable, Absence)) and pattern.name:
        yield pattern.name
    for child in children(pattern):
        yield from _named(child)
    if isinstance(pattern, Loop) and pattern.stop:
        yield pattern.stop


def sequence(*elements: RowPattern) -> RowPattern:
    """Returns elements one after another; a sequence among them gives its own elements."""
    inner = [e for each in elements for e in _inside(each, Sequence)]
    return inner[0] if len(inner) == 1 else Sequence(tuple(inner))


def alternation(*elements: RowPattern) -> RowPattern:
    """Returns alternatives, the preferred first; an alternation among them gives its own ones."""
    inner = [e for each in elements for e in _inside(each, Alternation)]
    return inner[0] if len(inner) == 1 else Alternation(tuple(inner))


def _inside(
    pattern: RowPattern, kind: type[Sequence] | type[Alternation]
) -> tuple[RowPattern, ...]:
    return pattern.elements if isinstance(pattern, kind) else (pattern,)


def gap(greedy: bool) -> RowPattern:
    """Returns ``{- X* -}`` or ``{- X*? -}``: any rows, by a variable that occurs nowhere else."""
    return Exclusion(Loop(Variable(""), 0, None, greedy))
