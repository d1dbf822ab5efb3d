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
    cells.insert(1, ["-" * max(map(len, column)) for column in zip(*cells)])
    return text_lines(cells, _numbers(values, len(columns)))


def text_lines(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Lays lines of cells out in columns. One with fewer cells does not widen them."""
    most = max(map(len, lines))
    widths = [max(map(len, column)) for column in zip(*(e for e in lines if len(e) == most))]
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right)
        ).rstrip()
        for line in lines
    ]


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same as an HTML table."""
    values = [list(row) for row in rows]
    right = _numbers(values, len(columns))
    head = html_row("th", columns, right)
    body = "\n".join(html_row("td", [_text(value) for value in row], right) for row in values)
    return f"<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def html_row(tag: str, texts: Sequence[str], right: Sequence[bool]) -> str:
    """Returns a row of an HTML table, whose last cell spans the columns that are left."""
    spans = [1] * (len(texts) - 1) + [len(right) - len(texts) + 1]
    cells = (
        f'<{tag} style="text-align:{"right" if to_right else "left"}"'
        f"{f' colspan={span}' if span > 1 else ''}>{escape(text)}</{tag}>"
        for text, to_right, span in zip(texts, right, spans)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _numbers(rows: Sequence[Sequence[object]], columns: int) -> list[bool]:
    return [any(_is_number(row[i]) for row in rows) for i in range(columns)]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    return str(value)
