"""The nodes of sqlglot's syntax tree for the clause."""

from __future__ import annotations

from typing import ClassVar

from sqlglot.expressions.core import Expression
from sqlglot.expressions.query import UDTF


class RowPatternMatch(Expression, UDTF):
    """A table with its MATCH_RECOGNIZE clause: ``this MATCH_RECOGNIZE ( ... ) AS alias``.

    sqlglot's own node ``MatchRecognize`` is a modifier of the whole SELECT, so it knows neither
    which of several tables it follows nor what is joined after it.
    """

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "partition_by": False,
        "order": False,
        "measures": False,
        "rows": False,
        "after": False,
        "pattern": True,
        "within": False,
        "subset": False,
        "define": False,
        "alias": False,
        "joins": False,
        "laterals": False,
        "pivots": False,
        "sample": False,
    }


class VerbatimSql(Expression):
    """SQL as written: the row pattern, and what sqlglot would write otherwise."""


class RunningOrFinal(Expression):
    """``RUNNING f(x)`` or ``FINAL f(x)``."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "kind": True}
