"""Names in SQL: backticks where a name needs them, and what a misspelled name was meant to be."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

#: Words that Spark reserves in ANSI mode, and words that begin a part of the clause.
RESERVED_TEXT = """
ALL AND ANTI ANY AS AUTHORIZATION BETWEEN BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT
CREATE CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DISTINCT ELSE END ESCAPE
EXCEPT EXISTS FALSE FETCH FILTER FOR FOREIGN FROM FULL GRANT GROUP HAVING IN INNER INTERSECT
INTERVAL INTO IS JOIN LATERAL LEADING LEFT LIKE LIMIT MINUS NATURAL NOT NULL OFFSET ON ONLY OR
ORDER OUTER OVERLAPS PRIMARY REFERENCES RIGHT SELECT SEMI SESSION_USER SOME TABLE THEN TO
TRAILING TRUE UNION UNIQUE UNKNOWN USER USING WHEN WHERE WITH AFTER ASC DEFINE DESC FINAL
INITIAL MEASURES NULLS ONE PARTITION PATTERN PERMUTE RUNNING SEEK SUBSET WITHIN
"""
RESERVED = frozenset(RESERVED_TEXT.split())


def needs_quotes(name: str) -> bool:
    """Whether a name must be in backticks.

    Args:
        name: a name of one part.
    """
    return not IDENTIFIER.fullmatch(name) or name.upper() in RESERVED


def quoted(name: str) -> str:
    """Returns a name as SQL, in backticks if it needs them.

    Args:
        name: a name of one part.
    """
    return "`" + name.replace("`", "``") + "`" if needs_quotes(name) else name


def quoted_variable(name: str) -> str:
    """Returns a pattern variable's name as SQL.

    CLASSIFIER() returns the upper case of a name without backticks. A reserved word keeps that
    rule here, although it is in backticks.

    Args:
        name: the variable's name as written in Python.
    """
    return quoted(name.upper()) if name.upper() in RESERVED else quoted(name)


def find(name: str, names: Iterable[str]) -> str | None:
    """Returns the name that is equal to a name but for upper and lower case; None without one.

    Args:
        name: what the user wrote.
        names: what there is.
    """
    return next((other for other in names if other.lower() == name.lower()), None)


def suggestion(name: str, names: Iterable[str]) -> str:
    """Returns "Did you mean x?" for a misspelled name, or the list of all names.

    Args:
        name: what the user wrote.
        names: what there is.
    """
    there = list(names)
    lower = {other.lower(): other for other in reversed(there)}
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {lower[near[0]]}?"
    return f"There are: {', '.join(there)}." if there else "There are none."
