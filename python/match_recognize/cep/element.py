"""One element of a pattern sequence: a pattern or a group, and what was said about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from match_recognize.builder.expression import Expression
from match_recognize.builder.places import Place


class Contiguity(Enum):
    """How an element follows the one before it; the values are the names of the methods."""

    FIRST = "begin"
    NEXT = "next"
    FOLLOWED_BY = "followed_by"
    FOLLOWED_BY_ANY = "followed_by_any"
    NOT_NEXT = "not_next"
    NOT_FOLLOWED_BY = "not_followed_by"


ABSENCES = (Contiguity.NOT_NEXT, Contiguity.NOT_FOLLOWED_BY)


class Inner(Enum):
    """Which events a loop passes over between two iterations."""

    RELAXED = "followed_by"
    STRICT = "consecutive"
    ANY = "allow_combinations"


@dataclass(frozen=True)
class Element:
    """A pattern, or a group of patterns, of a sequence."""

    contiguity: Contiguity
    place: Place
    name: str = ""
    group: tuple[Element, ...] = ()
    condition: Expression | None = None
    low: int = 1
    high: int | None = 1
    counted: bool = False
    optional: bool = False
    greedy: bool = False
    inner: Inner = Inner.RELAXED
    stop: Expression | None = None

    @property
    def label(self) -> str:
        """What errors call it."""
        return f"the pattern {self.name}" if self.name else "the group"

    @property
    def is_absence(self) -> bool:
        """Whether it is an event that must not come."""
        return self.contiguity in ABSENCES

    @property
    def varies(self) -> bool:
        """Whether the number of its iterations is open: greedy and reluctant then differ."""
        return self.counted and self.low != self.high


def all_of(elements: tuple[Element, ...]) -> Iterator[Element]:
    """Returns the elements of a sequence and of its groups, each group before its elements."""
    for element in elements:
        yield element
        yield from all_of(element.group)


def patterns_of(elements: tuple[Element, ...]) -> Iterator[Element]:
    """Returns the patterns of a sequence and of its groups, in order."""
    return (element for element in all_of(elements) if not element.group)
