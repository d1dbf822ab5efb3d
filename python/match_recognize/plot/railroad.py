"""Shapes of a railroad diagram: each path from left to right along the rails is allowed.

Every shape has a rail that enters on its left and leaves on its right on the same height.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass

from match_recognize.plot import shapes
from match_recognize.plot.shapes import SMALL, line, point, text, text_width

GAP = 22
MARGIN = 30
RADIUS = 9
LINE = 14

#: Half the height of a box.
HALF = 15


class Shape:
    """A shape with its extent around the rail.

    Attributes:
        width: from left to right.
        up: above the rail.
        down: below the rail.
    """

    width: float
    up: float
    down: float

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the shape as SVG, from where its rail begins."""
        raise NotImplementedError


@dataclass
class Box(Shape):
    """A word in a box, with lines of small text beneath it."""

    words: str
    title: str
    notes: Items[str] = ()
    kind: str = "box"
    dashed: bool = False

    def __post_init__(self) -> None:
        self.size: float = shapes.SIZE if self.kind == "box" else 12
        self.box_width: float = text_width(self.words, self.size) + 22
        self.width: float = max(
            [self.box_width, *(text_width(note, SMALL) for note in self.notes)]
        )
        self.up: float = HALF
        self.down: float = HALF + LINE * len(self.notes) + (3 if self.notes else 0)

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the box in the middle of the rail."""
        middle = x + self.width / 2
        left, right = middle - self.box_width / 2, middle + self.box_width / 2
        radius = 5 if self.kind == "box" else HALF
        inside = [
            shapes.box(left, y - HALF, self.box_width, 2 * HALF, self.kind, radius, self.dashed),
            text(middle, y + 5, self.words, size=self.size),
        ]
        for i, note in enumerate(self.notes):
            inside.append(text(middle, y + HALF + LINE * (i + 1), note, "dim", SMALL))
        rails = [rail(x, left, y), rail(right, x + self.width, y)]
        return [*rails, shapes.titled(inside, self.title)]


class Row(Shape):
    """Shapes one after another."""

    def __init__(self, items: Items[Shape]) -> None:
        self.items: list[Shape] = list(items)
        self.width: float = sum(item.width for item in self.items) + GAP * (len(self.items) - 1)
        self.up: float = max(item.up for item in self.items)
        self.down: float = max(item.down for item in self.items)

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the shapes and the rails between them."""
        drawn: list[str] = []
        for i, item in enumerate(self.items):
            if i:
                drawn.append(rail(x, x + GAP, y))
                x += GAP
            drawn += item.draw(x, y)
            x += item.width
        return drawn


class Lines:
    """A whole diagram from start to end, in several lines if it is wider than a limit.

    Attributes:
        width: from left to right.
        up: above the first rail.
        down: below the first rail.
    """

    def __init__(self, items: Items[Shape], limit: float) -> None:
        lines: list[list[Shape]] = [[]]
        for item in items:
            if lines[-1] and Row([*lines[-1], item]).width > limit:
                lines.append([])
            lines[-1].append(item)
        self.rows: list[Row] = [Row(each) for each in lines]
        self.width: float = max(row.width for row in self.rows) + 2 * MARGIN
        self.up: float = self.rows[0].up
        self.offsets: list[float] = [0.0]
        for above, below in zip(self.rows, self.rows[1:]):
            self.offsets.append(self.offsets[-1] + above.down + below.up + 2 * GAP)
        self.down: float = self.offsets[-1] + self.rows[-1].down

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the shape as SVG, from where its rail begins."""
        drawn = [line(f"M{point(x + 1, y - 9)} v18 m6,0 v-18"), rail(x + 7, x + MARGIN, y)]
        for i, row in enumerate(self.rows):
            height = y + self.offsets[i]
            drawn += row.draw(x + MARGIN, height)
            end = x + MARGIN + row.width
            if i + 1 < len(self.rows):
                below = y + self.offsets[i + 1]
                middle = below - self.rows[i + 1].up - GAP
                drawn.append(down_and_back(end, height, middle, x + MARGIN, below))
            else:
                stop = end + MARGIN
                drawn.append(rail(end, stop - 7, height))
                drawn.append(line(f"M{point(stop - 1, height - 9)} v18 m-6,0 v-18"))
        return drawn


class Choice(Shape):
    """Alternatives, the preferred one on the rail and the others below it."""

    def __init__(self, items: Items[Shape], numbered: bool = True) -> None:
        self.items: list[Shape] = list(items)
        self.numbered: bool = numbered
        self.inner: float = max(item.width for item in self.items)
        self.side: float = 2 * RADIUS + 14
        self.width: float = self.inner + 2 * self.side
        self.up: float = self.items[0].up
        self.offsets: list[float] = [0.0]
        for above, below in zip(self.items, self.items[1:]):
            self.offsets.append(self.offsets[-1] + above.down + below.up + 14)
        self.down: float = self.offsets[-1] + self.items[-1].down

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the branches and the alternatives, with their rank of preference."""
        drawn: list[str] = []
        for i, (item, offset) in enumerate(zip(self.items, self.offsets)):
            height = y + offset
            left = x + self.side
            right = x + self.width - self.side
            if i == 0:
                drawn += [rail(x, left, y), rail(left + item.width, x + self.width, y)]
            else:
                drawn.append(branch(x, y, left, height))
                drawn.append(rail(left + item.width, right, height))
                drawn.append(branch(x + self.width, y, right, height))
            if self.numbered:
                drawn.append(text(left - 3, height - 5, str(i + 1), "note", SMALL, "end"))
            drawn += item.draw(left, height)
        return drawn


