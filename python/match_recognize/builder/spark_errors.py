"""Errors of Spark about a built statement, with the Python line of the part that they concern."""

from __future__ import annotations

import re
from typing import Any

from match_recognize.builder.statement import Statement
from match_recognize.sql_text.underlined import underlined

#: "line 7, pos 4", "line 7 pos 4" and "line 7, position 5", by the kind of error.
LINE = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")


def explain(error: Exception, statement: Statement) -> None:
    """Adds the Python line to an error of Spark, which stays what it is."""
    found = LINE.search(str(error))
    part = statement.part_at(int(found[1])) if found else None
    if found and part is not None:
        line = ""
        if "== SQL" not in str(error):
            # The analyzer of Spark names a place in a text that the user does not see.
            line = underlined(statement.text, int(found[1]), int(found[2]))
        _append(error, f"{line}\n\nThe {part.label} was written here:\n  {part.place}")


def _append(error: Any, text: str) -> None:
    # Errors of classic sessions print _desc, before Spark 4.0 desc; those of Connect and of
    # PySpark itself print _message or message. The arguments are for all others.
    for name in ("_desc", "desc", "_message", "message"):
        value = getattr(error, name, None)
        if isinstance(value, str):
            setattr(error, name, value.rstrip("\n") + text)
    if error.args and isinstance(error.args[0], str):
        error.args = (error.args[0] + text, *error.args[1:])
