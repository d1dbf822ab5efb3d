"""Completion of the clause's keywords and variables in cells of ``%%match_recognize``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from IPython.core import completer
from IPython.core.completer import SimpleCompletion

from match_recognize.builder import checks
from match_recognize.sql_text.tokens import tokens

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult

MAGIC = "%%match_recognize"

#: What can be written in a clause, as it is written.
PHRASES = tuple(
    line.strip()
    for line in """
        MATCH_RECOGNIZE (
        PARTITION BY
        ORDER BY
        MEASURES
        ONE ROW PER MATCH
        ALL ROWS PER MATCH
        ALL ROWS PER MATCH SHOW EMPTY MATCHES
        ALL ROWS PER MATCH OMIT EMPTY MATCHES
        ALL ROWS PER MATCH WITH UNMATCHED ROWS
        SHOW TIMEOUT MATCHES
        AFTER MATCH SKIP PAST LAST ROW
        AFTER MATCH SKIP TO NEXT ROW
        AFTER MATCH SKIP TO FIRST
        AFTER MATCH SKIP TO LAST
        AFTER MATCH NO SKIP
        PATTERN (
        PERMUTE(
        WITHIN INTERVAL
        SUBSET
        DEFINE
        PREV(
        NEXT(
        FIRST(
        LAST(
        RUNNING
        FINAL
        CLASSIFIER()
        MATCH_NUMBER()
        EXPLAIN MATCH_RECOGNIZE
        SELECT
        FROM
        WHERE
        INTERVAL
        BETWEEN
        COUNT(
        SUM(
        AVG(
        MIN(
        MAX(
    """.strip().splitlines()
)

#: The words that end where the cursor is; the last is the one to complete, perhaps empty.
WORDS = re.compile(r"(?:[^\W\d]\w*\s+)*(?:[^\W\d]\w*)?\Z")


@completer.context_matcher()  # type: ignore[untyped-decorator]
def complete_clause(context: CompletionContext) -> SimpleMatcherResult:
    """Completes a word in a cell of the magic; elsewhere it offers nothing."""
    first, _, cell = context.full_text.partition("\n")
    found: list[str] = []
    fragment = ""
    if context.cursor_line > 0 and re.match(rf"\s*{MAGIC}\b", first):
        before = context.line_with_cursor[: context.cursor_position]
        found = candidates(cell, before)
        fragment = typed(before)[-1]
    # A dictionary: IPython has the class for type checkers.
    return {
        "completions": [SimpleCompletion(text=text, type="keyword") for text in found],
        "matched_fragment": fragment,
        "ordered": True,
        # Python's names would only be in the way, but without a candidate they may be right:
        # {ticks} is a variable.
        "suppress": bool(found),
        "do_not_suppress": set(),
    }


def candidates(cell: str, before: str) -> list[str]:
    """Returns what can follow, each as the text in place of the word before the cursor."""
    *previous, word = typed(before)
    lower = word.islower()
    capitals = [each.upper() for each in previous]
    following = dict.fromkeys(
        " ".join(parts[count:])
        for parts in map(str.split, PHRASES)
        for count in range(len(parts) - 1, 0, -1)
        if capitals[-count:] == parts[:count] and parts[count].startswith(word.upper())
    )
    if following:
        return [text.lower() if lower else text for text in following]
    if not word:
        return []
    phrases = [text for text in PHRASES if text.startswith(word.upper())]
    variables = [
        name
        for name in variables_of(cell)
        if name.upper().startswith(word.upper()) and name.upper() != word.upper()
    ]
    return variables + [text.lower() if lower else text for text in phrases]


def typed(before: str) -> list[str]:
    """Returns the words up to the cursor. The last one is to complete, and may be empty."""
    found = WORDS.search(before)
    words = found[0].split() if found else []
    return words if words and not before[-1].isspace() else [*words, ""]


def variables_of(cell: str) -> list[str]:
    """Returns the variables in PATTERN, in the order of the text."""
    found = list(tokens(cell))
    start = next(
        (
            opening.end
            for name, opening in zip(found, found[1:])
            if name.word == "PATTERN" and opening.kind == "open"
        ),
        len(cell),
    )
    depth = 1
    for token in found:
        if token.start >= start:
            depth += (token.kind == "open") - (token.kind == "close")
            if depth == 0:
                return checks.variables_of(cell[start : token.start]) or []
    # The parenthesis is still open: what follows may be other words.
    return []