@dataclass
class Way:
    """A line past a shape, or back to its start.

    Attributes:
        label: text at the line, or empty.
        dashed: whether the line is dashed.
    """

    label: str = ""
    dashed: bool = False


class Around(Shape):
    """A shape with a way past it above, a way back below, or both."""

    def __init__(self, item: Shape, past: Way | None, back: Way | None) -> None:
        self.item: Shape = item
        self.past: Way | None = past
        self.back: Way | None = back
        labels = [way.label for way in (past, back) if way]
        room = max([item.width, *(text_width(label, SMALL) for label in labels)])
        self.pad: float = (room - item.width) / 2
        self.side: float = (3 if past and back else 2) * RADIUS
        self.width: float = room + 2 * self.side
        self.up: float = item.up + (12 + (LINE if past.label else 0) if past else 0)
        self.down: float = item.down + (12 + (LINE if back.label else 0) if back else 0)

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the ways and the shape."""
        left, right = x + self.side, x + self.width - self.side
        start, end = left + self.pad, right - self.pad
        drawn = [rail(x, start, y), rail(end, x + self.width, y)]
        middle = x + self.width / 2
        if self.past:
            height = y - self.item.up - 12
            drawn.append(loop(x, y, height, x + self.width, self.past.dashed))
            drawn.append(shapes.head(middle + 4, height, "right"))
            if self.past.label:
                drawn.append(text(middle, height - 6, self.past.label, "note", SMALL))
        if self.back:
            height = y + self.item.down + 12
            inset = RADIUS if self.past else 0
            near, far = x + inset, x + self.width - inset
            drawn.append(loop(near, y, height, far, self.back.dashed, outward=True))
            drawn.append(shapes.head(middle - 4, height, "left"))
            if self.back.label:
                drawn.append(text(middle, height + 13, self.back.label, "note", SMALL))
        return [*drawn, *self.item.draw(start, y)]


class Frame(Shape):
    """A shape in a dashed frame with a title above it."""

    def __init__(self, item: Shape, words: str, title: str) -> None:
        self.item: Shape = item
        self.words: str = words
        self.title: str = title
        self.inner: float = max(item.width, text_width(words, SMALL))
        self.width: float = self.inner + 2 * 12
        self.up: float = item.up + 8 + LINE + 4
        self.down: float = item.down + 10

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the frame, its title, and the shape in its middle."""
        height = self.up + self.down
        frame = shapes.box(x, y - self.up, self.width, height, "frame", 6, dashed=True)
        words = text(x + 12, y - self.up + LINE, self.words, "note", SMALL, "start")
        start = x + (self.width - self.item.width) / 2
        end = start + self.item.width
        rails = [rail(x, start, y), rail(end, x + self.width, y)]
        return [shapes.titled([frame, words], self.title), *rails, *self.item.draw(start, y)]


def rail(x: float, end: float, y: float) -> str:
    """Returns a straight rail, or an empty text if it has no length."""
    return line(f"M{point(x, y)} H{shapes.number(end)}") if end - x > 0.05 else ""


def branch(x: float, y: float, end: float, below: float) -> str:
    """Returns a rail that leads from another one down to a lower one, to the left or right."""
    r = RADIUS if end > x else -RADIUS
    return line(
        f"M{point(x, y)} Q{point(x + r, y)} {point(x + r, y + RADIUS)} "
        f"V{shapes.number(below - RADIUS)} Q{point(x + r, below)} {point(x + 2 * r, below)} "
        f"H{shapes.number(end)}"
    )


def loop(
    x: float, y: float, height: float, end: float, dashed: bool, outward: bool = False
) -> str:
    """Returns a way around a shape, from its entry to its exit.

    Args:
        x: where it leaves the rail.
        y: the height of the rail.
        height: of the way, above or below the rail.
        end: where it joins the rail again.
        dashed: whether it is dashed.
        outward: whether it bends against the direction of the rail, as a way back does.
    """
    turn = RADIUS if height > y else -RADIUS
    first = x + RADIUS
    last = end - RADIUS
    near = (x + 2 * RADIUS, first) if outward else (x, first)
    far = (end - 2 * RADIUS, last) if outward else (end, last)
    return line(
        f"M{point(near[0], y)} Q{point(near[1], y)} {point(near[1], y + turn)} "
        f"V{shapes.number(height - turn)} Q{point(first, height)} "
        f"{point(first + RADIUS, height)} H{shapes.number(last - RADIUS)} "
        f"Q{point(last, height)} {point(last, height - turn)} "
        f"V{shapes.number(y + turn)} Q{point(far[1], y)} {point(far[0], y)}",
        dashed,
    )


def down_and_back(x: float, y: float, middle: float, left: float, below: float) -> str:
    """Returns the rail from the end of a line to the start of the next one."""
    r = RADIUS
    return line(
        f"M{point(x, y)} q{r},0 {r},{r} V{shapes.number(middle - r)} q0,{r} -{r},{r} "
        f"H{shapes.number(left)} q-{r},0 -{r},{r} V{shapes.number(below - r)} q0,{r} {r},{r}"
    )
