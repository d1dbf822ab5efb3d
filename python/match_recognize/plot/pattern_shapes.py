"""A row pattern as shapes of a railroad diagram."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping

from match_recognize.plot.railroad import Around, Box, Choice, Frame, Row, Shape, Way
from match_recognize.row_pattern.tree import (
    Absence,
    Alternation,
    Anchor,
    Empty,
    Exclusion,
    Loop,
    Permutation,
    RowPattern,
    Sequence,
    Variable,
)

#: A longer condition is broken into lines of about this many characters.
LINE = 30


def tooltip(name: str, conditions: Mapping[str, str]) -> str:
    """Returns what a variable stands for. The keys of the conditions are in capitals."""
    condition = conditions.get(name.upper())
    return f"{name} AS {condition}" if condition else f"{name} has no condition: any row"


class PatternShapes:
    """Makes the shapes of a pattern; the first box of a variable shows its condition."""

    def __init__(self, conditions: Mapping[str, str]) -> None:
        self.conditions = conditions
        self.shown: set[str] = set()

    def elements(self, pattern: RowPattern) -> list[Shape]:
        """Returns the shapes that follow each other."""
        if not isinstance(pattern, Sequence):
            return [self.shape(pattern)]
        last = len(pattern.elements) - 1
        return [self.shape(each, i == last) for i, each in enumerate(pattern.elements)]

    def shape(self, pattern: RowPattern, at_end: bool = True) -> Shape:
        """Returns the shape of a pattern."""
        if isinstance(pattern, Variable):
            return self._variable(pattern.name)
        if isinstance(pattern, Sequence):
            return Row(self.elements(pattern))
        if isinstance(pattern, Alternation):
            return Choice([self.shape(each) for each in pattern.elements])
        if isinstance(pattern, Permutation):
            choice = Choice([self.shape(each) for each in pattern.elements], numbered=False)
            return Around(choice, None, Way("each once, in any order"))
        if isinstance(pattern, Exclusion):
            return Frame(
                self.shape(pattern.element),
                "not in the output",
                "ALL ROWS PER MATCH does not return these rows",
            )
        if isinstance(pattern, Loop):
            return self._loop(pattern)
        if isinstance(pattern, Anchor):
            sign = "$" if pattern.at_end else "^"
            words = "end of partition" if pattern.at_end else "start of partition"
            return Box(words, f"{sign} takes no row", kind="test")
        if isinstance(pattern, Absence):
            return self._absence(pattern, at_end)
        assert isinstance(pattern, Empty)
        return Box("no row", "() takes no row", kind="test")

    def _variable(self, name: str) -> Shape:
        condition = self.conditions.get(name.upper(), "")
        first = name not in self.shown
        self.shown.add(name)
        notes = _lines(condition) if first else []
        return Box(name, tooltip(name, self.conditions), notes)

    def _absence(self, absence: Absence, at_end: bool) -> Shape:
        if not absence.over_gap:
            words = f"next row is no {absence.name}"
        elif at_end:
            words = f"no {absence.name} follows"
        else:
            words = f"no {absence.name} before the next element"
        return Box(words, tooltip(absence.name, self.conditions), kind="test")

    def _loop(self, loop: Loop) -> Shape:
        item = self.shape(loop.element)
        past = None
        if loop.lower == 0:
            past = Way("" if loop.greedy else "preferred")
        if loop.upper == 1:
            return Around(item, past, None) if past else item
        label = _times(loop)
        if not loop.greedy:
            label += ", few preferred"
        if loop.loose:
            label += ", passing over rows"
        if loop.stop:
            label += f", no {loop.stop} between"
        return Around(item, past, Way(label, dashed=loop.loose))


def _lines(condition: str) -> list[str]:
    """Breaks a condition before its ANDs and ORs, and where a part is still long."""
    parts = re.split(r" (?=AND |OR )", condition) if len(condition) > LINE else [condition]
    return [line for part in parts for line in textwrap.wrap(part, LINE, break_long_words=False)]


def _times(loop: Loop) -> str:
    """Says how often a loop is taken, as in ``2 to 4 times``."""
    lower, upper = loop.lower, loop.upper
    if lower == upper:
        return "once" if lower == 1 else f"{lower} times"
    if upper is None:
        return f"{lower} or more times"
    return f"up to {upper} times" if lower == 0 else f"{lower} to {upper} times"
