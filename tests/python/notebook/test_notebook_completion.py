"""Completion in cells of ``%%match_recognize``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

completer = pytest.importorskip("IPython.core.completer")

from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from match_recognize.notebook.completion import (  # noqa: E402
    candidates,
    columns_of,
    variables_of,
)

CELL = """SELECT * FROM t MATCH_RECOGNIZE (
  PATTERN (TOP permute(down, `b c`)+ UP{2})
  """


@pytest.fixture
def shell() -> Iterator[Any]:
    made = InteractiveShell()
    made.run_line_magic("load_ext", "match_recognize")
    yield made
    made.run_line_magic("unload_ext", "match_recognize")
    made.history_manager.end_session()


def offered(shell: Any, text: str) -> dict[str, str]:
    """The texts that a shell offers at the end of a cell, each with what it replaces."""
    with completer.provisionalcompleter():
        return {
            each.text: text[each.start : each.end]
            for each in shell.Completer.completions(text, len(text))
        }


def test_in_a_cell_of_the_magic(shell: Any) -> None:
    text = f"%%match_recognize --rows 3\n{CELL}"
    assert offered(shell, text + "PART") == {"PARTITION BY": "PART"}
    assert offered(shell, text + "AFTER MATCH SKIP TO N") == {"NEXT ROW": "N"}
    assert offered(shell, text + "MEASURES U") == {"UP": "U"}
    assert offered(shell, text + "DEFINE UP AS x > pre") == {"prev(": "pre"}


def test_columns_of_a_frame_in_braces(shell: Any) -> None:
    class Ticks:
        columns = ("symbol", "Price", "price per day")

    shell.user_ns["ticks"] = Ticks()
    text = CELL.replace("FROM t", "FROM {ticks}")
    start = f"%%match_recognize\n{text}DEFINE UP AS "
    assert list(offered(shell, start + "p"))[:3] == ["Price", "`price per day`", "partition by"]
    assert offered(shell, start + "TOP.p") == {"Price": "p", "`price per day`": "p"}
    assert list(offered(shell, start + "TOP.")) == ["symbol", "Price", "`price per day`"]
    # Loaded twice, it still offers each once.
    shell.run_line_magic("reload_ext", "match_recognize")
    assert offered(shell, start + "TOP.s") == {"symbol": "s"}


def test_columns_of_a_table() -> None:
    class Session:
        sql = conf = catalog = version = None

        def table(self, name: str) -> Any:
            frame = pytest.importorskip("pandas").DataFrame
            return {"own_ticks": frame({"day": []}), "a.`b c`": frame({"x`y": []})}[name]

    text = "SELECT * FROM own_ticks, (select * from a.`b c` MATCH_RECOGNIZE (, FROM gone"
    assert columns_of(text, {"spark": Session()}) == ["day", "`x``y`"]
    assert columns_of(text, {"spark": None}) == []


def test_columns_of_arrow() -> None:
    table = pytest.importorskip("pyarrow").table({"day": [1]})
    assert columns_of("FROM {t}", {"t": table}) == ["day"]


def test_elsewhere(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert "PARTITION BY" not in offered(shell, "PART")
    assert "PARTITION BY" not in offered(shell, "%%time\nPART")
    shell.user_ns["ticks_of_today"] = 1
    assert "ticks_of_today" in offered(shell, "%%match_recognize\nSELECT * FROM {ticks_of")
    # IPython prints what a matcher raises, and goes on.
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("ONE ROW P", ["PER MATCH"]),
        ("one row p", ["per match"]),
        ("ALL ROWS PER MATCH O", ["OMIT EMPTY MATCHES"]),
        ("AFTER MATCH ", ["SKIP PAST LAST ROW", "SKIP TO NEXT ROW", "SKIP TO FIRST"]),
        ("DEFINE T", ["TOP"]),
        ("DEFINE x = D", ["down", "DEFINE"]),
        ("UP", []),
        ("", []),
        ("price > ", []),
        ("t.price < PREV(MA", ["MATCH_RECOGNIZE (", "MATCH_NUMBER()", "MAX("]),
    ],
)
def test_candidates(before: str, expected: list[str]) -> None:
    assert candidates(CELL, before, list)[: len(expected) or None] == expected


def test_variables() -> None:
    assert variables_of(CELL) == ["TOP", "down", "b c", "UP"]
    assert variables_of("-- PATTERN (A)\nPATTERN (X Y") == []
    assert variables_of("SELECT 1") == []


def test_the_package_does_not_need_ipython() -> None:
    code = "import sys, match_recognize; print('IPython' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
