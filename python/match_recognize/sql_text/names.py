"""Names in SQL: backquotes where a name needs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

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
    """Whether a name must be in backquotes."""
    return not IDENTIFIER.fullmatch(name) or name.upper() in RESERVED


def quoted(name: str) -> str:
    """Returns a name as SQL, in backquotes if it needs them."""
    return "`" + name.replace("`", "``") + "`" if needs_quotes(name) else name


def quoted_variable(name: str) -> str:
    """Returns a pattern variable's name as SQL.

    CLASSIFIER() returns the upper case of a name without backquotes. A reserved word keeps that
    rule here, although it is in backquotes.
    """
    return quoted(name.upper()) if name.upper() in RESERVED else quoted(name)


def unquoted(text: str) -> str:
    """Returns a name without its backquotes, if it has them."""
    return text[1:-1].replace("``", "`") if text.startswith("`") else text


def free_names(prefix: str, taken: Iterable[str]) -> Iterator[str]:
    """Returns names such as ``GAP_1`` and ``GAP_2``, without those that are taken in any case."""
    known = {name.upper() for name in taken}
    return (name for n in count(1) if (name := f"{prefix}_{n}") not in known)
