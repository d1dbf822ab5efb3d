"""match_recognize.plot.plot_matches with matplotlib."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from drawn import WHOLE, bars, lines, marked, matches, points, series, shaded
from match_recognize import MatchRecognizeError, match, patterns
from match_recognize.plot import plot_matches
from pyspark.sql import SparkSession


class Moved(pd.DataFrame):
    """A frame of pandas whose class is in a module of another name."""


def arrow(frame: pd.DataFrame) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pandas(frame)


@pytest.mark.parametrize("made", [Moved, arrow, lambda frame: arrow(frame).to_batches()[0]])
def test_frames_of_other_libraries(made: Callable[[pd.DataFrame], Any]) -> None:
    found = matches()
    found.loc[len(found)] = ["ACME", 9, float("nan"), 3, "TOP"]
    (axes,) = plot_matches(made(found), x="t", y="price", rows=made(series())).axes
    assert lines(axes) == [WHOLE]
    assert sorted(points(axes)["TOP"])[:2] == [(0, 20), (4, 21)]


def test_matches_on_the_whole_series() -> None:
    figure = plot_matches(matches(), x="t", y="price", rows=series())
    (axes,) = figure.axes
    assert shaded(axes) == [(0, 4), (4, 7)]
    assert lines(axes) == [WHOLE]
    assert {name: sorted(each) for name, each in points(axes).items()} == {
        "TOP": [(0, 20), (4, 21)],
        "DOWN": [(1, 17), (2, 14), (5, 19), (6, 16)],
        "UP": [(3, 18), (4, 21), (7, 17)],
    }
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["TOP", "DOWN", "UP"]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_title("left")) == ("t", "price", "")


def test_the_row_of_two_matches_has_a_smaller_mark_in_the_first() -> None:
    (axes,) = plot_matches(matches().sample(frac=1, random_state=1), x="t", y="price").axes
    here = {line.get_label(): line.get_markersize() for line in axes.lines if 4 in marked(line)}
    assert list(here) == ["UP", "TOP"]
    assert here["UP"] > here["TOP"]


def test_variables_differ_in_colour_and_in_marker() -> None:
    names = [f"V{i}" for i in range(10)]
    frame = pd.DataFrame({"t": range(10), "y": 1, "match_number": 1, "classifier": names})
    (axes,) = plot_matches(frame, x="t", y="y").axes
    own = {line.get_label(): line for line in axes.lines if line.get_marker() != "None"}
    assert list(own) == names
    styles = {(line.get_color(), line.get_marker()) for line in own.values()}
    assert len(styles) == 10
    assert len({line.get_marker() for line in own.values()}) == 10


def test_no_line_leads_from_one_match_to_the_next() -> None:
    frame = matches()
    (axes,) = plot_matches(frame, x="t", y="price").axes
    assert lines(axes) == [WHOLE[:5], WHOLE[4:]]


def test_unmatched_rows_are_the_series() -> None:
    frame = pd.concat([matches()[:3], series()[3:]])
    (axes,) = plot_matches(frame, x="t", y="price").axes
    assert lines(axes) == [WHOLE]
    assert shaded(axes) == [(0, 2)]


def test_a_match_of_one_row_and_an_empty_match_are_lines() -> None:
    frame = pd.DataFrame(
        {
            "t": [1, 2, 3],
            "y": [5, 6, 7],
            "match_number": [1, 2, None],
            "classifier": ["A", *[None] * 2],
        }
    )
    (axes,) = plot_matches(frame, x="t", y="y").axes
    assert shaded(axes) == []
    assert [(a < x < b) for x, (_, a, b) in zip((1, 2), bars(axes))] == [True, True]
    assert points(axes) == {"A": [(1, 5)]}


def test_a_row_whose_neighbours_have_no_value_is_a_dot() -> None:
    frame = pd.DataFrame({"t": [1, 2, 3, 4], "y": [5, None, 7, 8]})
    found = frame.assign(match_number=None, classifier=None)
    (axes,) = plot_matches(found, x="t", y="y").axes
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [[tuple(point) for point in line.get_xydata()] for line in dots] == [[(1, 5)]]


@pytest.mark.parametrize("values", [[None] * 8, ["a"] * 8, [1] * 8])
@pytest.mark.parametrize(
    "times",
    [
        pd.date_range("2026-11-01", periods=8),
        pd.to_timedelta(range(8), unit="h"),
        list("abcdefgh"),
        [1] * 8,
    ],
)
@pytest.mark.filterwarnings("error")
def test_unusual_axes(times: Any, values: list[Any]) -> None:
    frame = matches()[:8].assign(t=times, price=pd.Series(values, dtype=object))
    figure = plot_matches(frame, x="t", y="price")
    assert figure._repr_png_().startswith(b"\x89PNG")
    (axes,) = figure.axes
    assert len(bars(axes)) == 2
    assert all(a < b for _, a, b in bars(axes))


def test_groups() -> None:
    frame = pd.concat([matches("B"), matches("A")])
    rows = pd.concat([series(name) for name in "BAC"])
    figure = plot_matches(frame, x="t", y="price", group="symbol", rows=rows)
    assert [axes.get_title("left") for axes in figure.axes] == ["A", "B", "C"]
    assert [shaded(axes) for axes in figure.axes] == [[(0, 4), (4, 7)]] * 2 + [[]]
    assert [lines(axes) for axes in figure.axes] == [[WHOLE]] * 3
    assert figure.texts == []


def test_groups_left_out() -> None:
    rows = pd.concat([series(name) for name in "ABCDEFGHI"])
    frame = pd.concat([matches("B"), matches("I")])
    figure = plot_matches(frame, x="t", y="price", group=["symbol"], rows=rows, max_groups=3)
    assert [axes.get_title("left") for axes in figure.axes] == ["A", "B", "I"]
    assert [text.get_text() for text in figure.texts] == ["Not shown: C, D, E, F, G and 1 more"]


def test_groups_of_two_columns_and_null() -> None:
    frame = matches().assign(place=[None, *["x"] * 8])
    figure = plot_matches(frame, x="t", y="price", group=("symbol", "place"))
    assert [axes.get_title("left") for axes in figure.axes] == ["ACME, NULL", "ACME, x"]


def test_values_of_all_kinds() -> None:
    frame = pd.DataFrame(
        {
            "Day": [date(2026, 11, 1), date(2026, 11, 2), date(2026, 11, 4), None],
            "y": [Decimal("1.5"), None, Decimal("2.5"), Decimal("9")],
            "n": pd.array([1, 1, 1, pd.NA], dtype="Int64"),
            "v": ["A", "A", "B", None],
        }
    )
    figure = plot_matches(frame, x="day", y="y", match="n", label="v")
    (axes,) = figure.axes
    assert points(axes) == {"A": [(date(2026, 11, 1), 1.5)], "B": [(date(2026, 11, 4), 2.5)]}
    assert figure._repr_png_().startswith(b"\x89PNG")


class SparkFrame:
    """A DataFrame of Spark, as far as a picture asks it for rows."""

    columns = ("t", "price", "match_number", "classifier")
    isStreaming = False  # noqa: N815

    def __init__(self) -> None:
        self.taken = 0

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802

    def select(self, *names: str) -> SparkFrame:
        assert names == ("`t`", "`price`", "`match_number`", "`classifier`")
        return self

    def limit(self, count: int) -> SparkFrame:
        self.taken = count
        return self

    def collect(self) -> list[tuple[Any, ...]]:
        return [(t, 1.0, 1, "A") for t in range(self.taken)]


def test_a_large_frame_is_not_collected() -> None:
    frame = SparkFrame()
    with pytest.raises(MatchRecognizeError, match=r"The result has more than 50 rows.*max_rows"):
        plot_matches(frame, x="t", y="price", max_rows=50)
    assert frame.taken == 51
    with pytest.raises(MatchRecognizeError, match="The frame rows has more than 8 rows"):
        plot_matches(matches()[:8], x="t", y="price", rows=pd.concat([series()] * 2), max_rows=8)
    assert plot_matches(matches(), x="t", y="price", max_rows=9)


def test_a_stream() -> None:
    frame = SparkFrame()
    frame.isStreaming = True
    with pytest.raises(MatchRecognizeError, match=r"streaming DataFrame\. Write it to a table"):
        plot_matches(frame, x="t", y="price")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": "price"}, "needs the column of the horizontal axis"),
        ({"x": "t", "y": "cost"}, r"no column cost \(it has symbol, t, price, match_number, cl"),
        ({"x": "t", "y": "prise"}, r"no column prise .* Did you mean price\?"),
        (
            {"x": "t", "y": "price", "match": "m"},
            r"measure MATCH_NUMBER\(\) AS m, or .* match=\.$",
        ),
        ({"x": "t", "y": "price", "label": "v"}, r"measure CLASSIFIER\(\) AS v, or .* label=\.$"),
        ({"x": "t", "y": "price", "max_groups": 0}, "must be at least 1"),
    ],
)
def test_mistakes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MatchRecognizeError, match=message):
        plot_matches(matches(), **arguments)


def test_a_column_of_neither_numbers_nor_text() -> None:
    with pytest.raises(MatchRecognizeError, match=r"column on of the vertical axis has datetime"):
        plot_matches(matches().assign(on=date(2026, 11, 1)), x="t", y="on")


def test_nothing_to_draw() -> None:
    with pytest.raises(MatchRecognizeError, match=r"no match and no row\. Give the whole series"):
        plot_matches(matches()[:0], x="t", y="price")
    (axes,) = plot_matches(matches()[:0], x="t", y="price", rows=series()).axes
    assert lines(axes) == [WHOLE]


def test_no_frame() -> None:
    with pytest.raises(TypeError, match=r"The result must be a DataFrame.*not builtins\.list"):
        plot_matches([1], x="t", y="price")
    with pytest.raises(TypeError, match=r"The frame rows must be a DataFrame"):
        plot_matches(matches(), x="t", y="price", rows=3)


class Query:
    """A query of the builder."""

    def __init__(self, order: str = "t DESC", pattern: str = "TOP DOWN+ UP+") -> None:
        self.calls: list[object] = []
        self.text = f"""SELECT * FROM {{input}} MATCH_RECOGNIZE (
            PARTITION BY symbol, upper(x) AS `a b` ORDER BY {order} PATTERN ({pattern}))"""

    def sql(self) -> str:
        return self.text

    def _of_all_rows(self, measures: Mapping[str, str], unmatched: bool) -> Query:
        self.calls += [unmatched, list(measures.values())]
        self.names = dict(zip(["match_number", "classifier"], measures))
        return self

    def to_df(self) -> Any:
        return matches().rename(columns=self.names).assign(**{"a b": "X"})

    def _prepared(self) -> Any:
        raise AssertionError("nothing is explained")


def test_a_query_of_the_builder_runs_with_what_a_picture_needs() -> None:
    query = Query()
    (axes,) = plot_matches(query, y="price").axes
    assert query.calls == [True, ["MATCH_NUMBER()", "CLASSIFIER()"]]
    assert shaded(axes) == [(0, 4), (4, 7)]
    assert axes.get_title("left") == "ACME, X"
    assert axes.get_xlabel() == "t"


def test_a_measure_has_the_name_of_a_column(spark: SparkSession) -> None:
    levels = spark.createDataFrame([(1, 5), (2, 6), (3, 6)], "day INT, level INT")
    query = patterns.streaks(match(levels).order_by("day"), by="level")
    (axes,) = plot_matches(query, y="level").axes
    assert points(axes) == {"START": [(1, 5), (2, 6)], "SAME": [(3, 6)]}


def test_variables_are_written_as_in_the_pattern() -> None:
    figure = plot_matches(Query(pattern="Top down+ (up | `b c`)+"), y="price")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Top", "down", "up"]
    assert sorted(points(figure.axes[0])) == ["Top", "down", "up"]


@pytest.mark.parametrize("days", [2, 3, 4, 9])
def test_few_days_have_no_hours(days: int) -> None:
    frame = pd.DataFrame(
        {"t": [date(2026, 3, 1 + i) for i in range(days)], "match_number": 1, "classifier": "A"}
    )
    axis = plot_matches(frame, x="t").axes[0].xaxis
    shown = [text.get_text() for text in axis.get_ticklabels()]
    assert shown == ["Mar", *(f"{day:02}" for day in range(2, days + 1))]


def test_no_unmatched_rows_with_an_exclusion() -> None:
    query = Query("f(t) AS t NULLS LAST, price", "TOP {- DOWN+ -} UP+")
    assert plot_matches(query, y="price", group="symbol").axes[0].get_title("left") == "ACME"
    assert query.calls[0] is False


@pytest.mark.parametrize("order", ["abs(t)", "t + price", "-t DESC", "3 t"])
def test_an_order_that_is_no_column(order: str) -> None:
    with pytest.raises(MatchRecognizeError, match="ORDER BY does not begin with a column"):
        plot_matches(Query(order), y="price")


@pytest.mark.parametrize(
    ("order", "name"),
    [("t", "t"), ("a.t ASC, b", "t"), ("`t` NULLS FIRST", "t"), ("abs(t) AS price", "price")],
)
def test_an_order_that_is_a_column(order: str, name: str) -> None:
    assert plot_matches(Query(order), y="price").axes[0].get_xlabel() == name


def test_matplotlib_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "match_recognize.plot.matches_figure", raising=False)
    import match_recognize.plot

    monkeypatch.delattr(match_recognize.plot, "matches_figure", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MatchRecognizeError, match=r'pip install "spark-match-recognize\[plot\]"'):
        plot_matches(matches(), x="t", y="price")


def test_matplotlib_comes_late_and_pyplot_never() -> None:
    code = """
        import sys, match_recognize
        from match_recognize.plot import plot_matches
        assert "matplotlib" not in sys.modules
        import pandas
        frame = pandas.DataFrame({"t": [1, 2], "match_number": 1, "classifier": "A"})
        plot_matches(frame, x="t", y="t")._repr_png_()
        assert "matplotlib" in sys.modules
        assert "matplotlib.pyplot" not in sys.modules
    """
    program = "\n".join(line.strip() for line in code.splitlines())
    subprocess.run([sys.executable, "-c", program], check=True)


def test_connect(connect: SparkSession) -> None:
    frame = connect.sql("""
        SELECT * FROM VALUES (1, 20), (2, 17), (3, 18), (4, 18) AS t(t, price)
        MATCH_RECOGNIZE (
          ORDER BY t MEASURES MATCH_NUMBER() AS match_number, CLASSIFIER() AS classifier
          ALL ROWS PER MATCH WITH UNMATCHED ROWS
          PATTERN (TOP DOWN+ UP)
          DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))""")
    (axes,) = plot_matches(frame, x="t", y="price").axes
    assert shaded(axes) == [(1, 3)]
    assert lines(axes) == [[(1, 20), (2, 17), (3, 18), (4, 18)]]
