"""Completion of keywords, variables and columns in cells of ``%%match_recognize``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from IPython.core import completer
from IPython.core.completer import SimpleCompletion

from match_recognize.builder import checks
from match_recognize.notebook.magic import session_of
from match_recognize.session.error_log import without_error_log
from match_recognize.sql_text.frame_names import names as frame_names
from match_recognize.sql_text.names import quoted
from match_recognize.sql_text.tokens import closing, tokens

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

MAGIC = "%%match_recognize"

#: What can be written in a clause, as it is written.
_WRITTEN = """
    MATCH_RECOGNIZE ( | PARTITION BY | ORDER BY | MEASURES | ONE ROW PER MATCH
    | ALL ROWS PER MATCH | ALL ROWS PER MATCH SHOW EMPTY MATCHES
    | ALL ROWS PER MATCH OMIT EMPTY MATCHES | ALL ROWS PER MATCH WITH UNMATCHED ROWS
    | SHOW TIMEOUT MATCHES | AFTER MATCH SKIP PAST LAST ROW | AFTER MATCH SKIP TO NEXT ROW
    | AFTER MATCH SKIP TO FIRST | AFTER MATCH SKIP TO LAST | AFTER MATCH NO SKIP | PATTERN (
    | PERMUTE( | WITHIN INTERVAL | SUBSET | DEFINE | PREV( | NEXT( | FIRST( | LAST( | RUNNING
    | FINAL | CLASSIFIER() | MATCH_NUMBER() | EXPLAIN MATCH_RECOGNIZE | SELECT | FROM | WHERE
    | INTERVAL | BETWEEN | COUNT( | SUM( | AVG( | MIN( | MAX(
"""
PHRASES = tuple(map(str.strip, _WRITTEN.split("|")))

#: The words that end where the cursor is; the last is the one to complete, perhaps empty.
WORDS = re.compile(r"(?:[^\W\d]\w*\s+)*(?:[^\W\d]\w*)?\Z")

#: The name of a table or view.
TABLE = re.compile(r"\bFROM\s+((?:\w+|`[^`]+`)(?:\.(?:\w+|`[^`]+`))*)", re.IGNORECASE)


def load(shell: InteractiveShell) -> None:
    """Adds the completion to a shell, once."""
    unload(shell)
    shell.Completer.custom_matchers.append(_matcher(cast("dict[str, Any]", shell.user_ns)))


def unload(shell: InteractiveShell) -> None:
    """Removes the completion from a shell."""
    matchers: list[Any] = shell.Completer.custom_matchers
    matchers[:] = [m for m in matchers if getattr(m, "matcher_identifier", "") != MAGIC]


def _matcher(variables: Mapping[str, Any]) -> Any:
    @completer.context_matcher(identifier=MAGIC)  # type: ignore[untyped-decorator]
    def complete_clause(context: CompletionContext) -> SimpleMatcherResult:
        """Completes a word in a cell of the magic; elsewhere it offers nothing."""
        first, _, cell = context.full_text.partition("\n")
        found: list[str] = []
        fragment = ""
        if context.cursor_line > 0 and re.match(rf"\s*{MAGIC}\b", first):
            before = context.line_with_cursor[: context.cursor_position]
            found = candidates(cell, before, lambda: columns_of(cell, variables))
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

    return complete_clause


def candidates(cell: str, before: str, columns: Callable[[], list[str]]) -> list[str]:
    """Returns what can follow, each as the text in place of the word before the cursor.

    The columns of the input are asked for only where one may be meant.
    """
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
    # After a dot: the column of a variable.
    dotted = re.search(rf"[\w`]\.{word}\Z", before) is not None
    if not word and not dotted:
        return []
    phrases = [] if dotted else [text for text in PHRASES if text.startswith(word.upper())]
    names: dict[str, None] = dict.fromkeys([*(() if dotted else variables_of(cell)), *columns()])
    start = word.upper()
    return [
        *(n for n in names if n.strip("`").upper().startswith(start) and n.upper() != start),
        *(text.lower() if lower else text for text in phrases),
    ]


def columns_of(cell: str, variables: Mapping[str, Any]) -> list[str]:
    """Returns the columns of the frames in braces and of the tables after FROM, as written."""
    found: list[str] = []
    for name in frame_names(cell):
        frame = variables.get(name)
        # Arrow has the names apart from the columns.
        found.extend(map(str, getattr(frame, "column_names", getattr(frame, "columns", []))))
    for table in TABLE.finditer(cell):
        # There may be no such table, or no session yet.
        with suppress(Exception), without_error_log():
            found.extend(session_of(variables).table(table[1]).columns)
    return [quoted(name) for name in found]


def typed(before: str) -> list[str]:
    """Returns the words up to the cursor. The last one is to complete, and may be empty."""
    found = WORDS.search(before)
    words = found[0].split() if found else []
    return words if words and not before[-1].isspace() else [*words, ""]


def variables_of(cell: str) -> list[str]:
    """Returns the variables in PATTERN, in the order of the text."""
    found = list(tokens(cell))
    for i, (name, opening) in enumerate(zip(found, found[1:])):
        if name.word == "PATTERN" and opening.kind == "open":
            close = closing(found, i + 1)
            # If the parenthesis is still open, what follows may be other words.
            if close is None:
                break
            return checks.variables_of(cell[opening.end : found[close].start]) or []
    return []
