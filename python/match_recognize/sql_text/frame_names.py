"""The names of DataFrames in a text, such as ``{ticks}``, among other braces."""

from __future__ import annotations

from collections.abc import Iterator

from match_recognize.sql_text.tokens import tokens


def names(text: str) -> list[str]:
    """The names in braces that name frames, in the order of the text."""
    return [name for _, name in pieces(text, escape=False) if name is not None]


def pieces(text: str, escape: bool) -> Iterator[tuple[str, str | None]]:
    """Cuts a text into plain text with None, and braces that name a frame with that name.

    With `escape`, the braces of plain text are doubled.
    """
    plain_from = 0
    for start, end, name in _frames(text):
        yield _escaped(text[plain_from:start], escape), None
        yield text[start:end], name
        plain_from = end
    yield _escaped(text[plain_from:], escape), None


def _escaped(text: str, escape: bool) -> str:
    return text.replace("{", "{{").replace("}", "}}") if escape else text


def _frames(text: str) -> Iterator[tuple[int, int, str]]:
    """Where frames are named: start, end, name.

    Follows the parentheses: PATTERN ( directly inside MATCH_RECOGNIZE ( opens a row pattern, and
    all up to its end belongs to that.
    """
    enclosing: list[str] = []
    word = ""
    for token in tokens(text):
        if token.kind == "open":
            enclosing.append(_opens(word, enclosing[-1] if enclosing else ""))
        elif token.kind == "close" and enclosing:
            enclosing.pop()
        elif token.kind == "frame" and "PATTERN" not in enclosing:
            yield token.start, token.end, token.name
        word = token.word


def _opens(word: str, inside: str) -> str:
    if word == "PATTERN" and inside == "MATCH_RECOGNIZE":
        return word
    return word if word == "MATCH_RECOGNIZE" else ""
