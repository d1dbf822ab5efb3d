"""Reads and writes SQL with sqlglot, the parser of everything but the clause."""

from __future__ import annotations

import logging
import re
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from match_recognize.errors import MatchRecognizeError
from match_recognize.translation.source import ENGINES, refusal

if TYPE_CHECKING:
    from sqlglot import exp


def check_sqlglot() -> None:
    """Raises an error if sqlglot is not installed."""
    if find_spec("sqlglot") is None:
        raise MatchRecognizeError(
            "translate needs sqlglot, which is not installed. Install it with "
            'pip install "spark-match-recognize[translate]".'
        )


class NotUnderstood(Exception):  # noqa: N818
    """A piece of a text that sqlglot cannot read or write.

    Attributes:
        start: the index of its first character.
        end: the index after its last one.
    """

    def __init__(self, message: str, start: int = 0, end: int = 0, near: str = "") -> None:
        super().__init__(message)
        self.start = start
        self.end = end
        self._near = near

    def within(self, mask: str) -> tuple[int, int]:
        """Finds the piece in the text that was translated; all of the text if it is not known."""
        if self.end:
            return self.start, self.end
        found = re.search(self._near, mask, re.IGNORECASE) if self._near else None
        return found.span() if found else (0, len(mask))

    def as_refusal(self, text: str, read: str, start: int, end: int) -> MatchRecognizeError:
        """The error for the user, who wrote the piece at this place of the statement."""
        return refusal(
            text,
            start,
            end,
            f"This is not translated from {ENGINES[read]}: {self}.",
            "Write this part in another way, or translate it by hand.",
        )


def parsed(text: str, read: str) -> exp.Expr:
    """Parses a statement of an engine, or raises `NotUnderstood` with the place."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ErrorLevel, ParseError, TokenError

    from match_recognize.translation.own_dialects import DatabricksSql, FlinkSql

    own = {"databricks": DatabricksSql, "flink": FlinkSql}
    dialect = own.get(read, read)
    try:
        with _silence():
            trees = sqlglot.parse(text, read=dialect, error_level=ErrorLevel.IMMEDIATE)
    except ParseError as error:
        known = error.errors[0] if error.errors else {}
        message = str(known.get("description") or error).partition(" but got <")[0]
        message = message.strip().rstrip(".")
        if message.startswith("Required keyword"):
            message = "an operand is missing"
        raise NotUnderstood(message, *_place(text, known)) from None
    except TokenError:
        message = "a string, a name or a comment has no end"
        raise NotUnderstood(message, 0, len(text)) from None
    if len(trees) != 1 or trees[0] is None:
        raise NotUnderstood("one statement is expected", 0, len(text))
    kinds = (exp.Query, exp.Insert, exp.Create, exp.Merge, exp.Update, exp.Delete)
    if not isinstance(trees[0], kinds):
        raise NotUnderstood("statements of this kind are not translated", 0, len(text))
    return trees[0]


@contextmanager
def _silence() -> Generator[None, None, None]:
    """Keeps the warnings of sqlglot from the log: what it does not understand is refused."""
    logger = logging.getLogger("sqlglot")
    before = logger.disabled
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = before


def written(tree: exp.Expr, pretty: bool = False) -> str:
    """Writes a tree as Spark SQL, or raises `NotUnderstood` if that has no counterpart."""
    from sqlglot.errors import ErrorLevel, UnsupportedError

    try:
        return tree.sql(
            "spark",
            pretty=pretty,
            normalize_functions=False,
            unsupported_level=ErrorLevel.RAISE,
        )
    except UnsupportedError as error:
        message = str(error).rstrip(".")
        raise NotUnderstood(message, near=_functions_in(message, tree)) from None
    except Exception as error:
        # sqlglot fails with errors of its own where an argument that it expects is missing.
        message = f"sqlglot cannot write it as Spark SQL ({type(error).__name__}: {error})"
        raise NotUnderstood(message) from None


def _functions_in(message: str, tree: exp.Expr) -> str:
    """A pattern of the functions of a tree that a message of sqlglot names; empty without."""
    from sqlglot import exp

    names = {
        name
        for node in tree.find_all(exp.Func)
        if type(node).__name__ in message or any(name in message for name in node.sql_names())
        for name in node.sql_names()
    }
    return rf"\b(?:{'|'.join(sorted(names))})\b" if names else ""


def _place(text: str, known: dict[str, object]) -> tuple[int, int]:
    line, column = known.get("line"), known.get("col")
    if not isinstance(line, int) or not isinstance(column, int):
        return 0, len(text)
    lines = text.splitlines(keepends=True)
    end = min(sum(map(len, lines[: line - 1])) + column, len(text))
    return max(0, end - len(str(known.get("highlight") or "x"))), end
