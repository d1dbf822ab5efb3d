"""Frames to draw, and what a figure of matplotlib shows."""

from __future__ import annotations

from typing import Any

import pandas as pd

PRICES = [20, 17, 14, 18, 21, 19, 16, 17]

#: By match, its first row and the variables of its rows. Row 4 is in both.
MATCHES = {1: (0, "TOP DOWN DOWN UP UP"), 2: (4, "TOP DOWN DOWN UP")}


WHOLE = list(enumerate(PRICES))


def series(symbol: str = "ACME") -> pd.DataFrame:
    return pd.DataFrame({"symbol": symbol, "t": range(len(PRICES)), "price": PRICES})


def matches(symbol: str = "ACME") -> pd.DataFrame:
    rows = [
        (symbol, first + i, PRICES[first + i], number, variable)
        for number, (first, variables) in MATCHES.items()
        for i, variable in enumerate(variables.split())
    ]
    return pd.DataFrame(rows, columns=["symbol", "t", "price", "match_number", "classifier"])


def shaded(axes: Any) -> list[tuple[float, float]]:
    return [(each.get_x(), each.get_x() + each.get_width()) for each in axes.patches]


def lines(axes: Any) -> list[list[tuple[Any, Any]]]:
    """The lines without markers, by their points."""
    return [
        list(zip(line.get_xdata(), line.get_ydata()))
        for line in axes.lines
        if line.get_marker() == "None" and line.get_color() == "#8a8a8a"
    ]


def points(axes: Any) -> dict[str, list[tuple[Any, Any]]]:
    found: dict[str, list[tuple[Any, Any]]] = {}
    for line in axes.lines:
        if line.get_marker() != "None":
            found.setdefault(line.get_label(), []).extend(zip(line.get_xdata(), line.get_ydata()))
    return found


def marked(line: Any) -> list[Any]:
    return [] if line.get_marker() == "None" else list(line.get_xdata())


def bars(axes: Any) -> list[tuple[float, float, float]]:
    """The bars above a panel: level, left and right."""
    (strip,) = axes.child_axes
    paths = [path.vertices for lines in strip.collections for path in lines.get_paths()]
    return sorted((path[0][1], path[0][0], path[1][0]) for path in paths)


def numbers(axes: Any) -> list[tuple[float, float, str]]:
    return [(*text.get_position(), text.get_text()) for text in axes.child_axes[0].texts]


def spans(*ends: tuple[int, int]) -> pd.DataFrame:
    """One match for each first and last row."""
    rows = [(t, 0, n, "A") for n, (a, b) in enumerate(ends) for t in range(a, b + 1)]
    return pd.DataFrame(rows, columns=["t", "price", "match_number", "classifier"])


def visits() -> pd.DataFrame:
    rows = [
        ("ann", 1, "home", 1, "START"),
        ("ann", 2, "cart", 1, "NEXT"),
        ("ann", 3, "home", None, None),
        ("bob", 1, "help", 1, "START"),
        ("bob", 2, "cart", 1, "NEXT"),
        ("bob", 3, None, 1, "NEXT"),
    ]
    return pd.DataFrame(rows, columns=["user", "t", "page", "match_number", "classifier"])


def lanes(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]
