"""An explanation as a notebook shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

CONDITIONS = "Conditions:"
HINTS = "What to look at:"

#: A condition with its counts. A variable without a condition has no values to count.
COUNTED = re.compile(
    r"(?P<condition>.*): tested on (?P<tested>[\d,]+) rows?"
    r"(?:: true for (?P<true>[\d,]+), false for (?P<false>[\d,]+), NULL for (?P<null>[\d,]+))?"
)


def explanation_html(lines: Sequence[str]) -> str:
    """Returns an explanation as HTML: conditions as a table, hints as a list.

    Args:
        lines: of the explanation. Parts begin with a title, and a blank line is between them.
    """
    parts: list[list[str]] = [[]]
    for line in lines:
        if line:
            parts[-1].append(line)
        else:
            parts.append([])
    return "\n".join(_part(part) for part in parts if part)


def _part(part: Sequence[str]) -> str:
    title, *rest = part
    heading = f"<p><b>{escape(title)}</b></p>"
    if title == CONDITIONS:
        return f"{heading}\n{_table([line.strip() for line in rest])}"
    if title == HINTS:
        items = "\n".join(f"<li>{escape(line[4:])}</li>" for line in rest)
        return f"{heading}\n<ul>\n{items}\n</ul>"
    return f"{heading}\n{_text(rest)}" if rest else heading


def _text(lines: Sequence[str]) -> str:
    """The lines as they are; a title may be followed by lines that are not indented."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _table(conditions: Sequence[str]) -> str:
    head = "".join(_cell("th", name) for name in ("condition", "tested", "true", "false", "NULL"))
    body = "\n".join(f"<tr>{_row(each)}</tr>" for each in conditions)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _row(condition: str) -> str:
    found = COUNTED.fullmatch(condition)
    if found is None:
        return f'<td colspan="5" style="text-align:left">{escape(condition)}</td>'
    texts = [found["condition"], *(found[name] or "" for name in ("tested", "true", "false"))]
    return "".join(_cell("td", text) for text in [*texts, found["null"] or ""])


def _cell(tag: str, text: str) -> str:
    side = "right" if text.isdigit() or (tag == "th" and text != "condition") else "left"
    return f'<{tag} style="text-align:{side}">{escape(text)}</{tag}>'
