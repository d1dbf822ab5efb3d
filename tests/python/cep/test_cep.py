"""Flink's calls as docs/cep.md shows them: the clause, the matches, and what is refused."""

from __future__ import annotations

import datetime
import functools
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from conftest import ROOT
from match_recognize import MatchRecognizeError, cep
from match_recognize.cep import Pattern, checks, render
from match_recognize.cep.element import Element
from paths import INTERPRETED
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import lit

PAGE = (ROOT / "docs" / "cep.md").read_text()
PYTHON = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)
CALLS = PAGE.partition("\n## Calls\n")[2].partition("\n## ")[0]
#: Flink's call, ours, the clause, the events, the matches.
ROWS = [
    tuple(cell.strip("`") for cell in row)
    for row in re.findall(r"^\| (`.+?`) \| (`.+?`) \| (`.+?`) \| (.+?) \| (.+?) \|$", CALLS, re.M)
    if row[3] != "events"
]
NAMES = {"begin": Pattern.begin, **{name: getattr(cep, name) for name in cep.__all__}}


def with_conditions(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    """A pattern takes the events of its letter, as the page says."""
    condition = functools.partial("type = '{}'".format)
    return tuple(
        replace(element, group=with_conditions(element.group))
        if element.group
        else replace(
            element,
            condition=Pattern.begin("x").where(condition(element.name))._elements[0].condition,
        )
        for element in elements
    )


def pattern_of(call: str) -> Pattern:
    made = eval(call, dict(NAMES))
    return Pattern(with_conditions(made._elements), made._skip, made._bound)


def in_python(call: str) -> str:
    """Flink's call in our spelling, for those that differ in nothing else."""
    text = re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), call)
    return text.replace("within(...)", "within(3)").replace("until(b)", "until(\"type = 'b'\")")


def test_the_page_has_a_row_for_each_call() -> None:
    assert len(ROWS) == 31
    calls = " ".join(row[1] for row in ROWS)
    methods = {name for name in vars(Pattern) if not name.startswith("_")}
    assert {name for name in methods if f"{name}(" not in calls} == {
        "where",
        "or_where",
        "subtype",
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1])
def test_clause(row: tuple[str, ...]) -> None:
    flink, call, words, _, _ = row
    assert in_python(flink) == call
    pattern = pattern_of(call)
    if "_skip" not in call and "skip_" not in call:
        assert repr(pattern) == f"Pattern<{words}>"


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    session = new_session()
    session.conf.set("spark.sql.matchRecognize.dialect", "flink")
    session.conf.set("spark.sql.matchRecognize.invalidSkip", "nextRow")
    # Each clause runs over a few rows: compiling code for it takes longer.
    for key, value in INTERPRETED.conf.items():
        session.conf.set(key, value)
    return session


def frame(spark: SparkSession, events: str) -> DataFrame:
    rows = [(o, name, name[0]) for o, name in enumerate(events.split(), 1)]
    values = ", ".join(map(str, rows))
    return spark.sql(f"SELECT * FROM VALUES {values} AS t(o, name, type)")


def test_matches_of_all_rows(session: SparkSession) -> None:
    names = {"names": "ARRAY_JOIN(COLLECT_LIST(name), ' ')"}
    parts = []
    for number, (_, call, words, events, _) in enumerate(ROWS):
        found = cep.search(frame(session, events), pattern_of(call), order_by="o", measures=names)
        if words.startswith(("SKIP", "NO SKIP")):
            assert f"AFTER MATCH {words}\n" in found.sql()
        parts.append(found.to_df().select(lit(number).alias("number"), "names"))
    rows = functools.reduce(DataFrame.unionAll, parts).collect()
    assert Counter((ROWS[row.number][1], row.names) for row in rows) == Counter(
        (call, match)
        for _, call, _, _, matches in ROWS
        if matches != "none"
        for match in matches.split(", ")
    )


