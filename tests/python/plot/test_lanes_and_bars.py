"""match_recognize.plot.plot_matches: lanes of text, bars of matches, and what is not drawn."""

from __future__ import annotations

from typing import Any

import matplotlib.style
import pandas as pd
import pytest
from drawn import (
    PRICES,
    bars,
    lanes,
    marked,
    matches,
    numbers,
    points,
    series,
    shaded,
    spans,
    visits,
)
from match_recognize.plot import plot_matches
from matplotlib.colors import to_rgb


def test_bars_of_overlapping_matches_are_in_rows_of_their_own() -> None:
    (axes,) = plot_matches(spans((0, 40), (10, 19), (20, 90), (60, 70)), x="t", y="price").axes
    assert [(level, round(a), round(b)) for level, a, b in bars(axes)] == [
        (0, -1, 41),
        (0, 59, 71),
        (1, 9, 20),
        (2, 19, 91),
    ]
    assert numbers(axes) == [(0, 0, "0"), (10, 1, "1"), (20, 2, "2"), (60, 0, "3")]
    # Shades would lie on each other.
    assert shaded(axes) == []


@pytest.mark.parametrize("length", [1, 3, 30])
@pytest.mark.parametrize("step", [1, 2, 7])
def test_bars_never_overlap(length: int, step: int) -> None:
    found = spans(*((t, t + length - 1) for t in range(0, 600, step)))
    (axes,) = plot_matches(found, x="t", y="price", max_rows=20_000).axes
    drawn = bars(axes)
    for (level, _, end), (after, start, _) in zip(drawn, drawn[1:]):
        assert level < after or end <= start + 1e-9
    assert len(numbers(axes)) in (0, len(drawn))


def test_what_cannot_be_drawn_is_said() -> None:
    (axes,) = plot_matches(spans(*((t, 60) for t in range(60))), x="t", y="price").axes
    assert len(bars(axes)) == 40
    assert axes.get_xlabel() == "t\n40 of 60 matches have a bar"


def test_marks_are_sampled_evenly_with_the_ends_of_matches() -> None:
    found = spans(*((t, t + 49) for t in range(0, 10_000, 100)))
    found = pd.concat([found, found.assign(match_number=None, classifier=None, t=found.t + 50)])
    (axes,) = plot_matches(found, x="t", y="price", max_rows=20_000).axes
    xs = [x for x, _ in points(axes)["A"]]
    assert len(xs) == len(set(xs)) == 3000
    assert {t + end for t in range(0, 10_000, 100) for end in (0, 49)} <= set(xs)
    assert max(after - x for x, after in zip(sorted(xs), sorted(xs)[1:]) if x % 100 < 49) <= 3
    assert axes.get_xlabel() == "t\n3,000 of 5,000 rows are marked"
    (axes,) = plot_matches(found[:3000], x="t", y="price").axes
    assert axes.get_xlabel() == "t"


def test_text_has_lanes() -> None:
    figure = plot_matches(visits(), x="t", y="page", group="user")
    assert [lanes(axes) for axes in figure.axes] == [["home", "cart", "help"]] * 2
    assert figure.axes[0].get_ylim() == (2.5, -0.5)
    found = points(figure.axes[0])
    assert (found.pop("START"), found.pop("NEXT")) == ([(1, 0)], [(2, 1)])
    # The row without a match.
    assert list(found.values()) == [[(3, 0)]]
    assert points(figure.axes[1]) == {"START": [(1, 2)], "NEXT": [(2, 1)]}
    assert [numbers(axes) for axes in figure.axes] == [[(1, 0, "1")]] * 2
    # The width of a panel is that of its rows without matches, too.
    assert bars(figure.axes[0]) == [(0, pytest.approx(0.982), pytest.approx(2.018))]


def test_without_y_each_variable_has_a_lane() -> None:
    figure = plot_matches(visits(), x="t", group="user")
    assert [lanes(axes) for axes in figure.axes] == [["START", "NEXT", "no match"]] * 2
    assert figure.axes[0].get_ylabel() == "variable"
    assert figure.legends == []
    (axes,) = plot_matches(matches()[:3], x="t", rows=series()).axes
    assert lanes(axes) == ["TOP", "DOWN", "no match"]
    assert sum(map(len, points(axes).values())) == len(PRICES)


def test_the_most_frequent_values_have_lanes() -> None:
    names = [f"page {i}" for i in range(30)]
    found = spans((0, 59)).assign(page=[*names, *names[8:], *names[:8]])
    figure = plot_matches(pd.concat([found, found[8:28]]), x="t", y="page")
    assert lanes(figure.axes[0]) == names[8:28]
    (text,) = figure.texts
    others = "page 0, page 1, page 2, page 3, page 4 and 5 more"
    assert text.get_text() == f"Without a lane: {others}"


def brightness(color: Any) -> float:
    return sum(to_rgb(color)) / 3


@pytest.mark.parametrize(("style", "dark"), [("default", False), ("dark_background", True)])
def test_texts_can_be_read_on_each_style(style: str, dark: bool) -> None:
    with matplotlib.style.context(style):
        figure = plot_matches(matches(), x="t", y="price", group="symbol")
    (axes,) = figure.axes
    assert (brightness(axes.get_facecolor()) < 0.5) == dark
    texts = [axes.title, axes.xaxis.label, *axes.child_axes[0].texts, *axes.get_yticklabels()]
    assert len(texts) > 4
    assert all((brightness(text.get_color()) > 0.5) == dark for text in texts)
    edges = {line.get_markeredgecolor() for line in axes.lines if marked(line)}
    assert {(brightness(edge) < 0.5) == dark for edge in edges} == {True}


def test_a_panel_has_room_for_bars_and_title() -> None:
    found = spans(*((t, t + 30) for t in range(0, 300, 10)))
    figure = plot_matches(found.assign(s="ACME"), x="t", y="price", group="s")
    figure.draw_without_rendering()
    (axes,) = figure.axes
    strip, title = axes.child_axes[0].get_window_extent(), axes._left_title.get_window_extent()
    legend = figure.legends[0].get_window_extent()
    assert axes.get_window_extent().y1 <= strip.y0 + 1
    assert strip.y1 <= title.y0
    assert title.y1 <= legend.y1 <= figure.bbox.y1
    assert strip.y1 <= legend.y0
