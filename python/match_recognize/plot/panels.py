"""What the panels of a picture of matches contain, whichever library draws them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from match_recognize.errors import MatchRecognizeError
from match_recognize.plot.match_rows import Columns, Row

#: Colours of Okabe and Ito, which can be told apart by people who are colour-blind, on light and
#: on dark paper.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

#: The series, and rows without a match.
GRAY = "#8a8a8a"

#: The bars of matches, in turn.
BARS = ("#56b4e9", "#e69f00")

_LANES = 20
_MARKS = 3_000
_TIGHT = 0.0008
_NO_MATCH = "no match"


@dataclass(frozen=True)
class Bar:
    """A match as a bar above its panel; levels count from the panel."""

    rows: list[Row]
    level: int


@dataclass(frozen=True)
class Mark:
    """A row with its matches, perhaps none; rank counts the marks at its place before it."""

    row: Row
    matches: list[Any]
    rank: int


@dataclass(frozen=True)
class Panel:
    """The series of one group.

    Attributes:
        title: the values of the group.
        lines: points that a line connects.
        bars: the matches, in the order of their first rows. Bars of a level do not overlap.
        pad: how far a bar reaches over its rows, as a part of the width.
        numbered: whether the bars have room for their numbers.
        apart: whether no two matches share more than one row.
        marks: the rows to mark.
        note: what is not drawn.
    """

    title: str
    lines: list[list[Row]]
    bars: list[Bar]
    pad: float
    numbered: bool
    apart: bool
    marks: list[Mark]
    note: str

    @property
    def levels(self) -> int:
        """The number of rows of bars."""
        return _levels(self.bars)


@dataclass(frozen=True)
class Picture:
    """All panels of a picture, from top to bottom.

    Attributes:
        columns: the names of the columns; y is empty if the lanes are the variables.
        variables: in the order in which matches reach them.
        lanes: the values of y from top to bottom if they are text, and empty for numbers.
        panels: the panels.
        notes: what is not drawn.
    """

    columns: Columns
    variables: list[str]
    lanes: list[str]
    panels: list[Panel]
    notes: list[str]


def picture(columns: Columns, found: list[Row], series: list[Row] | None, most: int) -> Picture:
    """Divides rows into panels.

    An empty y stands for the variable. The series is all rows, or None if only those of matches
    are known. Refuses values of y that are neither numbers nor text.
    """
    if not columns.y:
        known = {(row.group, row.x) for row in found}
        found = [*found, *(row for row in series or [] if (row.group, row.x) not in known)]
        found = [replace(row, y=_NO_MATCH if row.match is None else row.label) for row in found]
        series = None
    rows = [*found, *(series or [])]
    groups = sorted({row.group for row in rows}, key=_order)
    matched = {row.group for row in found if row.match is not None}
    # Groups without matches are the first to go; the sort keeps the order of the others.
    chosen = set(sorted(groups, key=lambda group: group not in matched)[:most])
    omitted = [_title(group) for group in groups if group not in chosen]
    variables = list(dict.fromkeys(row.label for row in sorted(found, key=_place) if _named(row)))
    lanes, without = list[str](), list[str]()
    if _is_text(rows, columns.y):
        shown = sorted((row for row in rows if row.group in chosen), key=_place)
        counts = Counter(row.y for row in shown if row.y is not None)
        frequent = [value for value, _ in counts.most_common(_LANES)]
        order = counts if columns.y else [*variables, _NO_MATCH]
        lanes = [value for value in order if value in frequent]
        without = [value for value in counts if value not in frequent]
    notes = [
        f"{what}: {', '.join(names[:5])}" + f" and {len(names) - 5:,} more" * (len(names) > 5)
        for what, names in (("Not shown", omitted), ("Without a lane", without))
        if names
    ]
    panels = [
        _panel(
            _title(group),
            _of_group(found, group, lanes),
            None if series is None else _of_group(series, group, lanes),
            bool(lanes),
        )
        for group in groups
        if group in chosen
    ]
    return Picture(columns, variables, lanes, panels, notes)


def _of_group(rows: list[Row], group: tuple[Any, ...], lanes: list[str]) -> list[Row]:
    """The rows of a group with a place, from left to right."""
    own = sorted(
        (row for row in rows if row.group == group and row.x is not None),
        # Rows of several matches come in the order of the matches.
        key=lambda row: (row.x, _order((row.match,))),
    )
    return [replace(row, y=None) if lanes and row.y not in lanes else row for row in own]


def _order(values: tuple[Any, ...]) -> list[tuple[bool, Any]]:
    """NULL comes first, as in Spark."""
    return [(value is not None, 0 if value is None else value) for value in values]


def _place(row: Row) -> list[tuple[bool, Any]]:
    return _order((*row.group, row.x, row.match))


def _named(row: Row) -> bool:
    return row.match is not None and row.label is not None


def _title(group: tuple[Any, ...]) -> str:
    return ", ".join("NULL" if value is None else str(value) for value in group)


def _is_text(rows: Iterable[Row], y: str) -> bool:
    values = [row.y for row in rows if row.y is not None]
    if any(isinstance(value, str) for value in values) or not y:
        return True
    for value in values:
        if not hasattr(value, "__float__"):
            raise MatchRecognizeError(
                f"The column {y} of the vertical axis has {value!r}, which is neither a number "
                "nor text. Choose another column."
            )
    return False


def _panel(title: str, found: list[Row], series: list[Row] | None, in_lanes: bool) -> Panel:
    matches: dict[Any, list[Row]] = {}
    for row in found:
        if row.match is not None:
            matches.setdefault(row.match, []).append(row)
    if series is None and any(row.match is None for row in found):
        # WITH UNMATCHED ROWS: the result is the whole series.
        series = found
    spans = sorted(matches.values(), key=lambda rows: rows[0].x)
    places = _places({row.x for row in [*found, *(series or [])]})
    pad = 0.006 + 0.003 * max((len(str(number)) for number in matches), default=0)
    bars, tight = _bars(spans, places, pad, 12), _bars(spans, places, _TIGHT, 40)
    # Numbers may take a few levels more than the bars alone.
    numbered = len(bars) == len(spans) and _levels(bars) <= _levels(tight) + 2
    if not numbered:
        bars, pad = tight, _TIGHT
    # A line from one match to the next would show values that nobody measured.
    lines = spans if in_lanes or series is None else [series]
    marks = _marks(found, (series or []) if in_lanes else _alone(lines))
    ends = {row.x for rows in spans for row in (rows[0], rows[-1])}
    sample = _sample(marks, ends)
    note = [f"{len(sample):,} of {len(marks):,} rows are marked"] * (len(sample) < len(marks))
    if len(bars) < len(spans):
        note.append(f"{len(bars):,} of {len(spans):,} matches have a bar")
    return Panel(
        title,
        # A row of two matches comes twice.
        [list({(row.x, row.y): row for row in rows}.values()) for rows in lines],
        bars,
        pad,
        numbered,
        all(here[-1].x <= after[0].x for here, after in zip(spans, spans[1:])),
        sample,
        ", ".join(note),
    )


def _places(values: set[Any]) -> dict[Any, float]:
    """Where values are on an axis from 0 to 1."""
    inorder = sorted(values)
    try:
        return {x: float((x - inorder[0]) / (inorder[-1] - inorder[0])) for x in inorder}
    except (TypeError, ZeroDivisionError):
        return {x: i / len(inorder) for i, x in enumerate(inorder)}


def _bars(spans: list[list[Row]], places: dict[Any, float], pad: float, most: int) -> list[Bar]:
    """Gives each match the lowest level that is free, and none above `most` levels."""
    ends: list[float] = []
    bars: list[Bar] = []
    for rows in spans:
        start, end = places[rows[0].x] - pad, places[rows[-1].x] + pad
        level = next((i for i, taken in enumerate(ends) if taken <= start), len(ends))
        if level < most:
            ends[level : level + 1] = [end]
            bars.append(Bar(rows, level))
    return bars


def _levels(bars: list[Bar]) -> int:
    return max((bar.level + 1 for bar in bars), default=0)


def _alone(lines: list[list[Row]]) -> list[Row]:
    """The rows that no line shows, because their neighbours have no value."""
    return [
        row
        for rows in lines
        for before, row, after in zip([None, *rows], rows, [*rows[1:], None])
        if all(near is None or near.y is None for near in (before, after))
    ]


def _marks(found: list[Row], others: list[Row]) -> list[Mark]:
    marks: dict[tuple[Any, Any], dict[Any, Mark]] = {}
    for row in found:
        if _named(row) and row.y is not None:
            here = marks.setdefault((row.x, row.y), {})
            here.setdefault(row.label, Mark(row, [], len(here))).matches.append(row.match)
    for row in others:
        if row.y is not None and (row.x, row.y) not in marks:
            marks[row.x, row.y] = {None: Mark(replace(row, label=None), [], 0)}
    drawn = [mark for here in marks.values() for mark in here.values()]
    return sorted(drawn, key=lambda mark: mark.row.x)


def _sample(marks: list[Mark], ends: set[Any]) -> list[Mark]:
    """Chooses marks evenly, first those of the ends of matches."""
    if len(marks) <= _MARKS:
        return marks
    kept, others = list[Mark](), list[Mark]()
    for mark in marks:
        (kept if mark.matches and mark.row.x in ends else others).append(mark)
    counts = min(len(kept), _MARKS), max(_MARKS - len(kept), 0)
    return [
        each[i * len(each) // count]
        for each, count in zip((kept, others), counts)
        for i in range(count)
    ]