def test_python_of_the_page(session: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {"spark": session}
    blocks = PYTHON.findall(PAGE)
    for code, printed in blocks:
        exec(code, names)
        assert capsys.readouterr().out.split() == printed.split(), code
    assert sum(1 for _, printed in blocks if printed) == 4


def test_connect(connect: SparkSession) -> None:
    connect.conf.set("spark.sql.matchRecognize.dialect", "flink")
    events = frame(connect, "a1 b1 a2 d a3 c1 a4")
    pattern = (
        Pattern.begin("a")
        .where(events["type"] == "a")
        .next("b")
        .where("type = 'b'")
        .where("o > a.o")
        .or_where("type = 'c'")
        .within(1)
    )
    matched, timed_out = cep.matches(events, pattern, order_by=["o"])
    names = [[event.name for event in row.a + row.b] for row in matched.collect()]
    assert sorted(names) == [["a1", "b1"], ["a3", "c1"]]
    # After a2 comes another event, so it fails; a4 still waits.
    assert [[event.name for event in row.a + row.b] for row in timed_out.collect()] == [["a4"]]


def test_conditions() -> None:
    pattern = (
        Pattern.begin("a")
        .where("x = 1 OR y = 1")
        .where("z = 1")
        .or_where("w = 1")
        .one_or_more()
        .until("v = 1")
    )
    entries = render.conditions(pattern._elements)
    assert [(entry.name, repr(entry.value)) for entry in entries] == [
        ("a", "Expression<(x = 1 OR y = 1) AND (z = 1) OR (w = 1)>"),
        ("STOP_1", "Expression<v = 1>"),
    ]


def test_a_changed_pattern_leaves_the_first_as_it_is() -> None:
    first = Pattern.begin("a")
    assert repr(first.next("b")) == "Pattern<a b>"
    assert repr(first.times(0, 2).consecutive()) == "Pattern<a{,2}?>"
    assert repr(first.times(1).optional()) == "Pattern<a?>"
    assert repr(first) == "Pattern<a>"


def test_the_smallest_bound_counts() -> None:
    minutes = [datetime.timedelta(minutes=n) for n in (3, 2, 4)]
    pattern = Pattern.begin("a").within(minutes[0]).next("b").within(minutes[1])
    assert pattern.within(minutes[2])._bound == minutes[1]


A = Pattern.begin("a").where("type = 'a'")
B = Pattern.begin("b").where("type = 'b'")
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: A.subtype(int), "Test a column"),
    (lambda: A.next("A"), "needs a name of its own"),
    (lambda: Pattern.begin(""), "needs the name of a pattern"),
    (lambda: Pattern.begin("a").or_where("x"), "Begin with where()"),
    (lambda: A.where(lambda event: event), "not the function"),
    (lambda: A.times(2).one_or_more(), "two quantifiers for the pattern a"),
    (lambda: A.optional().times(2), ".times(...).optional()"),
    (lambda: A.times(0), "cannot occur 0 to 0 times"),
    (lambda: A.times(3, 2), "the smaller one first"),
    (lambda: A.times(2.5), "must be an int"),  # type: ignore[arg-type]
    (lambda: A.greedy(), ".one_or_more().greedy()"),
    (lambda: A.consecutive(), ".one_or_more().consecutive()"),
    (lambda: A.times(2, 3).until("x"), "without an upper bound"),
    (lambda: A.one_or_more().consecutive().allow_combinations(), "exclude each other"),
    (lambda: A.one_or_more().allow_combinations().greedy(), "exclude each other"),
    (lambda: A.one_or_more().until("x").allow_combinations(), "cannot be combined"),
    (lambda: A.one_or_more().until("x").until("y"), "Join the two by OR"),
    (lambda: A.one_or_more().greedy().next("b").optional(), "after the greedy pattern a"),
    (lambda: A.not_next("b").optional(), "takes no event"),
    (lambda: A.not_next("b").times(2), "takes no event"),
    (lambda: A.not_next(B), "not a group"),  # type: ignore[arg-type]
    (lambda: A.next(B.within(1)), "on the whole sequence"),
    (lambda: A.next(Pattern.begin("b", cep.skip_to_next())), "outermost begin()"),
    (lambda: A.next(B.not_next("c")), "after the group"),
    (lambda: A.next(B).where("x"), "within the group"),
    (lambda: A.next(B).one_or_more().greedy(), "as in Flink"),
    (lambda: A.next(B).one_or_more().until("x"), "not over a group"),
    (lambda: A.within("1 day"), "timedelta(minutes=10)"),  # type: ignore[arg-type]
    (lambda: A.within(datetime.timedelta(1)).within(2), "Use one kind"),
    (lambda: cep.skip_to_next().throw_exception_on_miss(), "skip_to_last()"),
    (lambda: cep.skip_to_first(""), "needs the name of a pattern"),
    (lambda: Pattern.begin("a", "noSkip"), "cep.skip_to_next()"),  # type: ignore[arg-type]
    (lambda: complete(A.not_followed_by("b").where("x")), ".within(timedelta(...))"),
    (lambda: complete(A.not_next("b").next("c")), "Add .where(...)"),
    (lambda: complete(A.not_followed_by("b").where("x").next("c")), "Write not_next()"),
    (lambda: complete(A.optional().not_next("b").where("x")), "optional pattern"),
    (
        lambda: complete(A.not_followed_by("b").where("x").followed_by("c").optional()),
        "would drop both",
    ),
    (
        lambda: complete(A.times(2).allow_combinations().not_next("b").where("x")),
        "cannot follow allow_combinations()",
    ),
    (lambda: complete(A.times(2, 3).optional().greedy().next("b")), "Write two sequences"),
    (lambda: complete(A.next(Pattern.begin(B))), "cannot begin with a group"),
    (lambda: complete(A.next(B.optional().next("c"))), "Flink ignores that"),
    (lambda: complete(A.next(B.one_or_more().consecutive())), "Give both the same"),
    (lambda: complete(Pattern.begin(A.times(2).next("b")).times(2)), "begin with one event"),
]


def complete(pattern: Pattern) -> None:
    checks.complete(pattern._elements, pattern._bound)


@pytest.mark.parametrize(("made", "says"), REFUSED, ids=lambda value: str(value)[:40])
def test_refused(made: Callable[[], object], says: str) -> None:
    with pytest.raises(MatchRecognizeError) as caught:
        made()
    assert says in str(caught.value)
    assert "test_cep.py" in str(caught.value)


def test_settings_and_skip_targets(spark: SparkSession) -> None:
    events = frame(spark, "a b")
    last = Pattern.begin("a", cep.skip_to_last("b")).next("b")
    with pytest.raises(MatchRecognizeError, match='invalidSkip", "nextRow"'):
        cep.search(events, last, order_by="o")
    other = Pattern.begin("a", cep.skip_to_last("c")).next("b")
    with pytest.raises(MatchRecognizeError, match="There are: a, b"):
        cep.search(events, other, order_by="o")
    with pytest.raises(MatchRecognizeError, match="the flink dialect, and the session has the"):
        cep.matches(events, A, order_by="o")
    with pytest.raises(MatchRecognizeError, match="needs a pattern"):
        cep.matches(events, "a b", order_by="o")  # type: ignore[arg-type]
