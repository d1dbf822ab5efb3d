"""Writes a row pattern as the text between the parentheses of PATTERN."""

from __future__ import annotations

from collections.abc import Iterator

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
    gap,
    names,
)
from match_recognize.sql_text.names import free_names, quoted_variable

# How strongly the forms of a pattern bind, from the weakest on.
_ALTERNATION, _SEQUENCE, _QUANTIFIED, _PRIMARY = range(4)


def write_pattern(pattern: RowPattern) -> str:
    """Returns a pattern as SQL."""
    return _text(pattern, free_names("GAP", names(pattern)))


def _text(pattern: RowPattern, gaps: Iterator[str]) -> str:
    if isinstance(pattern, Variable):
        return quoted_variable(pattern.name) if pattern.name else next(gaps)
    if isinstance(pattern, Sequence):
        return " ".join(_within(each, _QUANTIFIED, gaps) for each in pattern.elements)
    if isinstance(pattern, Alternation):
        return " | ".join(_within(each, _SEQUENCE, gaps) for each in pattern.elements)
    if isinstance(pattern, Permutation):
        return f"PERMUTE({', '.join(_text(each, gaps) for each in pattern.elements)})"
    if isinstance(pattern, Exclusion):
        return f"{{- {_text(pattern.element, gaps)} -}}"
    if isinstance(pattern, Loop):
        return _loop(pattern, gaps)
    if isinstance(pattern, Anchor):
        return "$" if pattern.at_end else "^"
    if isinstance(pattern, Absence):
        before = f"{_text(gap(greedy=False), gaps)} " if pattern.over_gap else ""
        return f"{before}[^{quoted_variable(pattern.name)}]"
    assert isinstance(pattern, Empty)
    return "()"


def _within(pattern: RowPattern, strength: int, gaps: Iterator[str]) -> str:
    """A part's text, in parentheses if it binds less strongly than its place needs."""
    text = _text(pattern, gaps)
    return text if _strength(pattern) >= strength else f"({text})"


def _strength(pattern: RowPattern) -> int:
    if isinstance(pattern, Alternation):
        return _ALTERNATION
    if isinstance(pattern, Sequence):
        return _SEQUENCE
    # An absence over a gap is two elements, and is at home in a sequence.
    over_gap = isinstance(pattern, Absence) and pattern.over_gap
    return _QUANTIFIED if isinstance(pattern, Loop) or over_gap else _PRIMARY


def _loop(loop: Loop, gaps: Iterator[str]) -> str:
    # ${ would be a variable of Spark's, so an anchor stands in parentheses.
    needed = _PRIMARY + isinstance(loop.element, Anchor)
    marks = ("??" if loop.loose else "") + ("" if loop.greedy else "?")
    stop = f"{{{quoted_variable(loop.stop)}}}" if loop.stop else ""
    return _within(loop.element, needed, gaps) + _quantifier(loop) + marks + stop


def _quantifier(loop: Loop) -> str:
    lower, upper = loop.lower, loop.upper
    if upper is None and lower in (0, 1):
        return "+" if lower else "*"
    if (lower, upper) == (0, 1):
        return "?"
    if lower == upper:
        return f"{{{lower}}}"
    return f"{{{lower or ''},{'' if upper is None else upper}}}"
