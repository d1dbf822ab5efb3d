"""Windows in a clause, and patterns in a window: Spark has neither."""

from __future__ import annotations

from collections.abc import Sequence

from match_recognize.sql_text.tokens import Token, closing, tokens
from match_recognize.translation.source import refusal

#: A subquery in parentheses begins with one of these, the text of a window with none.
_QUERIES = {"FROM", "SELECT", "TABLE", "VALUES", "WITH"}


def check_functions(text: str, mask: str, start: int, end: int) -> None:
    """Refuses window functions in an expression of a clause.

    Args:
        text: the statement.
        mask: the statement as `source.masked` shows it.
        start: the index of the first character of the expression.
        end: the index after its last one.

    Raises:
        MatchRecognizeError: with what to write instead.
    """
    found = list(tokens(mask[start:end]))
    for i in range(len(found)):
        if _is_over(found, i):
            first, last = found[_call_before(found, i)], found[_last_of_window(found, i)]
            raise refusal(
                text,
                start + first.start,
                start + last.end,
                "A clause has no window functions in Spark.",
                "Compute this as a column of a subquery before MATCH_RECOGNIZE, and write the "
                "name of the column here.",
            )


def check_patterns(text: str, mask: str) -> None:
    """Refuses patterns in windows.

    Args:
        text: the statement.
        mask: the statement as `source.masked` shows it.

    Raises:
        MatchRecognizeError: with what to write instead.
    """
    found = list(tokens(mask))
    for i, token in enumerate(found):
        if _is_pattern_of_window(found, i):
            raise refusal(
                text,
                token.start,
                found[_closing(found, i + 1)].end,
                "Windows have no row patterns in Spark.",
                "Write the pattern in FROM table MATCH_RECOGNIZE ( ... ), which returns a row "
                "for each match, and join these to the table where its other rows are needed.",
            )


def _is_over(found: Sequence[Token], i: int) -> bool:
    """Whether a window follows a call here, perhaps after IGNORE NULLS."""
    if found[i].word != "OVER" or i == 0 or i + 1 == len(found):
        return False
    before, after = found[i - 1], found[i + 1]
    return (before.kind == "close" or before.word == "NULLS") and (
        after.kind == "open" or after.is_name
    )


def _last_of_window(found: Sequence[Token], over: int) -> int:
    """The last token of a window: its name, or the end of its parentheses."""
    return _closing(found, over + 1) if found[over + 1].kind == "open" else over + 1


def _call_before(found: Sequence[Token], over: int) -> int:
    """The name of the function that a window belongs to."""
    depth = 0
    for i in range(over - 1, -1, -1):
        depth += (found[i].kind == "close") - (found[i].kind == "open")
        if depth == 0 and found[i].kind == "open" and found[i - 1].is_name:
            # FILTER (WHERE ...) and WITHIN GROUP (ORDER BY ...) follow a call, too.
            if found[i - 1].word not in ("FILTER", "GROUP"):
                return i - 1
        elif depth < 0:
            break
    return over


def _is_pattern_of_window(found: Sequence[Token], i: int) -> bool:
    """Whether PATTERN ( is here, directly in the parentheses of a window."""
    if found[i].word != "PATTERN" or i + 1 == len(found) or found[i + 1].kind != "open":
        return False
    # A function or a column of this name follows other words.
    if not (found[i - 1].kind == "close" or found[i - 1].is_name) or found[i - 1].word in (
        "AS",
        "BY",
    ):
        return False
    opening = _opening(found, i)
    if opening < 2 or found[opening + 1].word in _QUERIES:
        return False
    named = found[opening - 1].word == "AS" and found[opening - 2].is_name
    return found[opening - 1].word == "OVER" or named


def _opening(found: Sequence[Token], inside: int) -> int:
    """The parenthesis around a token; -1 without one."""
    depth = 0
    for i in range(inside - 1, -1, -1):
        depth += (found[i].kind == "close") - (found[i].kind == "open")
        if depth < 0:
            return i
    return -1


def _closing(found: Sequence[Token], opening: int) -> int:
    """The parenthesis that closes one, or the end of a text that is cut off."""
    close = closing(found, opening)
    return len(found) - 1 if close is None else close
