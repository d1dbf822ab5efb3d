"""Errors of a cell: the message and the underlined text, without the traceback of Python."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager

from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.underlined import underlined

#: Connect appends the stack of the server's JVM to the message.
STACK = re.compile(r"\n\s*JVM stacktrace:\n.*|\n\tat .*", re.DOTALL)

#: Where Spark's analyzer puts the place. A message with a block "== SQL" shows it already.
PLACE = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)\s*$")


@contextmanager
def without_traceback(cell: str, prefix: int = 0) -> Generator[None, None, None]:
    """Lets errors of Spark and of this package pass, and IPython show their message only.

    The prefix is the number of characters that run before the cell's text.
    """
    from pyspark.errors import PySparkException

    try:
        yield
    except Exception as error:
        ours = isinstance(error, (MatchRecognizeError, PySparkException))
        # A job that fails before Spark 4.0 is an error of py4j.
        if ours or hasattr(error, "java_exception"):
            lines = message(error, cell, prefix).splitlines()
            # IPython and its kernel show this instead of a traceback.
            error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]
        raise


def message(error: Exception, cell: str, prefix: int = 0) -> str:
    """Returns what to show of an error: its message, with the wrong text underlined."""
    text = STACK.sub("", str(error)).strip()
    found = PLACE.search(text)
    if found is None or "== SQL" in text:
        return text
    return text + underlined(cell, int(found[1]), int(found[2]), prefix)
