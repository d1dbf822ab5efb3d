"""Absences over a gap, which the text of a pattern writes as two elements."""

from __future__ import annotations

from dataclasses import replace

from match_recognize.row_pattern.tree import (
    Absence,
    Alternation,
    Exclusion,
    Loop,
    Permutation,
    RowPattern,
    Sequence,
    Variable,
    all_parts,
)


def with_gap_absences(pattern: RowPattern, defined: frozenset[str]) -> RowPattern:
    """Makes ``{- X*? -} [^B]`` one element, if X has no condition and occurs once."""
    names = [part.name for part in all_parts(pattern) if isinstance(part, Variable)]
    gaps = {
        Exclusion(Loop(Variable(name), 0, None, greedy=False))
        for name in names
        if names.count(name) == 1 and name not in defined
    }
    return _resolved(pattern, gaps)


def _resolved(pattern: RowPattern, gaps: set[Exclusion]) -> RowPattern:
    if isinstance(pattern, (Exclusion, Loop)):
        return replace(pattern, element=_resolved(pattern.element, gaps))
    if not isinstance(pattern, (Sequence, Alternation, Permutation)):
        return pattern
    elements: list[RowPattern] = []
    for element in pattern.elements:
        before = elements[-1] if elements else None
        sequence = isinstance(pattern, Sequence)
        if sequence and isinstance(element, Absence) and before in gaps:
            elements[-1] = Absence(element.name, over_gap=True)
        else:
            elements.append(_resolved(element, gaps))
    return elements[0] if len(elements) == 1 else type(pattern)(tuple(elements))
