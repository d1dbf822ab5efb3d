"""match_recognize.sql_text.clause_parts: where the parts of a clause are in a statement."""

from __future__ import annotations

import pytest
from match_recognize import MatchRecognizeError
from match_recognize.sql_text.clause_parts import Part, clauses, entries, only_clause

WHOLE = """
-- FROM x MATCH_RECOGNIZE (PATTERN (A))
SELECT '(', m.a FROM db.ticks /* ( */ MATCH_RECOGNIZE (
  PARTITION BY symbol, `order by`
  ORDER BY day, pattern
  MEASURES A.price AS measures, 'DEFINE B AS 1' AS s
  ALL ROWS PER MATCH OMIT EMPTY MATCHES
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN ((A | B{2,3})+ {- X*? -} [^C]) WITHIN INTERVAL '1' DAY
  SUBSET U = (A, B)
  DEFINE A AS price > f(1, ")"), -- first, second
    `b c` AS arr[1, 2] IN (SELECT x, y FROM z) -- end
) AS m (a, b) WHERE x
"""


def texts(sql: str) -> dict[str, str]:
    clause = only_clause(sql)
    return {name: value.text for name, value in vars(clause).items() if isinstance(value, Part)}


def test_all_parts() -> None:
    assert texts(WHOLE) == {
        "table": "db.ticks",
        "alias": "m (a, b)",
        "partition_by": "symbol, `order by`",
        "order_by": "day, pattern",
        "measures": "A.price AS measures, 'DEFINE B AS 1' AS s",
        "rows_per_match": "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
        "after_match": "AFTER MATCH SKIP TO NEXT ROW",
        "pattern": "(A | B{2,3})+ {- X*? -} [^C]",
        "within": "INTERVAL '1' DAY",
        "subset": "U = (A, B)",
        "define": 'A AS price > f(1, ")"), -- first, second\n'
        "    `b c` AS arr[1, 2] IN (SELECT x, y FROM z)",
    }


def test_places() -> None:
    clause = only_clause(WHOLE)
    assert WHOLE[clause.start : clause.end].startswith("MATCH_RECOGNIZE (\n")
    assert WHOLE[clause.start : clause.end].endswith("-- end\n)")
    for part in vars(clause).values():
        if isinstance(part, Part):
            assert WHOLE[part.start : part.end] == part.text
    assert clause.alias is not None
    assert WHOLE[clause.alias.outer_start : clause.alias.outer_end] == "AS m (a, b)"
    assert WHOLE[clause.pattern.outer_start : clause.pattern.outer_end] == (
        "PATTERN ((A | B{2,3})+ {- X*? -} [^C])"
    )


def test_definitions() -> None:
    found = only_clause(WHOLE).definitions
    assert [(each.variable, each.condition) for each in found] == [
        ("A", 'price > f(1, ")")'),
        ("`b c`", "arr[1, 2] IN (SELECT x, y FROM z)"),
    ]
    assert all(WHOLE[each.start : each.end] == each.condition for each in found)


@pytest.mark.parametrize(
    ("before", "table"),
    [
        ("SELECT * FROM {ticks}", "{ticks}"),
        ("SELECT * FROM a, b", "b"),
        ("SELECT * FROM a JOIN `b c` AS t", "`b c` AS t"),
        ("FROM (SELECT 1 FROM x, y) AS t(a, b)", "(SELECT 1 FROM x, y) AS t(a, b)"),
        ("FROM VALUES (1, 2), (3, 4) AS t(a, b)", "VALUES (1, 2), (3, 4) AS t(a, b)"),
        ("FROM a, VALUES (1), (2) AS t(a)", "VALUES (1), (2) AS t(a)"),
        ("FROM t |>", None),
        ("", None),
    ],
)
def test_table(before: str, table: str | None) -> None:
    found = only_clause(before + " MATCH_RECOGNIZE (PATTERN (A))").table
    assert (found and found.text) == table


