"""Rows as a table: of plain text, and of HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape


def text_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lays rows out in lines, numbers to the right: names, a rule, one line a row."""
    values = [list(row) for row in rows]
    cells = [list(columns)] + [[_text(value) for value in row] for row in values]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    right = _numbers(values, len(columns))
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right)
        ).rstrip()
        for line in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return lines


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same as an HTML table."""
    values = [list(row) for row in rows]
    right = _numbers(values, len(columns))
    head = _html_row("th", columns, right)
    body = "\n".join(_html_row("td", map(_text, row), right) for row in values)
    return f"<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _html_row(tag: str, texts: Iterable[str], right: Sequence[bool]) -> str:
    cells = (
        f'<{tag} style="text-align:{"right" if to_right else "left"}">{escape(text)}</{tag}>'
        for text, to_right in zip(texts, right)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _numbers(rows: Sequence[Sequence[object]], columns: int) -> list[bool]:
    """Which columns have numbers."""
    return [any(_is_number(row[i]) for row in rows) for i in range(columns)]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    return str(value)
