"""match_recognize.plot.plot_matches with Altair."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, datetime
from typing import Any

import pandas as pd
import pytest
from drawn import PRICES, matches, series, spans, visits
from match_recognize import MatchRecognizeError, enable, match
from match_recognize.plot import plot_matches
from pyspark.sql import SparkSession


@pytest.fixture
def altair() -> Any:
    return pytest.importorskip("altair")


def read(chart: Any) -> dict[str, Any]:
    # Altair checks the chart against Vega-Lite's schema here.
    made: dict[str, Any] = json.loads(chart.to_json())
    return made


def layers(made: dict[str, Any], group: int = 0) -> dict[str, dict[str, Any]]:
    """By kind of mark, the encoding of a layer and its data as `rows`."""
    return {
        layer["mark"]["type"]: {
            **layer["encoding"],
            "rows": made["datasets"][(layer.get("data") or view["data"])["name"]],
        }
        for view in made["vconcat"][group]["vconcat"]
        for layer in view["layer"]
    }


def picked(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def test_a_series_with_its_matches(altair: Any) -> None:
    chart = plot_matches(matches(), x="t", y="price", rows=series(), backend="altair")
    assert isinstance(chart, altair.VConcatChart)
    drawn = layers(read(chart))
    assert picked(drawn["line"]["rows"], "x", "y") == list(enumerate(PRICES))
    points = drawn["point"]["rows"]
    assert picked(points[:2], "x", "y", "match", "variable") == [
        (0, 20, "1", "TOP"),
        (1, 17, "1", "DOWN"),
    ]
    # The row of two matches.
    assert picked(points[4:6], "x", "match", "variable") == [(4, "1", "UP"), (4, "2", "TOP")]
    assert points[4]["size"] > points[5]["size"]
    bars = drawn["bar"]["rows"]
    assert picked(bars, "x", "end", "match", "rows", "level") == [
        (0, 4, "1", 5, 0),
        (4, 7, "2", 4, 1),
    ]
    assert drawn["text"]["text"]["field"] == "match"
    assert drawn["point"]["color"]["scale"]["domain"] == ["TOP", "DOWN", "UP"]
    assert drawn["point"]["y"]["title"] == "price"
    # Without a query, the conditions are unknown.
    assert [tip["field"] for tip in drawn["point"]["tooltip"]] == ["x", "y", "match", "variable"]


def test_lanes(altair: Any) -> None:
    made = read(plot_matches(visits(), x="t", y="page", group="user", backend="altair"))
    assert [each["title"]["text"] for each in made["vconcat"]] == ["ann", "bob"]
    for group, places in enumerate([[(1, "home"), (2, "cart")], [(1, "help"), (2, "cart")]]):
        drawn = layers(made, group)
        assert drawn["point"]["y"]["scale"]["domain"] == ["home", "cart", "help"]
        assert picked(drawn["point"]["rows"], "x", "y") == places
        # The last row of bob has no lane.
        assert picked(drawn["line"]["rows"], "x", "y") == places
        assert drawn["line"]["order"]["field"] == "x"
    assert picked(layers(made)["circle"]["rows"], "x", "y") == [(3, "home")]
    drawn = layers(read(plot_matches(visits(), x="t", group="user", backend="altair")))
    assert drawn["point"]["y"]["title"] == "variable"
    assert drawn["point"]["y"]["scale"]["domain"] == ["START", "NEXT", "no match"]
    assert drawn["point"]["color"]["legend"] is None


def test_values_of_all_kinds(altair: Any) -> None:
    frame = matches()[:2].rename(columns={"price": "the [best].price"})
    days = [date(2026, 11, 1), datetime(2026, 11, 1, 10, 30)]
    chart = plot_matches(
        frame.assign(t=days[:1] * 2), x="t", y="the [best].price", backend="altair"
    )
    point = layers(read(chart))["point"]
    assert (point["x"]["type"], point["rows"][0]["x"]) == ("temporal", "2026-11-01T00:00:00")
    assert point["y"]["title"] == "the [best].price"
    assert point["tooltip"][0]["format"] == "%Y-%m-%d %H:%M:%S"
    chart = plot_matches(matches()[:1].assign(t=days[1]), x="t", y="price", backend="altair")
    assert layers(read(chart))["point"]["rows"][0]["x"] == "2026-11-01T10:30:00"
    chart = plot_matches(matches()[:3], x="classifier", y="price", backend="altair")
    assert layers(read(chart))["point"]["x"]["type"] == "ordinal"


def test_what_is_not_drawn_is_said(altair: Any) -> None:
    found = spans(*((t, t + 49) for t in range(0, 10_000, 100)))
    frames = [found.assign(s=name) for name in "ab"]
    options: dict[str, Any] = {"group": "s", "max_rows": 20_000, "max_groups": 1}
    made = read(plot_matches(pd.concat(frames), x="t", y="price", backend="altair", **options))
    drawn = layers(made)
    assert len(drawn["point"]["rows"]) == 3000
    (panel,) = made["vconcat"]
    title = panel["vconcat"][1]["encoding"]["x"]["title"]
    assert title == ["t", "3,000 of 5,000 rows are marked"]
    assert made["title"]["text"] == ["Not shown: b"]


def test_the_row_of_many_matches(altair: Any) -> None:
    found = spans(*((t, 20) for t in range(20)))
    drawn = layers(read(plot_matches(found, x="t", y="price", backend="altair")))
    assert drawn["point"]["rows"][-1]["match"] == "0, 1, 2, 3, 4, …"
    assert "text" not in drawn


def built(session: SparkSession) -> Any:
    frame = session.sql("SELECT * FROM VALUES (1, 5), (2, 3), (3, 4) AS t(day, price)")
    return (
        match(frame)
        .order_by("day")
        .pattern("TOP Down UP")
        .define(Down="price < PREV(price)", UP="price  >\n PREV(price) -- it rises")
    )


@pytest.mark.parametrize("kind", ["new_session", "connect"])
def test_a_query_tells_its_conditions(
    altair: Any, kind: str, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(kind)
    session = enable(found() if callable(found) else found)
    drawn = layers(read(built(session).plot("price", backend="altair")))
    assert picked(drawn["point"]["rows"], "variable", "condition") == [
        ("TOP", "any row"),
        ("Down", "price < PREV(price)"),
        ("UP", "price > PREV(price)"),
    ]
    assert drawn["point"]["tooltip"][-1]["field"] == "condition"
    assert layers(read(built(session).plot(backend="altair")))["point"]["y"]["type"] == "nominal"


def test_a_backend_that_there_is_not() -> None:
    unknown: Any = "plotly"
    with pytest.raises(MatchRecognizeError, match=r"no backend 'plotly'\. Choose \"matplotlib"):
        plot_matches(matches(), x="t", y="price", backend=unknown)


def test_altair_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "match_recognize.plot.matches_chart", raising=False)
    monkeypatch.setitem(sys.modules, "altair", None)
    needed = r'needs altair.*pip install "spark-match-recognize\[altair\]"'
    with pytest.raises(MatchRecognizeError, match=needed):
        plot_matches(matches(), x="t", y="price", backend="altair")


@pytest.mark.parametrize(
    ("backend", "other"), [("altair", "matplotlib"), ("matplotlib", "altair")]
)
def test_only_the_library_that_draws_is_imported(backend: str, other: str) -> None:
    pytest.importorskip(backend)
    code = f"""
        import sys, pandas
        from match_recognize.plot import plot_matches
        assert not {{"altair", "matplotlib"}} & set(sys.modules)
        frame = pandas.DataFrame({{"t": [1, 2], "match_number": 1, "classifier": "A"}})
        plot_matches(frame, x="t", y="t", backend="{backend}")
        assert "{backend}" in sys.modules
        assert "{other}" not in sys.modules
    """
    program = "\n".join(line.strip() for line in code.splitlines())
    subprocess.run([sys.executable, "-c", program], check=True)