@pytest.mark.parametrize(
    ("after", "alias"),
    [
        ("m", "m"),
        ("AS `a b`", "`a b`"),
        ("WHERE x = 1", None),
        ("JOIN u ON true", None),
        (") AS t", None),
        ("", None),
    ],
)
def test_alias(after: str, alias: str | None) -> None:
    found = only_clause("FROM t MATCH_RECOGNIZE (PATTERN (A)) " + after).alias
    assert (found and found.text) == alias


def test_words_that_are_names() -> None:
    assert texts(
        "FROM t MATCH_RECOGNIZE (PARTITION BY measures, define ORDER BY within, subset "
        "MEASURES within AS within, define.x AS y ONE ROW PER MATCH "
        "PATTERN (PATTERN DEFINE) DEFINE DEFINE AS subset = 1)"
    ) == {
        "table": "t",
        "partition_by": "measures, define",
        "order_by": "within, subset",
        "measures": "within AS within, define.x AS y",
        "rows_per_match": "ONE ROW PER MATCH",
        "pattern": "PATTERN DEFINE",
        "define": "DEFINE AS subset = 1",
    }


def test_a_clause_in_the_table_of_another() -> None:
    sql = (
        "SELECT * FROM (SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A))) "
        "MATCH_RECOGNIZE (PATTERN (B)) MATCH_RECOGNIZE (PATTERN (C))"
    )
    found = clauses(sql)
    assert [clause.pattern.text for clause in found] == ["A", "B", "C"]
    assert [clause.table.text for clause in found if clause.table] == [
        "t",
        "(SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A)))",
        "(SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A))) MATCH_RECOGNIZE (PATTERN (B))",
    ]
    with pytest.raises(MatchRecognizeError, match="has 3 MATCH_RECOGNIZE clauses, at line 1, co"):
        only_clause(sql)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT 'MATCH_RECOGNIZE ('", "has no MATCH_RECOGNIZE clause"),
        ("FROM t\n MATCH_RECOGNIZE (PATTERN (A)", r"\(line 2, column 2\) is not closed"),
        ("FROM t MATCH_RECOGNIZE (ORDER BY o)", "has no PATTERN"),
        ("FROM t MATCH_RECOGNIZE (PATTERN (A) ORDER BY a ORDER BY b)", "ORDER BY twice"),
        ("FROM t MATCH_RECOGNIZE (PATTERN (A) x)", r"x \(line 1, column 37\) cannot follow"),
        ("FROM t MATCH_RECOGNIZE (ORDER BY PATTERN (A))", r"ORDER BY \(.*is empty"),
        ("FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS x, B)", r"column 52\)\. Write variab"),
        ("FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS x, )", "entry that cannot be read"),
    ],
)
def test_errors(sql: str, message: str) -> None:
    with pytest.raises(MatchRecognizeError, match=message):
        only_clause(sql)


def test_entries() -> None:
    text = "a, f(b, c) AS `d, e`, 'x, y', arr[1, 2]"
    assert [text[start:end] for start, end in entries(text)] == [
        "a",
        "f(b, c) AS `d, e`",
        "'x, y'",
        "arr[1, 2]",
    ]


def test_a_word_after_as_or_a_dot_is_a_name() -> None:
    clause = only_clause(
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES A.define AS measures, "
        "A.pattern AS subset PATTERN (A) DEFINE A AS t.within > 1)"
    )
    assert clause.measures is not None
    assert clause.measures.text == "A.define AS measures, A.pattern AS subset"
    assert [each.condition for each in clause.definitions] == ["t.within > 1"]
    assert clause.within is None


def test_within_group_is_no_bound() -> None:
    clause = only_clause(
        "FROM t MATCH_RECOGNIZE (PATTERN (A) WITHIN 3 "
        "DEFINE A AS LISTAGG(x) WITHIN GROUP (ORDER BY x) = 'a')"
    )
    assert clause.within is not None and clause.within.text == "3"
    assert clause.definitions[0].condition == "LISTAGG(x) WITHIN GROUP (ORDER BY x) = 'a'"
