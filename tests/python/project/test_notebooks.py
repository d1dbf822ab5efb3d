"""The notebooks of docs/notebooks: their outputs are true, and the site shows them."""

from __future__ import annotations

import importlib
import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import ROOT, SPARK
from pyspark.sql import SparkSession

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = ROOT / "docs" / "notebooks"
DATA = ROOT / "python" / "match_recognize" / "demo" / "data"


@pytest.fixture
def notebooks(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    return importlib.import_module("notebooks")


def texts(notebook: Any) -> list[tuple[str, list[dict[str, str]]]]:
    """By code cell, its outputs without the points of pictures."""
    return [
        (
            cell.source,
            [
                {
                    kind: "" if kind.startswith("image/") else text
                    for kind, text in {**each.get("data", {}), **saved_text(each)}.items()
                }
                for each in cell.outputs
            ],
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def saved_text(output: Any) -> dict[str, str]:
    return {"stream": output.text} if "text" in output else {}


@pytest.mark.nightly
@pytest.mark.skipif(SPARK != (4, 3), reason="the outputs are of the newest Spark")
@pytest.mark.parametrize("name", ["prices", "web_sessions", "sensor_faults"])
def test_outputs(name: str, notebooks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "PYSPARK_SUBMIT_ARGS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    path = FOLDER / f"{name}.ipynb"
    saved = nbformat.read(path, as_version=4)
    assert texts(notebooks.executed(path)) == texts(saved)


def output(name: str, source: str) -> str:
    """The text of the first output below a cell that contains a text."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    cell = next(cell for cell in notebook.cells if source in cell.source)
    text: str = cell.outputs[0].data["text/plain"]
    return text


def rows(text: str) -> list[list[str]]:
    """A table of text, without its title and its last line."""
    return [re.split(r" {2,}", line.strip()) for line in text.splitlines()[2:-1]]


def test_the_deepest_v_shape() -> None:
    """The same search in plain Python: runs of four falls and four rises or more."""
    stocks = pd.read_csv(DATA / "stocks.csv.gz")
    found = []
    for symbol, share in stocks.sort_values("Date").groupby("Ticker"):
        prices = [round(price, 2) for price in share["Adj Close"]]
        moves = [(b > a) - (b < a) for a, b in zip(prices, prices[1:])]
        runs = [(move, list(each)) for move, each in itertools.groupby(enumerate(moves), second)]
        for (down, falls), (up, rises) in zip(runs, runs[1:]):
            if down == -1 and up == 1 and min(len(falls), len(rises)) >= 4:
                top, bottom, end = falls[0][0], falls[-1][0] + 1, rises[-1][0] + 1
                days = [share["Date"].iloc[at] for at in (top, bottom, end)]
                fall = round(100 * (prices[bottom] / prices[top] - 1), 1)
                found.append((fall, days[0], [symbol, *days]))
    expected = [[*match, str(fall)] for fall, _, match in sorted(found)[:5]]
    assert rows(output("prices", "PATTERN (TOP DOWN{4,} UP{4,})")) == expected


def second(pair: tuple[int, int]) -> int:
    return pair[1]


def test_the_funnel() -> None:
    """The cell that makes the events says how far each visitor went."""
    notebook = nbformat.read(FOLDER / "web_sessions.ipynb", as_version=4)
    (code,) = [cell.source for cell in notebook.cells if "Random(2026)" in cell.source]
    names: dict[str, Any] = {}
    exec(code[: code.index("schema = ")], names)
    clicks = pd.DataFrame(names["events"], columns=["visitor", "at", "event"])
    furthest = clicks[clicks.event != "page"].groupby("visitor").event.last().value_counts()
    shown = rows(output("web_sessions", "GROUP BY furthest"))
    assert shown == [[step, str(number)] for step, number in furthest.items()]
    at = clicks[clicks.event != "page"].set_index(["event", "visitor"])["at"]
    minutes = (at["purchase"] - at["view"].reindex(at["purchase"].index)).dt.total_seconds() / 60
    assert rows(output("web_sessions", "AS fastest")) == [
        [str(len(minutes)), str(int(minutes.min())), str(int(minutes.max()))]
    ]
    limited = rows(output("web_sessions", "WITHIN INTERVAL '15' MINUTES"))
    assert limited == [[str((minutes <= 15).sum())]]


@pytest.fixture(scope="module")
def readings() -> pd.DataFrame:
    """The readings, and by row the number of its run: without a pause, of rows of a kind."""
    frame = pd.read_csv(DATA / "refrigerator.csv.gz", parse_dates=["time"])
    frame["pause"] = frame.time.diff() > pd.Timedelta(minutes=10)
    return frame


def runs(readings: pd.DataFrame, kind: pd.Series[Any], pauses: bool = False) -> pd.DataFrame:
    """Runs of rows of the same kind; with pauses, also over pauses of the sensor."""
    new = (kind != kind.shift()) | (readings.pause & (not pauses))
    found = readings.assign(kind=kind).groupby(new.cumsum())
    made = found.agg(
        first=("time", "min"),
        last=("time", "max"),
        celsius=("celsius", "max"),
        kind=("kind", "max"),
    )
    made["rows"] = found.size()
    made["minutes"] = (made["last"] - made["first"]) // pd.Timedelta(minutes=1)
    return made


def cells(frame: pd.DataFrame) -> list[list[str]]:
    return [[str(each) for each in row] for row in frame.itertuples(index=False)]


def test_the_stuck_sensor(readings: pd.DataFrame) -> None:
    found = runs(readings, readings.celsius)
    stuck = found[(found["rows"] >= 12) & (found.celsius < 25)]
    expected = cells(stuck[["first", "last", "celsius", "rows"]])
    assert rows(output("sensor_faults", "--to stuck")) == expected


def test_too_high_for_too_long(readings: pd.DataFrame) -> None:
    warm = readings.celsius > 8
    for source, pauses, columns in (
        ("PATTERN (HIGH{24,})", True, ["first", "last", "rows", "celsius", "minutes"]),
        ("PATTERN (START HIGH{23,})", False, ["first", "last", "rows", "minutes"]),
    ):
        found = runs(readings, warm, pauses)
        long = found[found.kind & (found["rows"] >= 24)]
        longest = (5 * long["rows"] - long.minutes).sort_values(kind="stable").index[:5]
        assert rows(output("sensor_faults", source)) == cells(long.loc[longest, columns])


def test_the_pauses(readings: pd.DataFrame) -> None:
    found = pd.DataFrame({"last": readings.time.shift(), "next": readings.time})
    found["minutes"] = (found["next"] - found["last"]) // pd.Timedelta(minutes=1)
    longest = found[found.minutes > 10].sort_values("minutes", ascending=False, kind="stable")
    shown = rows(output("sensor_faults", "PATTERN (LAST_ONE NEXT_ONE)"))
    assert shown == [[a, b, str(int(float(c)))] for a, b, c in cells(longest[:5])]


def test_they_fit_the_site() -> None:
    for path in FOLDER.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert path.stat().st_size <= 200_000
        for cell in notebook.cells:
            most = 100 if cell.cell_type == "markdown" else 84
            assert max(map(len, cell.source.splitlines())) <= most, cell.source
        linked = re.findall(r"\]\(([^)#]+)", "".join(cell.source for cell in notebook.cells))
        assert linked
        assert all((FOLDER / each).exists() for each in linked)


#: A cell of the page, with the text that it shows.
CELL = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


@pytest.mark.skipif(SPARK != (4, 3), reason="the page shows an error of the newest Spark")
def test_the_page(
    new_session: Callable[[], SparkSession], capsys: pytest.CaptureFixture[str]
) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    shell.user_ns["spark"] = new_session()
    cells = CELL.findall((ROOT / "docs" / "notebooks.md").read_text())
    for code, expected in cells:
        outcome = shell.run_cell(code)
        shown = capsys.readouterr().out
        if outcome.error_in_exec is None:
            shown = "" if outcome.result is None else repr(outcome.result)
        # Blanks count where a text is underlined.
        assert shown.split() == expected.split(), code
        assert shown.splitlines()[-1:] == expected.splitlines()[-1:], code
    assert len([1 for _, expected in cells if expected]) == 3
    shell.history_manager.end_session()


def test_the_site_has_a_page_of_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "mkdocs", type(sys)("mkdocs"))
    monkeypatch.setitem(sys.modules, "mkdocs.structure", type(sys)("mkdocs.structure"))
    files = type(sys)("mkdocs.structure.files")
    monkeypatch.setattr(files, "File", object, raising=False)
    monkeypatch.setitem(sys.modules, "mkdocs.structure.files", files)
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    pages = importlib.import_module("notebook_pages")
    code = nbformat.v4.new_code_cell("%%match_recognize\nSELECT 1")
    code.outputs = [
        nbformat.v4.new_output("stream", text="a < b\n\nc"),
        nbformat.v4.new_output("display_data", {"image/png": "AA\nBB", "text/plain": "Figure"}),
        nbformat.v4.new_output("display_data", {"text/html": "<p>1</p>\n\n<p>2</p>"}),
    ]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), code])
    path = tmp_path / "one.ipynb"
    nbformat.write(made, path)
    text = pages.page(path)
    assert text.startswith('# Title\n\n<a href="one.ipynb" download>')
    assert "```sql\n%%match_recognize\nSELECT 1\n```" in text
    assert "a &lt; b\n&#8203;\nc" in text
    assert 'src="data:image/png;base64,AABB"' in text
    assert "<p>1</p>\n&#8203;\n<p>2</p>" in text
    linked = pages.on_page_markdown("[a](x/b_c.ipynb) [d](e.ipynb#f) `g.ipynb`")
    assert linked == "[a](x/b_c.md) [d](e.md#f) `g.ipynb`"
