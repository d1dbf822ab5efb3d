"""A table of facts and counts: plain text for terminals, HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

#: A name and its value, above the counts.
Fact = tuple[str, str]

#: A label, and a value for each column; a label without values is a title.
Line = tuple[str, Sequence[str]]

# Notebooks align cells to the right.
LEFT = 'style="text-align: left"'


def text(facts: Sequence[Fact], lines: Sequence[Line]) -> str:
    """Returns the table as lines of plain text."""
    labels = max(len(label) for label, values in lines if values) + 2
    columns = zip(*(values for _, values in lines if values))
    widths = [max(map(len, column)) for column in columns]
    above = [f"{name:<{labels}}{value}" for name, value in facts]
    table = [
        label.ljust(labels) + "  ".join(map(str.rjust, values, widths)) for label, values in lines
    ]
    return "\n".join(line.rstrip() for line in [*above, "", *table])


def html(facts: Sequence[Fact], lines: Sequence[Line]) -> str:
    """Returns the table as HTML."""
    columns = max(len(values) for _, values in lines)
    rows = [
        f'<tr><td {LEFT}>{escape(name)}</td><td colspan="{columns}">{escape(value)}</td></tr>'
        for name, value in facts
    ]
    for label, values in lines:
        cells = "".join(f"<td>{escape(value)}</td>" for value in values)
        if not values:
            title = escape(label.strip())
            rows.append(f'<tr><th {LEFT} colspan="{columns + 1}">{title}</th></tr>')
        else:
            rows.append(f"<tr><td {LEFT}>{escape(label.strip())}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


UNKNOWN = "unknown"


def count(number: int | None) -> str:
    """Returns 1234567 as ``1,234,567``.

    Args:
        number: None if it is not known.
    """
    return UNKNOWN if number is None else f"{number:,}"


def rate(per_second: float | None) -> str:
    """Returns 1234.5 as ``1,234`` and 0.25 as ``0.2``."""
    if per_second is None:
        return UNKNOWN
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.1f}"


def duration(seconds: float | None) -> str:
    """Returns 0.35 as ``350 ms``, 1.25 as ``1.2 s`` and 125 as ``2 min 5 s``."""
    if seconds is None:
        return UNKNOWN
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"


def size(number: float) -> str:
    """Returns 1536 as ``1.5 KiB``."""
    if number < 1024:
        return f"{number:.0f} B"
    for unit in ("KiB", "MiB", "GiB"):
        number /= 1024
        if number < 1024:
            return f"{number:.1f} {unit}"
    return f"{number / 1024:,.1f} TiB"


def utc(time: str | None) -> str:
    """Returns ``2026-01-05T10:00:00.000Z`` as ``2026-01-05 10:00:00 UTC``."""
    if time is None:
        return UNKNOWN
    return time.replace("T", " ").replace(".000", "").replace("Z", " UTC")
