"""Entries of DEFINE whose variables PATTERN does not have."""

from __future__ import annotations

import pytest
from match_recognize import translate

pytest.importorskip("sqlglot", reason="the extra translate is not installed")


def clause(content: str) -> str:
    return f"SELECT * FROM t MATCH_RECOGNIZE ({content})"


@pytest.mark.parametrize(
    ("entries", "here", "omitted"),
    [
        ("a AS x > 1, B AS x > 2", "DEFINE a AS x > 1", ["B"]),
        ("B AS x > 2, A AS x > 1", "DEFINE A AS x > 1", ["B"]),
        ("B AS x IN (2, 3), A AS x > 1, C AS f(x, 2)", "DEFINE A AS x > 1", ["B", "C"]),
        ("B AS x > 2, C AS x > 3, A AS x > 1", "DEFINE A AS x > 1", ["B", "C"]),
        ("A AS x > 1, B AS x > 2, C AS x > 3", "DEFINE A AS x > 1", ["B", "C"]),
        ("B AS x > 2, A AS x > 1, C AS 1 = 1, D AS y", "DEFINE A AS x > 1, D AS y", ["B", "C"]),
        # An entry that is omitted is not translated, so it needs no counterpart.
        (
            'A AS x > 1, "b c" AS AVG(x) OVER (ORDER BY y) > "y" -- "b c"\n',
            'DEFINE A AS x > 1 -- "b c"',
            ['"b c"'],
        ),
        ("B AS x > 2", "", ["B"]),
    ],
)
def test_omitted(entries: str, here: str, omitted: list[str]) -> None:
    translated = translate(clause(f"PATTERN (A | D) DEFINE {entries}"), "snowflake")
    assert " ".join(translated.sql.split()).partition("PATTERN (A | D)")[2].strip(" )") == here
    assert [note for note in translated.notes if note.startswith("DEFINE")] == [
        f"DEFINE: {name} is omitted, since PATTERN does not have this variable."
        for name in omitted
    ]


def test_quoted_names_of_one_length() -> None:
    translated = translate(clause('PATTERN ("ab"+) DEFINE "ab" AS x > 1, "cd" AS x > 2'), "trino")
    assert "PATTERN (`ab`+) DEFINE `ab` AS x > 1)" in translated.sql
    assert len(translated.notes) == 1


def test_columns_of_the_name_of_a_variable() -> None:
    assert (
        "A AS b > 1)" in translate(clause("PATTERN (A) DEFINE A AS b > 1, B AS x"), "trino").sql
    )
