"""The statement of a built clause, without Spark."""

from __future__ import annotations

import datetime
import re

from frames_without_spark import Frame
from match_recognize import functions as mf
from match_recognize import match, variable, variables

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


def test_the_statement_of_every_part() -> None:
    built = (
        match(Frame())
        .partition_by("symbol", "my column", "year(day) AS y")
        .order_by(mf.desc("day", nulls="last"), "price DESC", mf.asc(mf.fn.abs(mf.col("price"))))
        .measures(first_day=top.day, n=mf.count(down))
        .measures({"lowest price": mf.min_(variable("move").price), "end": mf.last(up.day, 1)})
        .all_rows_per_match(omit_empty_matches=True)
        .show_timeout_matches()
        .after_match_skip_to_first("up")
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
        base.one_row_per_match(): "ONE ROW PER MATCH",
        base.show_timeout_matches(): "ONE ROW PER MATCH SHOW TIMEOUT MATCHES",
        base.all_rows_per_match(): "ALL ROWS PER MATCH",
        base.all_rows_per_match(show_empty_matches=True): "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
        base.all_rows_per_match(
            with_unmatched_rows=True
        ): "ALL ROWS PER MATCH WITH UNMATCHED ROWS",
        base.after_match_skip_past_last_row(): "AFTER MATCH SKIP PAST LAST ROW",
        base.after_match_skip_to_next_row(): "AFTER MATCH SKIP TO NEXT ROW",
        base.after_match_skip_to_last("A"): "AFTER MATCH SKIP TO LAST A",
        base.after_match_no_skip(): "AFTER MATCH NO SKIP",
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
