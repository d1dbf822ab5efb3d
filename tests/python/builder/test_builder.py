"""The statement of a built clause, without Spark."""

from __future__ import annotations

import copy
import datetime
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest
from frames_without_spark import Frame
from match_recognize import Match, MatchRecognizeError, cep, match, variable, variables
from match_recognize import functions as mf
from match_recognize.builder.inputs import Source

top, down, up = variables("top down up")


def test_the_statement_of_text() -> None:
    built = (
        match(Frame())
        .partition_by("symbol")
        .order_by("day")
        .measures(low="MIN(price)")
        .pattern("TOP DOWN+ UP+")
        .define(DOWN="price < PREV(price)", UP="price > PREV(price)")
    )
    assert built.sql() == (
        "SELECT *\n"
        "FROM {input} MATCH_RECOGNIZE (\n"
        "  PARTITION BY symbol\n"
        "  ORDER BY day\n"
        "  MEASURES\n"
        "    MIN(price) AS low\n"
        "  PATTERN (TOP DOWN+ UP+)\n"
        "  DEFINE\n"
        "    DOWN AS price < PREV(price),\n"
        "    UP AS price > PREV(price)\n"
        ")"
    )
    assert "FROM ticks MATCH" in built.sql("ticks")


def test_names_with_blanks_in_other_letters() -> None:
    built = match(Frame()).partition_by("My Column").order_by("MY COLUMN").pattern("A")
    assert "PARTITION BY `My Column`\n  ORDER BY `MY COLUMN`" in built.sql()


def test_the_statement_of_every_part() -> None:
    built = (
        match(Frame())
        .partition_by("symbol", "my column", "year(day) AS y")
        .order_by(mf.desc("day", nulls="last"), "price DESC", mf.asc(mf.fn.abs(mf.col("price"))))
        .measures(first_day=top.day, n=mf.count(down))
        .measures({"lowest price": mf.min_(variable("move").price), "end": mf.last(up.day, 1)})
        .rows("all", empty="omit", timeouts=True)
        .after_match("first", "up")
        .pattern(top + down.one_or_more() + up.one_or_more())
        .within(datetime.timedelta(minutes=2))
        .subset({variable("move"): [down, up]}, other="top, up")
        .define({down: down.price < mf.prev(down.price)})
    )
    assert built.sql() == (
        "SELECT *\n"
        "FROM {input} MATCH_RECOGNIZE (\n"
        "  PARTITION BY symbol,\n"
        "               `my column`,\n"
        "               year(day) AS y\n"
        "  ORDER BY day DESC NULLS LAST,\n"
        "           price DESC,\n"
        "           abs(price) ASC\n"
        "  MEASURES\n"
        "    top.day AS first_day,\n"
        "    COUNT(down.*) AS n,\n"
        "    MIN(move.price) AS `lowest price`,\n"
        "    LAST(up.day, 1) AS `end`\n"
        "  ALL ROWS PER MATCH OMIT EMPTY MATCHES SHOW TIMEOUT MATCHES\n"
        "  AFTER MATCH SKIP TO FIRST up\n"
        "  PATTERN (top down+ up+)\n"
        "  WITHIN INTERVAL '0 00:02:00' DAY TO SECOND\n"
        "  SUBSET move = (down, up),\n"
        "         other = (top, up)\n"
        "  DEFINE\n"
        "    down AS down.price < PREV(down.price)\n"
        ")"
    )


def test_options() -> None:
    base = match(Frame()).pattern("A")
    made = {
        base.rows("one"): "ONE ROW PER MATCH",
        base.rows("one", timeouts=True): "ONE ROW PER MATCH SHOW TIMEOUT MATCHES",
        base.rows("all"): "ALL ROWS PER MATCH",
        base.rows("all", empty="omit"): "ALL ROWS PER MATCH OMIT EMPTY MATCHES",
        base.rows("all", unmatched=True): "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
        base.after_match("past last row"): "AFTER MATCH SKIP PAST LAST ROW",
        base.after_match("next row"): "AFTER MATCH SKIP TO NEXT ROW",
        base.after_match("first", "A"): "AFTER MATCH SKIP TO FIRST A",
        base.after_match("last", variable("A")): "AFTER MATCH SKIP TO LAST A",
        base.after_match("no skip"): "AFTER MATCH NO SKIP",
    }
    for built, words in made.items():
        assert built.sql().splitlines()[2] == f"  {words}"
    # The builder that all were made from is unchanged.
    assert len(base.sql().splitlines()) == 4


def test_comments_in_text_hide_nothing() -> None:
    built = match(Frame()).pattern("A -- one").measures(x="A.day -- day", y="1")
    assert "A.day -- day\n AS x" in built.sql()
    assert "PATTERN (A -- one\n)" in built.sql()


def test_notebooks_see_the_statement() -> None:
    shown = match(Frame()).pattern("A").define(A="price < 'x'")._repr_html_()
    statement, picture = shown.split('<div style="overflow-x:auto">')
    plain = re.sub("<[^>]*>", "", statement).rstrip()
    assert plain.endswith("  DEFINE\n    A AS price &lt; &#x27;x&#x27;\n)")
    assert '<span style="color: #3f7fbf">PATTERN</span>' in shown
    assert picture.startswith("<svg") and ">A</text>" in picture
    assert repr(match(Frame()).pattern("A B+")) == "Match<PATTERN (A B+)>"


def test_later_calls_replace_earlier_ones() -> None:
    base = match(Frame()).pattern("A B").define(A="x > 1", B="x > 2").measures(n="1", m="2")
    varied = base.define(A="x > 9").measures(n="3")
    assert "    A AS x > 9,\n    B AS x > 2\n" in varied.sql()
    assert "    3 AS n,\n    2 AS m\n" in varied.sql()
    assert "    A AS x > 1," in base.sql()


def test_expressions_in_f_strings_are_sql() -> None:
    assert f"price > {top.price} * {top.price + 1}" == "price > top.price * (top.price + 1)"


def test_a_match_is_a_value() -> None:
    frame = Frame()
    built = match(frame).pattern("A").measures(x="1")
    same = match(frame).measures(x="1").pattern("A")
    assert built == same and hash(built) == hash(same)
    assert built != same.pattern("B") and built != match(Frame()).pattern("A").measures(x="1")
    assert built != same.dialect("flink") and built != "A"
    assert copy.deepcopy(built) is built and copy.copy(built) is built
    with pytest.raises(MatchRecognizeError, match="cannot be pickled"):
        pickle.dumps(built)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize(
    "value",
    [
        top,
        top.price,
        top["day"],
        top.price > 1,
        ~(top.price > 1) & top.day.is_null(),
        top.one_or_more(),
        (top + down.times(2, 3)).optional(),
        mf.sum_(top.price),
        mf.last(top.price, 1),
        cep.Pattern.begin("a").where("x > 1").followed_by("b").where("x > 2"),
        cep.skip_to_first("a"),
        {"a": [top.price, top | down]},
    ],
    ids=repr,
)
def test_copies_of_values(value: Any, copied: Callable[[Any], Any]) -> None:
    again = copied(value)
    assert type(again) is type(value)
    assert str(again) == str(value)


def test_a_match_over_another_librarys_frame_is_pickled() -> None:
    source = Source.__new__(Source)
    source.__dict__.update(_given="ticks", _frame=None)
    built = Match(source, match(Frame()).pattern("A+").define(A=variable("A").price > 1)._clause)
    again = pickle.loads(pickle.dumps(built))
    assert again == built and again.sql("t") == built.sql("t")
