"""Draws series and their matches with Altair. Only `plot_matches` imports this module."""

from __future__ import annotations

from datetime import date, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from match_recognize.plot.match_rows import Row
from match_recognize.plot.panels import BARS, COLORS, GRAY, Panel, Picture

if TYPE_CHECKING:
    from altair import VConcatChart

# Its types are not complete.
altair: Any = import_module("altair")

_SHAPES = (
    *("circle", "square", "diamond", "triangle-up"),
    *("triangle-down", "cross", "triangle-right", "triangle-left"),
)

_WIDTH = 760

_AXIS = altair.Axis(grid=False)


def draw(picture: Picture) -> VConcatChart:
    """Draws the matches."""
    rows = [row for panel in picture.panels for line in panel.lines for row in line]
    rows += [mark.row for panel in picture.panels for mark in panel.marks]
    kind = _kind([row.x for row in rows if row.x is not None])
    # Altair checks and copies a chart many times, so it gets the data at the end.
    data: dict[str, Any] = {}
    groups = [_group(panel, picture, kind, data) for panel in picture.panels]
    style = {"orient": "bottom", "anchor": "start", "fontSize": 11, "fontWeight": "normal"}
    title: Any = {"text": picture.notes, **style} if picture.notes else altair.Undefined
    chart: VConcatChart = altair.vconcat(*groups, datasets=data, title=title)
    return chart


def _kind(values: list[Any]) -> Any:
    if all(isinstance(value, date) for value in values):
        return "temporal"
    return "quantitative" if all(hasattr(each, "__float__") for each in values) else "ordinal"


def _group(panel: Panel, picture: Picture, kind: Any, data: dict[str, Any]) -> Any:
    height = 24 * len(picture.lanes) if picture.lanes else 200
    # Names such as a.b have a meaning for Vega, so the data have names of their own.
    title: Any = [picture.columns.x, panel.note] if panel.note else picture.columns.x
    series = altair.layer(*_series(panel, picture, kind, data)).encode(x=altair.X(title=title))
    zoom = f"zoom{len(data)}"
    views = [series.properties(width=_WIDTH, height=height).interactive(zoom, bind_y=False)]
    if panel.bars:
        height = (13 if panel.numbered else 4) * panel.levels
        bars = altair.layer(*_bars(panel, kind, data))
        frame = altair.ViewBackground(stroke=None)
        views.insert(0, bars.properties(width=_WIDTH, height=height, view=frame))
    name: Any = {"text": panel.title, "anchor": "start"} if panel.title else altair.Undefined
    return altair.vconcat(*views, spacing=2, title=name).resolve_scale(x="shared")


def _chart(
    values: list[dict[str, Any]], kind: Any, data: dict[str, Any], axis: Any = _AXIS
) -> Any:
    name = f"data{len(data)}"
    data[name] = values
    scale = altair.Undefined if kind == "ordinal" else altair.Scale(nice=False, padding=16)
    x = altair.X("x", type=kind, axis=axis, scale=scale)
    return altair.Chart(altair.Data(name=name)).encode(x=x)


def _series(panel: Panel, picture: Picture, kind: Any, data: dict[str, Any]) -> list[Any]:
    names, lanes = picture.columns, picture.lanes
    y: Any = altair.Y("y:Q", title=names.y, scale=altair.Scale(zero=False, padding=12))
    if lanes:
        y = altair.Y("y:N", title=names.y or "variable", scale=altair.Scale(domain=lanes))
    tips = [_tip("x", kind, names.x)]
    if names.y:
        tips.append(_tip("y", "nominal" if lanes else "quantitative", names.y))
    lines = [
        {**_at(row), "line": i}
        for i, line in enumerate(panel.lines)
        for row in line
        # A lane that is missing would be the top of the panel.
        if row.y is not None or not lanes
    ]
    line = _chart(lines, kind, data).mark_line(color=GRAY, strokeWidth=1, clip=True)
    others = [_at(mark.row) for mark in panel.marks if not mark.matches]
    dot = _chart(others, kind, data).mark_circle(color=GRAY, size=12, opacity=1, clip=True)
    sizes = (12, 12, 12) if len(panel.marks) > 400 else (80, 30, 10)
    marks = [
        {
            **_at(mark.row),
            "match": ", ".join(map(str, mark.matches[:5])) + ", …" * (len(mark.matches) > 5),
            "variable": mark.row.label,
            "condition": names.conditions.get(str(mark.row.label).upper(), "any row"),
            "size": sizes[min(mark.rank, 2)],
        }
        for mark in panel.marks
        if mark.matches
    ]
    legend = altair.Legend(orient="top", title=None) if names.y else None
    count = range(len(picture.variables))
    color = altair.Scale(domain=picture.variables, range=[COLORS[i % 6] for i in count])
    shape = altair.Scale(domain=picture.variables, range=[_SHAPES[i % 8] for i in count])
    told = [*tips, "match:N", "variable:N", *(["condition:N"] if names.conditions else [])]
    edge = {} if len(panel.marks) > 400 else {"stroke": "white", "strokeWidth": 0.6}
    point = _chart(marks, kind, data).mark_point(filled=True, opacity=1, clip=True, **edge)
    return [
        # Without an order, a line in lanes would go from lane to lane.
        line.encode(y=y, detail="line:N", order=altair.Order("x", type=kind)),
        dot.encode(y=y, tooltip=tips),
        point.encode(
            y=y,
            color=altair.Color("variable:N", scale=color, legend=legend),
            shape=altair.Shape("variable:N", scale=shape, legend=legend),
            size=altair.Size("size:Q", scale=None),
            tooltip=told,
        ),
    ]


def _bars(panel: Panel, kind: Any, data: dict[str, Any]) -> list[Any]:
    values = [
        {
            "x": _json(bar.rows[0].x),
            "end": _json(bar.rows[-1].x),
            "level": bar.level,
            "match": str(bar.rows[0].match),
            "rows": len(bar.rows),
            "color": BARS[i % 2],
        }
        for i, bar in enumerate(panel.bars)
    ]
    base = _chart(values, kind, data, None).encode(
        y=altair.Y("level:O", axis=None, sort="descending"),
        tooltip=[
            "match:N",
            "rows:Q",
            _tip("x", kind, "first row"),
            _tip("end", kind, "last row"),
        ],
    )
    pad = panel.pad * _WIDTH
    bar = base.mark_bar(xOffset=-pad, x2Offset=pad, clip=True)
    bars = bar.encode(x2="end", color=altair.Color("color:N", scale=None))
    number = base.mark_text(fontSize=9, color="black", clip=True).encode(text="match:N")
    return [bars, number] if panel.numbered else [bars]


def _tip(field: str, kind: str, title: str) -> Any:
    # Without a format, a time would be a date.
    time = "%Y-%m-%d %H:%M:%S" if kind == "temporal" else altair.Undefined
    return altair.Tooltip(field, type=kind, title=title, format=time)


def _at(row: Row) -> dict[str, Any]:
    return {"x": _json(row.x), "y": _json(row.y)}


def _json(value: Any) -> Any:
    if isinstance(value, date):
        # JavaScript takes a date without a time for one of UTC, and shows it in local time.
        return value.isoformat() if isinstance(value, datetime) else f"{value}T00:00:00"
    if value is None or isinstance(value, (str, int)):
        return value
    return float(value) if hasattr(value, "__float__") else str(value)
