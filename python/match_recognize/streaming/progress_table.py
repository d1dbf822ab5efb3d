"""The progress of a streaming query as a table: plain text for terminals, HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from match_recognize.streaming.stream_progress import ClauseProgress, Progress

NO_BATCH = "There are no numbers yet: no micro-batch with new rows has ended."

#: A label, and a value for each clause; a label without values is a title.
Line = tuple[str, Sequence[str]]


def text(progress: Progress) -> str:
    """Returns the progress as lines of plain text, at most 60 columns wide for one clause.

    Args:
        progress: of a query.
    """
    if progress.batch is None:
        return NO_BATCH
    lines = _lines(progress.clauses)
    labels = max(len(label) for label, _ in lines) + 2
    widths = [
        max(len(values[i]) for _, values in lines if values) for i in range(len(progress.clauses))
    ]
    facts = [f"{name:<{labels}}{value}" for name, value in _facts(progress)]
    table = [
        label.ljust(labels) + "  ".join(map(str.rjust, values, widths)) for label, values in lines
    ]
    return "\n".join(line.rstrip() for line in [*facts, "", *table])


def html(progress: Progress) -> str:
    """Returns the progress as an HTML table.

    Args:
        progress: of a query.
    """
    if progress.batch is None:
        return f"<p>{escape(NO_BATCH)}</p>"
    columns = len(progress.clauses)
    rows = [
        f'<tr><td {LEFT}>{escape(name)}</td><td colspan="{columns}">{escape(value)}</td></tr>'
        for name, value in _facts(progress)
    ]
    for label, values in _lines(progress.clauses):
        cells = "".join(f"<td>{escape(value)}</td>" for value in values)
        if not values:
            rows.append(f'<tr><th {LEFT} colspan="{columns + 1}">{escape(label)}</th></tr>')
        else:
            rows.append(f"<tr><td {LEFT}>{escape(label.strip())}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


# Notebooks align cells to the right.
LEFT = 'style="text-align: left"'


def _facts(progress: Progress) -> list[tuple[str, str]]:
    """What all clauses have in common."""
    return [
        ("micro-batch", f"{progress.batch}"),
        ("duration", duration(progress.seconds)),
        ("input rows per second", rate(progress.input_rows_per_second)),
        ("watermark", utc(progress.watermark)),
    ]


def _lines(clauses: Sequence[ClauseProgress]) -> list[Line]:
    def counts(label: str, name: str) -> Line:
        return f"  {label}", [count(getattr(clause, name)) for clause in clauses]

    names = [("", [f"operator {clause.operator}" for clause in clauses])]
    return [
        *(names if len(clauses) > 1 else []),
        ("in this micro-batch", ()),
        counts("searched rows", "rows"),
        counts("late rows", "late_rows"),
        counts("rows without a time", "rows_without_time"),
        counts("matches", "matches"),
        counts("timed-out matches", "timed_out_matches"),
        counts("output rows", "output_rows"),
        ("at its end", ()),
        counts("waiting rows", "waiting_rows"),
        counts("retained rows", "retained_rows"),
        counts("partial matches", "partial_matches"),
        counts("state rows", "state_rows"),
        ("  state size", [size(clause.state_bytes) for clause in clauses]),
    ]


UNKNOWN = "unknown"


def count(number: int | None) -> str:
    """Returns 1234567 as ``1,234,567``.

    Args:
        number: None if it is not known.
    """
    return UNKNOWN if number is None else f"{number:,}"


def rate(per_second: float | None) -> str:
    """Returns 1234.5 as ``1,234`` and 0.25 as ``0.2``.

    Args:
        per_second: None if it is not known.
    """
    if per_second is None:
        return UNKNOWN
    return f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.1f}"


def duration(seconds: float | None) -> str:
    """Returns 0.35 as ``350 ms``, 1.25 as ``1.2 s`` and 125 as ``2 min 5 s``.

    Args:
        seconds: None if it is not known.
    """
    if seconds is None:
        return UNKNOWN
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"


def size(number: float) -> str:
    """Returns 1536 as ``1.5 KiB``.

    Args:
        number: of bytes.
    """
    if number < 1024:
        return f"{number:.0f} B"
    for unit in ("KiB", "MiB", "GiB"):
        number /= 1024
        if number < 1024:
            return f"{number:.1f} {unit}"
    return f"{number / 1024:,.1f} TiB"


def utc(time: str | None) -> str:
    """Returns ``2026-01-05T10:00:00.000Z`` as ``2026-01-05 10:00:00 UTC``.

    Args:
        time: ISO 8601 in UTC; None if there is none.
    """
    if time is None:
        return UNKNOWN
    return time.replace("T", " ").replace(".000", "").replace("Z", " UTC")
