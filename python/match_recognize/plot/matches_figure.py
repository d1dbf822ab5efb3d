"""Draws series and their matches with matplotlib. Only `plot_matches` imports this module."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from match_recognize.plot.match_rows import Columns, Row

# The colours of Okabe and Ito, which can be told apart by people who are colour-blind. Markers
# differ, too, for pictures without colours.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_MARKERS = "osD^vP*X<>"

_SERIES = "#8a8a8a"
_SHADE = ("#56b4e9", "#e69f00")

#: More matches in a panel are not numbered.
_NUMBERED = 40


class MatchesFigure(Figure):
    """A figure that a notebook shows without pyplot."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()


def matches_figure(
    columns: Columns, found: list[Row], series: list[Row] | None, most: int
) -> MatchesFigure:
    """Draws the matches.

    Args:
        columns: the names of the columns.
        found: the rows of matches, perhaps with rows of none.
        series: all rows, or None.
        most: the largest number of panels.

    Returns:
        The figure.
    """
    groups = sorted({row.group for row in [*found, *(series or [])]}, key=_order)
    matched = {row.group for row in found if row.match is not None}
    # Groups without matches are the first to go; the sort keeps the order of the others.
    chosen = set(sorted(groups, key=lambda group: group not in matched)[:most])
    shown = [group for group in groups if group in chosen]
    omitted = [group for group in groups if group not in chosen]
    styles = _styles(found)
    figure = MatchesFigure(figsize=(9, 2.7 * len(shown) + 0.5), layout="constrained")
    panels = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
    for axes, group in zip(panels, shown):
        own = [row for row in found if row.group == group]
        whole = None if series is None else [row for row in series if row.group == group]
        # An axis takes its way to write dates when it gets the first one.
        with matplotlib.rc_context({"date.converter": "concise"}):
            _panel(axes, own, whole, styles)
        axes.set_ylabel(columns.y)
        if columns.group:
            axes.set_title(", ".join(_shown(value) for value in group), loc="left")
    panels[-1].set_xlabel(columns.x)
    if styles:
        handles = [_point(panels[-1], [], [], styles[name], name) for name in styles]
        figure.legend(handles=handles, loc="outside upper right", ncols=min(len(styles), 8))
    if omitted:
        figure.text(0.01, 0.002, _omission(omitted), fontsize="small", va="bottom")
        figure.set_layout_engine("constrained", rect=(0, 0.03, 1, 0.97))
    return figure


def _order(group: tuple[Any, ...]) -> list[tuple[bool, Any]]:
    """NULL comes first, as in Spark."""
    return [(value is not None, 0 if value is None else value) for value in group]


def _shown(value: Any) -> str:
    return "NULL" if value is None else str(value)


def _omission(groups: list[tuple[Any, ...]]) -> str:
    names = [" / ".join(_shown(value) for value in group) for group in groups[:5]]
    more = f" and {len(groups) - 5:,} more" if len(groups) > 5 else ""
    return f"Not shown: {', '.join(names)}{more}"


def _styles(found: Iterable[Row]) -> dict[str, tuple[str, str]]:
    """By variable its colour and marker, in the order in which matches reach them."""
    matched = [row for row in found if row.match is not None and row.label is not None]
    names = dict.fromkeys(str(row.label) for row in sorted(matched, key=_place))
    return {
        name: (_COLORS[i % len(_COLORS)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(names)
    }


def _place(row: Row) -> tuple[list[tuple[bool, Any]], Any, Any]:
    return _order(row.group), row.match, row.x


def _panel(
    axes: Any, found: list[Row], series: list[Row] | None, styles: Mapping[str, tuple[str, str]]
) -> None:
    # Rows of several matches come in the order of the matches.
    found = sorted(
        (row for row in found if row.x is not None), key=lambda row: (row.x, _order((row.match,)))
    )
    matches: dict[Any, list[Row]] = {}
    for row in found:
        if row.match is not None:
            matches.setdefault(row.match, []).append(row)
    if series is None and any(row.match is None for row in found):
        # WITH UNMATCHED ROWS: the result is the whole series.
        series = found
    if series is not None:
        _line(axes, sorted((row for row in series if row.x is not None), key=lambda row: row.x))
    for i, number in enumerate(sorted(matches)):
        rows = matches[number]
        if series is None:
            # A line from one match to the next would show values that nobody measured.
            _line(axes, rows)
        first, last = rows[0].x, rows[-1].x
        if first == last:
            axes.axvline(first, color=_SHADE[i % 2], alpha=0.5, linewidth=4, zorder=0)
        else:
            axes.axvspan(first, last, color=_SHADE[i % 2], alpha=0.2, linewidth=0, zorder=0)
        if len(matches) <= _NUMBERED:
            axes.annotate(
                str(number),
                (first, 1),
                xycoords=("data", "axes fraction"),
                xytext=(2, -2),
                textcoords="offset points",
                va="top",
                fontsize="x-small",
                color="#444444",
            )
    _points(axes, [row for row in found if row.match is not None], styles)
    axes.grid(axis="y", alpha=0.25)
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)


def _line(axes: Any, rows: list[Row]) -> None:
    # A row of two matches comes twice.
    places = dict.fromkeys((row.x, row.y) for row in rows)
    heights = [float("nan") if y is None else y for _, y in places]
    axes.plot([x for x, _ in places], heights, color=_SERIES, linewidth=1, zorder=1)


def _points(axes: Any, rows: list[Row], styles: Mapping[str, tuple[str, str]]) -> None:
    """Marks the rows; a row of several matches has a ring for each further one."""
    times: dict[tuple[Any, Any], int] = {}
    marks: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        if row.label is None or row.y is None:
            continue
        ring = times.get((row.x, row.y), 0)
        times[row.x, row.y] = ring + 1
        marks.setdefault((str(row.label), ring), []).append(row)
    for (name, ring), marked in marks.items():
        xs, ys = [row.x for row in marked], [row.y for row in marked]
        _point(axes, xs, ys, styles[name], name, ring)


def _point(
    axes: Any, xs: list[Any], ys: list[Any], style: tuple[str, str], name: str, ring: int = 0
) -> Any:
    color, marker = style
    (points,) = axes.plot(
        xs,
        ys,
        marker,
        color=color,
        markersize=6 + 5 * ring,
        markerfacecolor="none" if ring else color,
        markeredgecolor=color if ring else "white",
        markeredgewidth=1.4 if ring else 0.6,
        zorder=2,
        label=name,
    )
    return points
