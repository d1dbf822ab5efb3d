"""A statement with colours and the picture of its pattern, for notebooks."""

from __future__ import annotations

from html import escape

from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.tokens import tokens

KEYWORDS_TEXT = """
AFTER ALL AND AS ASC BETWEEN BY CASE CAST DEFINE DESC DISTINCT ELSE EMPTY END FALSE FILTER
FINAL FIRST FROM IN INTERVAL IS LAST LIKE MATCH MATCHES MATCH_RECOGNIZE MEASURES NEXT NO NOT
NULL NULLS OMIT ONE OR ORDER PARTITION PAST PATTERN PER PERMUTE PREV RLIKE ROW ROWS RUNNING
SELECT SHOW SKIP SUBSET THEN TIMEOUT TO TRUE UNMATCHED WHEN WHERE WITH WITHIN
"""
KEYWORDS = frozenset(KEYWORDS_TEXT.split())

#: Readable on light and on dark pages.
COMMENT, STRING, KEYWORD = "#888888", "#2e8b57", "#3f7fbf"


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
        return f"{shown}\n<pre>{escape(str(error))}</pre>"
    return f'{shown}\n<div style="overflow-x:auto">{picture}</div>'


def highlighted(text: str) -> str:
    """Returns a statement as HTML."""
    colours: dict[str, str] = dict.fromkeys(("string", "raw", "dollar"), STRING)
    shown = ""
    position = 0
    for token in tokens(text):
        # Between two tokens are blanks and comments.
        shown += _span(text[position : token.start], COMMENT)
        shown += _span(token.text, KEYWORD if token.text in KEYWORDS else colours.get(token.kind))
        position = token.end
    shown += _span(text[position:], COMMENT)
    return f'<pre class="match-recognize"><code>{shown}</code></pre>'


def _span(text: str, colour: str | None) -> str:
    plain = escape(text)
    return f'<span style="color: {colour}">{plain}</span>' if colour and text.strip() else plain
