"""A picture of a row pattern."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Protocol

from match_recognize.errors import MatchRecognizeError
from match_recognize.plot import shapes
from match_recognize.plot.pattern_shapes import PatternShapes
from match_recognize.plot.railroad import Lines
from match_recognize.row_pattern.absences import with_gap_absences
from match_recognize.row_pattern.reader import read_pattern
from match_recognize.sql_text.clause_parts import Clause, only_clause
from match_recognize.sql_text.names import unquoted
from match_recognize.sql_text.tokens import tokens

#: A wider diagram continues in a second line.
_WIDTH = 700

_MARGIN = 20


class HasSql(Protocol):
    """A query that can say its SQL text, as the builder does."""

    def sql(self) -> str:
        """Returns the text."""
        ...


@dataclass(frozen=True)
class Diagram:
    """A picture in SVG. A notebook shows it as the result of a cell.

    Attributes:
        svg: the text of the file; ``str()`` returns it, too.
    """

    svg: str = field(repr=False)

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # A picture wider than the cell scrolls; shrunk, its letters could not be read.
        return f'<div style="overflow-x:auto">{self.svg}</div>'

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the picture to a file.

        Args:
            path: of the file, with the ending ``.svg``: the picture is one of SVG.
        """
        if Path(path).suffix.lower() != ".svg":
            raise MatchRecognizeError(
                f"A diagram is a picture of SVG, and {path} has another ending. Write .svg."
            )
        Path(path).write_text(self.svg, encoding="utf-8")


def diagram(query: str | HasSql) -> Diagram:
    """Draws a row pattern as a railroad diagram.

    Conditions of DEFINE are beneath the boxes. Nothing runs, and no session is needed.
    ``diagram(...).save("pattern.svg")`` writes a file.

    Examples:
        >>> from match_recognize.plot import diagram
        >>> str(diagram("A B+ C?"))[:4]
        '<svg'

    Args:
        query: a statement with one MATCH_RECOGNIZE clause, the content of PATTERN alone, or an
            object whose method ``sql()`` returns such a statement.

    Returns:
        The picture.

    Raises:
        MatchRecognizeError: a text that cannot be read, with the place and a suggestion.
        TypeError: `query` is neither a text nor an object with such a method.
    """
    text = query if isinstance(query, str) else _sql_of(query)
    if not any(token.word == "MATCH_RECOGNIZE" for token in tokens(text)):
        return Diagram(_picture(text, {}, []))
    clause = only_clause(text)
    return Diagram(_picture(clause.pattern.text, conditions_of(clause), _options(clause)))


def _sql_of(query: HasSql) -> str:
    text = query.sql() if callable(getattr(query, "sql", None)) else None
    if not isinstance(text, str):
        raise TypeError(
            "diagram takes an SQL text or a query whose method sql() returns one, not "
            f"{type(query).__module__}.{type(query).__qualname__}."
        )
    return text


def conditions_of(clause: Clause) -> dict[str, str]:
    """Returns the conditions of DEFINE by variable in capitals, each in one line."""
    return {
        unquoted(each.variable).upper(): _one_line(each.condition) for each in clause.definitions
    }


def _one_line(text: str) -> str:
    pieces = [(token.start, token.end) for token in tokens(text)]
    joined = ""
    for i, (start, end) in enumerate(pieces):
        # Blanks between tokens count as one; comments count as blanks.
        joined += " " if i and start > pieces[i - 1][1] else ""
        joined += text[start:end]
    return re.sub(r"\s+", " ", joined)


def _options(clause: Clause) -> list[str]:
    """The options that decide what a match is, one line each."""
    lines: list[str] = []
    if clause.within:
        lines.append(f"WITHIN {_one_line(clause.within.text)}")
    if clause.after_match:
        lines.append(_one_line(clause.after_match.text))
    if clause.subset:
        lines.append(f"SUBSET {_one_line(clause.subset.text)}")
    return lines


def _picture(pattern: str, conditions: Mapping[str, str], options: list[str]) -> str:
    tree = with_gap_absences(read_pattern(pattern), frozenset(conditions))
    rails = Lines(PatternShapes(conditions).elements(tree), _WIDTH)
    elements = rails.draw(_MARGIN, _MARGIN + rails.up)
    width, y = rails.width, _MARGIN + rails.up + rails.down + _MARGIN
    for line in options:
        elements.append(shapes.text(_MARGIN, y, line, "dim", shapes.SMALL, "start"))
        width = max(width, shapes.text_width(line, shapes.SMALL))
        y += 16
    return shapes.document(width + 2 * _MARGIN, y, elements, f"Row pattern {_one_line(pattern)}")
