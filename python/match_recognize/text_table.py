"""Rows as a table of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal


def text_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Lays rows out in columns, numbers to the right.

    Args:
        columns: their names.
        rows: values in the columns' order.

    Returns:
        The lines: names, a rule, one line a row.
    """
    values = [list(row) for row in rows]
    cells = [list(columns)] + [[_text(value) for value in row] for row in values]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    right = [
        any(isinstance(row[i], (int, float, Decimal)) for row in values)
        for i in range(len(columns))
    ]
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right)
        ).rstrip()
        for line in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return lines


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    return str(value)
