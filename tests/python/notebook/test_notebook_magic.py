"""``%%match_recognize`` in IPython's shell, over classic sessions and Connect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest
from match_recognize import MatchRecognizeError
from pyspark.errors import AnalysisException, ParseException
from pyspark.sql import SparkSession

interactiveshell = pytest.importorskip("IPython.core.interactiveshell")

from match_recognize.notebook import magic  # noqa: E402
from match_recognize.notebook.cell_errors import message  # noqa: E402
from match_recognize.notebook.table import Table  # noqa: E402

V_SHAPE = """SELECT * FROM VALUES (1, 5), (2, 3), (3, 4), (4, 2), (5, 1), (6, 6) AS t(day, price)
MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES A.day AS first_day, UP.day AS last_day, MIN(price) AS low
  AFTER MATCH SKIP TO LAST UP
  PATTERN (A DOWN+ UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)
)"""

ALL_ROWS = """SELECT * FROM {ticks} MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES MATCH_NUMBER() AS match_number, CLASSIFIER() AS classifier
  ALL ROWS PER MATCH
  PATTERN (A{1} DOWN{1,2})
  DEFINE DOWN AS price < PREV(price)
)"""


@pytest.fixture
def shell() -> Iterator[Any]:
    made = interactiveshell.InteractiveShell()
    made.history_manager.enabled = False
    made.run_line_magic("load_ext", "match_recognize")
    yield made
    made.run_line_magic("unload_ext", "match_recognize")
    made.history_manager.end_session()


@pytest.fixture(params=["classic", "connect"])
def session(request: pytest.FixtureRequest) -> SparkSession:
    return request.getfixturevalue("connect" if request.param == "connect" else "spark")


def run(shell: Any, options: str, cell: str) -> Any:
    return shell.run_cell(f"%%match_recognize {options}\n{cell}")


def test_rows(shell: Any, session: SparkSession) -> None:
    shell.user_ns["spark"] = session
    found = run(shell, "--rows 1 --to low", V_SHAPE).result
    # Day 1 falls to day 2 and rises on day 3; days 3 to 6 are the second match.
    assert found.columns == ("first_day", "last_day", "low")
    assert found.rows == ((1, 3, 3),)
    assert not found.complete
    assert shell.user_ns["low"].collect()[1] == (3, 6, 1)


def test_frames_why_and_plot(shell: Any, session: SparkSession) -> None:
    frame = pd.DataFrame({"day": [1, 2, 3, 4], "price": [5, 3, 2, 4]})
    shell.user_ns.update(mine=session, ticks=session.createDataFrame(frame))
    found = run(shell, "--session mine --why", ALL_ROWS).result
    # The match is of days 1 to 3; day 4 begins another, and has no row after it.
    assert found.lines[1] == "1 match in 4 rows of 1 partition."
    assert found.conditions[1][2:6] == (2, 2, 0, 0)
    figure = run(shell, "--session mine --plot day price", ALL_ROWS).result
    (axes,) = figure.axes
    assert [(each.get_x(), each.get_x() + each.get_width()) for each in axes.patches]
    assert axes.get_ylabel() == "price"


def test_errors_are_underlined(
    shell: Any, session: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.user_ns["spark"] = session
    outcome = run(shell, "", V_SHAPE.replace("DOWN+", "DOWN+*"))
    assert isinstance(outcome.error_in_exec, ParseException)
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].startswith("[MATCH_RECOGNIZE.SECOND_QUANTIFIER]")
    assert "  PATTERN (A DOWN+* UP)\n                  ^" in shown
    outcome = run(shell, "", V_SHAPE.replace("MIN(price)", "MIN(prise)"))
    assert isinstance(outcome.error_in_exec, AnalysisException)
    shown += capsys.readouterr().out
    assert (
        "  MEASURES A.day AS first_day, UP.day AS last_day, MIN(prise) AS low\n"
        "                                                       ^^^^^\n"
    ) in shown
    outcome = run(shell, "--why", V_SHAPE.replace("t(day, price)", "t(day, price"))
    shown += capsys.readouterr().out
    assert isinstance(outcome.error_in_exec, ParseException)
    assert "Traceback" not in shown and "stacktrace" not in shown and "\tat " not in shown


def test_what_cannot_run(
    shell: Any, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = run(shell, "--session other", "SELECT 1")
    assert isinstance(outcome.error_in_exec, MatchRecognizeError)
    shell.user_ns["other"] = "text"
    run(shell, "--session other", "SELECT 1")
    shell.user_ns["spark"] = spark
    run(shell, "", "SELECT * FROM {nothing}")
    shell.user_ns["stream"] = spark.readStream.format("rate").load()
    run(shell, "", "SELECT * FROM {stream}")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(".")[0] for line in lines] == [
        "There is no variable other",
        "There is no session in other",
        "The text names {nothing}, but there is no DataFrame of that name (given: none)",
        "The result is a stream, which has no last row to show",
    ]
    assert run(shell, "", "SET spark.sql.ansi.enabled").result.rows
    assert run(shell, "", "CREATE OR REPLACE TEMP VIEW one AS SELECT 1 AS x").result is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--row 3", "unrecognized arguments: --row 3"),
        ("--rows few", "argument --rows: invalid int value: 'few'"),
        ("--rows 0", "--rows must be at least 1."),
        ("--why --plot x y", "--why and --plot exclude each other. Remove one of them."),
        ("--group symbol", "--group needs --plot, as in --plot day price --group symbol."),
        ("--to 'a b'", "--to needs the name of a variable, not a b."),
        ("--to 'a", "No closing quotation in the options. Close the quotation."),
    ],
)
def test_options(options: str, said: str, shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shell, options, "SELECT 1").error_in_exec is not None
    written = capsys.readouterr()
    assert (written.out + written.err).splitlines()[0] == f"UsageError: {said}"


def test_without_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    with pytest.raises(MatchRecognizeError, match="Make one first"):
        magic.session_of({"spark": 1})


def test_the_table() -> None:
    shown = Table(("symbol", "low <"), (("A&B", None), ("C", 10)), False)
    assert repr(shown).splitlines() == [
        "symbol  low <",
        "------  -----",
        "A&B      NULL",
        "C          10",
        "The first 2 rows. --rows 20 shows more.",
    ]
    html = shown._repr_html_()
    assert '<th style="text-align:right">low &lt;</th>' in html
    assert '<td style="text-align:left">A&amp;B</td><td style="text-align:right">NULL' in html
    assert Table(("x",), (), True)._repr_html_().endswith("<p>no rows</p>")
    assert repr(Table(("x",), ((1,),), True)).endswith("\n1 row")


def test_places_of_errors() -> None:
    cell = "SELECT x\nFROM t WHERE\tprise > 1 -- {ticks}\nAND {ticks}.prise > 1"

    def shown(place: str, prefix: int = 0) -> list[str]:
        return message(MatchRecognizeError(f"Wrong; {place}"), cell, prefix).splitlines()

    assert shown("line 2 pos 13")[1:] == [
        "== SQL (line 2) ==",
        "FROM t WHERE\tprise > 1 -- {ticks}",
        "            \t^^^^^",
    ]
    # EXPLAIN MATCH_RECOGNIZE is on the first line, and a frame has another name for Spark.
    assert shown("line 1 pos 31", len("EXPLAIN MATCH_RECOGNIZE "))[2:] == [
        "SELECT x",
        " " * 7 + "^",
    ]
    assert shown("line 3 pos 12")[2:] == ["AND {ticks}.prise > 1"]
    assert shown("line 9 pos 1") == ["Wrong; line 9 pos 1"]
    assert message(MatchRecognizeError("Wrong\n\nJVM stacktrace:\nX\n\tat y"), "") == "Wrong"


def test_loading_and_unloading(shell: Any) -> None:
    assert "match_recognize" in shell.magics_manager.magics["cell"]
    shell.run_line_magic("reload_ext", "match_recognize")
    matchers = [each.__name__ for each in shell.Completer.custom_matchers]
    assert matchers == ["complete_clause"]
    shell.run_line_magic("unload_ext", "match_recognize")
    assert "match_recognize" not in shell.magics_manager.magics["cell"]
    assert shell.Completer.custom_matchers == []
