"""Property test: what the builder writes is what the golden statements say."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import clauses
import golden
import match_recognize
import pytest
from conftest import ROOT, SPARK
from match_recognize import MatchRecognizeError
from match_recognize.sql_text.clause_parts import Part, entries, only_clause
from match_recognize.sql_text.tokens import Token, tokens
from plans import in_one_order, plan
from pyspark.sql import SparkSession
from seeds import turn

#: Whether golden statements are planned that only the nightly run plans.
EVERY = os.environ.get("GOLDEN_PATHS") == "all"


class NoColumns:
    """A frame of which the builder knows nothing."""

    columns: tuple[str, ...] = ()

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802


def expressible() -> list[tuple[golden.GoldenFile, golden.Case, clauses.ReadClause]]:
    """The statements with one clause that the builder has the forms for."""
    found = []
    for path in sorted((ROOT / "tests" / "sql").glob("*.sql")):
        file = golden.read(path)
        for case in file.cases:
            statement = case.statements()[0]
            if case.answer is None or case.script or len(case.statements()) > 1:
                continue
            if statement.upper().startswith("EXECUTE IMMEDIATE"):
                continue
            try:
                clause = clauses.read(statement)
                clauses.build(NoColumns(), clause)
            except (clauses.NotExpressibleError, MatchRecognizeError):
                continue
            found.append((file, case, clause))
    return found


EXPRESSIBLE = expressible()


def spelling(part: Part | None) -> list[str]:
    """The tokens of a part. Words and names have no case, and the builder quotes some names."""
    return [_spelling(token) for token in tokens(part.text)] if part else []


def _spelling(token: Token) -> str:
    return token.text.strip("`").upper() if token.is_name else token.text


def in_one_spelling(text: str) -> dict[str, Any]:
    """The parts of a clause, each in one of the spellings that mean the same."""
    clause = only_clause(text)
    after = " ".join(spelling(clause.after_match)) or "AFTER MATCH SKIP PAST LAST ROW"
    if after.startswith("AFTER MATCH SKIP TO ") and len(after.split()) == 5:
        after = after.replace("SKIP TO", "SKIP TO LAST")
    rows = " ".join(spelling(clause.rows_per_match)) or "ONE ROW PER MATCH"
    # The builder does not write what is the default.
    rows = rows.replace(" SHOW EMPTY MATCHES", "")
    subsets = clause.subset.text if clause.subset else ""
    return {
        "partition": spelling(clause.partition_by),
        "order": spelling(clause.order_by),
        "measures": spelling(clause.measures),
        "rows": rows,
        "after": after,
        # The builder quotes the names that are words of SQL.
        "pattern": clauses.pattern(re.sub(r"`(\w+)`", r"\1", clause.pattern.text)).upper(),
        "within": spelling(clause.within),
        "subset": [
            subsets[start:end].upper().replace("`", "").split() for start, end in entries(subsets)
        ],
        "define": spelling(clause.define),
    }


def test_the_builder_writes_what_the_statements_say() -> None:
    assert len(EXPRESSIBLE) > 500
    for file, case, clause in EXPRESSIBLE:
        written = clauses.build(NoColumns(), clause).sql()
        said = f"SELECT * FROM t MATCH_RECOGNIZE ({clause.body})"
        where = f"{file.path.name}: {case.name}"
        assert in_one_spelling(written) == in_one_spelling(said), where


def test_the_comparison_sees_each_part() -> None:
    said = (
        "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY p ORDER BY o MEASURES A.x AS m "
        "ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) WITHIN 3 "
        "SUBSET S = (A, B) DEFINE A AS x > 1)"
    )
    changes = {
        "partition": ("BY p", "BY q"),
        "order": ("BY o", "BY o DESC"),
        "measures": ("A.x AS", "B.x AS"),
        "rows": ("ALL ROWS PER MATCH", "ONE ROW PER MATCH"),
        "after": ("TO NEXT ROW", "TO A"),
        "pattern": ("A+", "A+?"),
        "within": ("WITHIN 3", "WITHIN 4"),
        "subset": ("(A, B)", "(B)"),
        "define": ("x > 1", "x >= 1"),
    }
    for part, (old, new) in changes.items():
        before, after = in_one_spelling(said), in_one_spelling(said.replace(old, new))
        assert [name for name in before if before[name] != after[name]] == [part]


def planned() -> list[tuple[golden.GoldenFile, list[tuple[golden.Case, clauses.ReadClause]]]]:
    """The statements that run on this Spark, by file: by turns, or all of them nightly."""
    runs = [
        (file, case, clause)
        for file, case, clause in EXPRESSIBLE
        if SPARK in file.sparks and SPARK in case.sparks
        if EVERY or turn(file.path.stem, 4) == 0
    ]
    return [
        (group[0][0], [(case, clause) for _, case, clause in group])
        for _, found in groupby(runs, key=lambda f: f[0].path)
        for group in [list(found)]
    ]


@pytest.mark.seeds
@pytest.mark.skipif(SPARK < (4, 3), reason="it is the same text on every Spark")
@pytest.mark.filterwarnings("ignore:The search has no order_by")
def test_the_plans_are_the_same(new_session: Callable[[], SparkSession]) -> None:
    seen = 0
    for file, cases in planned():
        session = new_session()
        for statement in file.setup:
            session.sql(statement)
        for case, clause in cases:
            conf = {**file.conf, **case.conf}
            for key, value in conf.items():
                session.conf.set(key, value)
            frame = session.sql(f"SELECT * FROM {clause.source}")
            text = f"SELECT * FROM {{frame}} MATCH_RECOGNIZE ({clause.body})"
            built = clauses.build(frame, clause).to_df()
            said = match_recognize.sql(session, text, frame=frame)
            where = f"{file.path.name}: {case.name}"
            assert built.schema == said.schema, where
            assert plan(built) == plan(said), where
            seen += 1
            for key in conf:
                session.conf.unset(key)
    assert seen > (500 if EVERY else 60)


def test_the_plans_show_each_part(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    session.sql("CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 2, 3) AS t(o, x, y)")
    said = (
        "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY y ORDER BY o MEASURES A.x AS m "
        "ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) WITHIN 3 "
        "SUBSET S = (A, B) DEFINE A AS x - (1 - S.y) > 1)"
    )
    changes = [
        ("BY y", "BY x"),
        ("BY o", "BY o NULLS LAST"),
        ("A.x AS", "B.x AS"),
        ("ALL ROWS PER MATCH", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"),
        ("TO NEXT ROW", "TO LAST B"),
        ("A+", "A+?"),
        ("WITHIN 3", "WITHIN 4"),
        # A plan's text has the name of a union variable, not its members. Those are compared as
        # text, above.
        ("- S.y", "- B.y"),
        ("x - (1 - S.y)", "x - 1 - S.y"),
    ]
    plans = [plan(session.sql(said.replace(*change))) for change in [("", ""), *changes]]
    assert len(set(plans)) == len(plans)


def test_operands_are_in_one_order() -> None:
    assert in_one_order("f((b AND (d OR c)), x)") == in_one_order("f(((c OR d) AND b), x)")
    assert in_one_order("((a + 1) > b)") == in_one_order("(b < (1 + a))")
    assert in_one_order("(a >= b)") != in_one_order("(b >= a)")
    assert in_one_order("(a - b)") != in_one_order("(b - a)")
    assert in_one_order("(a AND b)") != in_one_order("(a AND c)")
    assert in_one_order("a) (b (c") == "a) (b (c"
