"""The plugins of sqlglot and sqlfluff, on the statements of tests/sql; no Spark runs."""

from __future__ import annotations

import logging
import re
import textwrap
from importlib.metadata import EntryPoint
from typing import Any

import golden
import pytest
from conftest import ROOT
from match_recognize.sql_text.clause_parts import clauses
from match_recognize.sql_text.tokens import tokens

sqlglot = pytest.importorskip("sqlglot", reason="the extra translate is not installed")

NAME = "spark_match_recognize"
GLOT = EntryPoint(
    NAME, "match_recognize.editors.sqlglot_dialect:SparkMatchRecognize", "sqlglot.dialects"
)
FLUFF = EntryPoint("match_recognize", "match_recognize.editors.sqlfluff_plugin", "sqlfluff")

#: The statements with a clause that Spark runs, by the name of their case.
STATEMENTS = [
    (case.name, statement)
    for path in sorted((ROOT / "tests" / "sql").glob("*.sql"))
    for case in golden.read(path).cases
    if case.refusal is None
    for statement in case.statements()
    if re.search(r"MATCH_RECOGNIZE\s*\(", statement, re.IGNORECASE)
]

#: sqlglot does not know what is around the clause: pipes with it, scripts, a column named ALL.
GLOT_REFUSES = {"lateral-view-after-the-clause", "pipes", "pipes-with-aliases", "a-script"}

#: sqlfluff does not know what is in or around the clause, without the clause, too.
FLUFF_REFUSES = {
    "a-back-quoted-function-is-sparks",
    "a-script",
    "an-aggregate-that-ignores-nulls",
    "an-order-of-its-own",
    "collations",
    "from-first",
    "identifier-means-what-it-spells",
    "lateral-view-after-the-clause",
    "partitions-by-collation",
    "pipes",
    "pipes-with-aliases",
    "without-a-row",
}

#: A word that says what is next to the clause.
AROUND = {"FROM", "JOIN", "WHERE", "LATERAL", "VIEW", "UNION", "GROUP", "HAVING", "LIMIT"}


def spelling(text: str) -> list[str]:
    return [token.word or token.text for token in tokens(text)]


def meaning(statement: str) -> tuple[list[list[str]], list[str]]:
    """The tokens of each clause, and the order of what is around them."""
    found = clauses(statement)
    inner = [spelling(statement[clause.start : clause.end]) for clause in found]
    words = " ".join(token.word for token in tokens(statement))
    # sqlglot writes a comma between tables as CROSS JOIN.
    around = words.replace("CROSS JOIN", "").split()
    return inner, [word for word in around if word in AROUND or word == "MATCH_RECOGNIZE"]


def round_trip(statement: str) -> str:
    return str(sqlglot.parse_one(statement, read=NAME).sql(dialect=NAME))


def test_sqlglot_keeps_every_clause_or_refuses_the_statement(
    caplog: pytest.LogCaptureFixture,
) -> None:
    dialect = GLOT.load()
    assert sqlglot.Dialect.get(NAME) is dialect
    # A statement that sqlglot does not know is text to it, and it warns about that.
    caplog.set_level(logging.CRITICAL)
    refused = set()
    for name, statement in STATEMENTS:
        try:
            written = round_trip(statement)
        except sqlglot.ParseError:
            refused.add(name)
            continue
        if name == "the-clauses-words-are-names-elsewhere":
            # It has MATCH_RECOGNIZE ( as an alias with columns.
            assert "MATCH_RECOGNIZE(" in "".join(spelling(written))
            continue
        assert meaning(written) == meaning(statement), name
    assert refused == GLOT_REFUSES
    assert len(STATEMENTS) > 500


STATEMENT = """
SELECT m.n, b.y FROM ticks AS t MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day DESC
  MEASURES LAST(up.day, 1) AS d, FINAL LAST(up.day) AS n, NVL(up.day, 0) AS z
  ALL ROWS PER MATCH AFTER MATCH SKIP TO FIRST up
  PATTERN (down+ (up{2,}? | {- x -}) $) WITHIN INTERVAL 1 HOUR SUBSET s = (up, down)
  DEFINE down AS price < PREV(price), up AS name = 'two
lines'
) AS m JOIN b ON m.n = b.x WHERE m.n > 1
"""


def test_the_tree_of_sqlglot_has_the_parts_of_the_clause() -> None:
    from match_recognize.editors.sqlglot_nodes import RowPatternMatch
    from sqlglot import exp

    tree = sqlglot.parse_one(STATEMENT, read=NAME)
    node = tree.args["from_"].this
    assert isinstance(node, RowPatternMatch)
    assert node.this.name == "ticks"
    assert node.alias == "m"
    assert [each.alias for each in node.args["define"]] == ["down", "up"]
    assert [each.name for each in node.args["define"][0].find_all(exp.Column)] == ["price"] * 2
    # sqlglot would write COALESCE, so the tree has the text.
    written = tree.sql(dialect=NAME)
    assert "NVL(up.day, 0) AS z" in written
    assert "LAST(up.day, 1) AS d" in written
    pretty = tree.sql(dialect=NAME, pretty=True)
    assert meaning(pretty) == meaning(written) == meaning(STATEMENT)
    assert "'two\nlines'" in pretty


