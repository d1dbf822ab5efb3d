"""A statement with colours and the picture of its pattern, for notebooks."""

from __future__ import annotations

import html
import re

from match_recognize.errors import MatchRecognizeError

TOKEN = re.compile(
    r"""
    (?P<comment>--[^\n]*|/\*.*?\*/)
  | (?P<string>[rRxX]?'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<word>[^\W\d]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)

KEYWORDS_TEXT = """
AFTER ALL AND AS ASC BETWEEN BY CASE CAST DEFINE DESC DISTINCT ELSE EMPTY END FALSE FILTER
FINAL FIRST FROM IN INTERVAL IS LAST LIKE MATCH MATCHES MATCH_RECOGNIZE MEASURES NEXT NO NOT
NULL NULLS OMIT ONE OR ORDER PARTITION PAST PATTERN PER PERMUTE PREV RLIKE ROW ROWS RUNNING
SELECT SHOW SKIP SUBSET THEN TIMEOUT TO TRUE UNMATCHED WHEN WHERE WITH WITHIN
"""
KEYWORDS = frozenset(KEYWORDS_TEXT.split())

#: Readable on light and on dark pages.
COLOURS = {"comment": "#888888", "string": "#2e8b57", "keyword": "#3f7fbf"}


def statement_html(text: str, has_pattern: bool) -> str:
    """Returns a statement as HTML, and its pattern, if there is one, as a railroad diagram."""
    shown = highlighted(text)
    if not has_pattern:
        return shown
    from match_recognize.plot import diagram

    try:
        picture = diagram(text).svg
    except MatchRecognizeError as error:
        # What is wrong must not hide the statement.
        return f"{shown}\n<pre>{html.escape(str(error))}</pre>"
    return f'{shown}\n<div style="overflow-x:auto">{picture}</div>'


def highlighted(text: str) -> str:
    """Returns a statement as HTML."""
    pieces: list[str] = []
    position = 0
    for token in TOKEN.finditer(text):
        pieces.append(html.escape(text[position : token.start()]))
        pieces.append(_span(token[0], token.lastgroup or ""))
        position = token.end()
    pieces.append(html.escape(text[position:]))
    return f'<pre class="match-recognize"><code>{"".join(pieces)}</code></pre>'


def _span(text: str, kind: str) -> str:
    shown = html.escape(text)
    colour = COLOURS.get("keyword" if kind == "word" and text in KEYWORDS else kind)
    return shown if colour is None else f'<span style="color: {colour}">{shown}</span>'
