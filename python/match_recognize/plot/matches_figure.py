"""Draws series and their matches with matplotlib. Only `plot_matches` imports this module."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from match_recognize.plot.match_rows import Row
from match_recognize.plot.panels import BARS, COLORS, GRAY, Panel, Picture

# Markers differ, too, for pictures without colours.
_MARKERS = "osD^vP*X<>"

#: Heights in inches.
_LANE, _AXES = 0.3, 2.1


class MatchesFigure(Figure):
    """A figure that a notebook shows without pyplot."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()


def draw(picture: Picture) -> MatchesFigure:
    """Draws the matches."""
    height = max(_LANE * len(picture.lanes), 0.8) if picture.lanes else _AXES
    strips = sum(_strip_height(panel) for panel in picture.panels)
    size = (9, (height + 0.6) * len(picture.panels) + strips + 0.5)
    figure = MatchesFigure(figsize=size, layout="constrained")
    panels = figure.subplots(len(picture.panels), 1, squeeze=False)[:, 0]
    for axes, panel in zip(panels, picture.panels):
        # An axis takes its way to write dates when it gets the first one.
        with matplotlib.rc_context({"date.converter": "concise"}):
            _panel(axes, panel, picture)
        axes.set_ylabel(picture.columns.y or "variable")
        axes.set_title(panel.title, loc="left")
        axes.set_xlabel(panel.note)
    panels[-1].set_xlabel("\n".join(filter(None, [picture.columns.x, picture.panels[-1].note])))
    if picture.columns.y and picture.variables:
        handles = [_points(panels[-1], [], [], picture, name, 6) for name in picture.variables]
        figure.legend(handles=handles, loc="outside upper right", ncols=min(len(handles), 8))
    if picture.notes:
        figure.text(0.01, 0.002, "\n".join(picture.notes), fontsize="small", va="bottom")
        low = 0.03 * len(picture.notes)
        figure.set_layout_engine("constrained", rect=(0, low, 1, 1 - low))
    return figure


def _strip_height(panel: Panel) -> float:
    return (0.16 if panel.numbered else 0.05) * panel.levels


def _panel(axes: Any, panel: Panel, picture: Picture) -> None:
    def places(rows: list[Row]) -> tuple[list[Any], list[Any]]:
        values = [lanes.get(row.y) if lanes else row.y for row in rows]
        return [row.x for row in rows], [float("nan") if y is None else y for y in values]

    lanes = {name: i for i, name in enumerate(picture.lanes)}
    for rows in panel.lines:
        axes.plot(*places(rows), color=GRAY, linewidth=1, zorder=1)
    marks: dict[tuple[Any, int], list[Row]] = {}
    for mark in panel.marks:
        marks.setdefault((mark.row.label, mark.rank), []).append(mark.row)
    for (name, rank), rows in marks.items():
        small = name is None or len(panel.marks) > 400
        size = 3 if small else max(7 - 2.5 * rank, 1.5)
        _points(axes, *places(rows), picture, name, size)
    days = [row.x for rows in panel.lines for row in rows if type(row.x) is date]
    if days:
        # Over a few days, the axis would count hours.
        axes.xaxis.get_major_locator().minticks = min(5, (max(days) - min(days)).days or 1)
    if panel.bars:
        _strip(axes, panel)
    axes.grid(axis="y", alpha=0.25)
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    if lanes:
        shown = [name if len(name) <= 30 else f"{name[:29]}…" for name in map(str, lanes)]
        axes.set_yticks(range(len(shown)), shown)
        axes.set_ylim(len(shown) - 0.5, -0.5)


def _strip(axes: Any, panel: Panel) -> None:
    """Draws the bars of matches above a panel. Titles go above it, as it is part of the axes."""

    def place(_: Any, __: Any) -> Bbox:
        # A part of the panel's height would change with the layout, which depends on it.
        height = _strip_height(panel) / axes.figure.get_figheight()
        below = axes.get_position()
        return Bbox.from_bounds(below.x0, below.y1, below.width, height)

    strip = axes.inset_axes((0, 1, 1, 1), sharex=axes)
    strip.set_axes_locator(place)
    strip.set_axis_off()
    strip.set_ylim(-0.5, panel.levels - 0.5)
    spans = [axes.convert_xunits([bar.rows[0].x, bar.rows[-1].x]) for bar in panel.bars]
    left, right = axes.get_xlim()
    pad = panel.pad * (right - left) / 1.1
    for i, (bar, (first, last)) in enumerate(zip(panel.bars, spans)):
        if panel.numbered:
            style = {"ha": "center", "va": "center_baseline", "fontsize": 7}
            strip.text(first, bar.level, str(bar.rows[0].match), **style)
        if panel.numbered and panel.apart and first != last:
            axes.axvspan(first, last, color=BARS[i % 2], alpha=0.2, linewidth=0, zorder=0)
    for i, color in enumerate(BARS):
        strip.hlines(
            [bar.level for bar in panel.bars[i::2]],
            [first - pad for first, _ in spans[i::2]],
            [last + pad for _, last in spans[i::2]],
            color=color,
            alpha=0.45,
            linewidth=9 if panel.numbered else 2.5,
        )


def _points(
    axes: Any, xs: list[Any], ys: list[Any], picture: Picture, name: Any, size: float
) -> Any:
    color, marker = GRAY, "o"
    if name is not None:
        i = picture.variables.index(name)
        color, marker = COLORS[i % len(COLORS)], _MARKERS[i % len(_MARKERS)]
    (points,) = axes.plot(
        *(xs, ys, marker),
        color=color,
        markersize=size,
        markeredgecolor=axes.get_facecolor(),
        markeredgewidth=0 if size == 3 else 0.6,
        zorder=2,
        label=name,
    )
    return points