def test_sqlglot_drops_nothing() -> None:
    tree = sqlglot.parse_one(STATEMENT, read=NAME)
    for dialect in ("spark", "snowflake"):
        with pytest.raises(ValueError, match="RowPatternMatch"):
            tree.sql(dialect=dialect)
    for wrong, message in [
        ("SELECT * FROM t MATCH_RECOGNIZE (1 ORDER BY x PATTERN (A))", "not understood"),
        ("SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) ORDER BY x)", "not understood"),
        ("SELECT * FROM t MATCH_RECOGNIZE (DEFINE A AS x PATTERN (A))", "not understood"),
    ]:
        with pytest.raises(sqlglot.ParseError, match=message):
            sqlglot.parse_one(wrong, read=NAME)


@pytest.fixture(scope="module")
def linter() -> Any:
    core = pytest.importorskip("sqlfluff.core")
    from sqlfluff.core.plugin.host import get_plugin_manager

    manager = get_plugin_manager()
    plugin = FLUFF.load()
    if not manager.is_registered(plugin):
        manager.register(plugin, name=FLUFF.name)
    return core.Linter(config=core.FluffConfig(overrides={"dialect": "sparksql"}))


def test_sqlfluff_parses_the_clause(linter: Any) -> None:
    sample = [each for each in STATEMENTS if each[0] in FLUFF_REFUSES] + STATEMENTS[::30]
    refused = {
        name for name, statement in sample if linter.parse_string(statement + "\n").violations
    }
    assert refused <= FLUFF_REFUSES
    assert len(sample) > 30


def test_sqlfluff_fix_keeps_the_clause(linter: Any) -> None:
    used = "SELECT * FROM ticks AS t MATCH_RECOGNIZE (ORDER BY t.day PATTERN (A)) AS m"
    # sqlfluff prefers COALESCE to NVL, which is the same in Spark.
    first = STATEMENT.replace("NVL", "COALESCE")
    for _, statement in [("", first), ("", used), *STATEMENTS[7::90]]:
        fixed, _ = linter.lint_string(statement, fix=True).fix_string()
        assert meaning(fixed)[0] == meaning(statement)[0]
        if statement == first:
            assert "down+ (up{2,}? | {- x -}) $" in fixed
    # Neither an alias that the clause uses nor a clause that is not understood is taken away.
    fixed, _ = linter.lint_string(used, fix=True).fix_string()
    assert "AS t MATCH_RECOGNIZE" in fixed
    fixed, _ = linter.lint_string(used.replace("ORDER", "ORDEN"), fix=True).fix_string()
    assert "MATCH_RECOGNIZE (ORDEN" in fixed


@pytest.mark.parametrize(
    "words",
    [
        "EXPLAIN MATCH_RECOGNIZE",
        "explain match_recognize trace",
        "EXPLAIN MATCH_RECOGNIZE AS JSON",
        "EXPLAIN -- why nothing matches\nMATCH_RECOGNIZE",
        "EXPLAIN EXTENDED",
    ],
)
@pytest.mark.parametrize("before", ["", "WITH t AS (SELECT 1 AS d, 2 AS x)\n"])
def test_sqlfluff_parses_explain(linter: Any, words: str, before: str) -> None:
    query = "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY d PATTERN (A) DEFINE A AS x > 1) AS m"
    assert not linter.parse_string(f"{words}\n{before}{query}\n").violations
    misspelt = re.sub("(?i)match_recognize", "MATCH_RECOGNISE", words)
    if misspelt != words:
        assert linter.parse_string(f"{misspelt}\n{before}{query}\n").violations


#: Each condition and each measure fits in a line of 80, all of a part do not.
LONG = """SELECT * FROM ticks MATCH_RECOGNIZE (
  ORDER BY day MEASURES FIRST(a.price) AS p, LAST(b.price) + 1 AS q, COUNT(c.price) AS n
  PATTERN (a b+ c)
  DEFINE b AS b.price > PREV(b.price) AND b.price > 1, c AS c.price < PREV(c.price) OR c.n = 3
)
"""
BROKEN = """SELECT * FROM ticks MATCH_RECOGNIZE (
    ORDER BY day MEASURES
        FIRST(a.price) AS p, LAST(b.price) + 1 AS q, COUNT(c.price) AS n
    PATTERN (a b+ c)
    DEFINE
        b AS b.price > PREV(b.price) AND b.price > 1,
        c AS c.price < PREV(c.price) OR c.n = 3
)
"""


def test_sqlfluff_breaks_lines_between_conditions(linter: Any) -> None:
    for text in (LONG, BROKEN):
        linted = linter.lint_string(text, fix=True)
        assert linted.fix_string()[0] == BROKEN
    # AM04 is of the star.
    assert {each.rule_code() for each in linter.lint_string(BROKEN).violations} == {"AM04"}


def test_no_word_becomes_reserved_in_sqlfluff(linter: Any) -> None:
    words = "pattern, define, subset, measures, match_recognize, one, per, skip, running"
    text = f"SELECT {words} FROM matches AS pattern WHERE final > 1\n"
    assert not linter.parse_string(text).violations


def test_the_page_of_editors(linter: Any, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "editors.md").read_text()
    as_it_was, fixed = re.findall(r"^```sql\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[:2]
    assert linter.lint_string(as_it_was, fix=True).fix_string()[0] == fixed
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```\n\n((?: {4}[^\n]*\n)+)", page)
    GLOT.load()
    exec(code[0], {})
    assert capsys.readouterr().out == textwrap.dedent(code[1])
