"""Draw the pictures of docs/matchers.md: its worked example, followed through each matcher.

Usage: ``.venv/bin/python build/matcher_pictures.py``. ``tests/python/project/test_pages.py``
checks that the pictures are up to date.
"""

from __future__ import annotations

from pathlib import Path

from match_recognize.plot import shapes as drawing
from match_recognize.plot.shapes import document, line, text

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"

#: The prices of the example, and what each row satisfies: D (DOWN), U (UP) or neither.
PRICES = [10, 8, 7, 9, 11, 6]
CLASSES = ["other", "D", "D", "U", "U", "D"]

#: By row, the position from which a match can be completed, if there is one.
LIVE = ["", "DOWN", "DOWN", "UP", "UP", ""]

WIDTH, LEFT, STEP = 660, 190, 80

#: How texts and boxes show what a row satisfies.
TEXTS = {"D": "note", "U": "mark", "other": "dim"}
BOXES = {"DOWN": "test", "UP": "box"}

ARROWHEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path class="mr-head" d="M0,0 L8,4 L0,8 z"/></marker></defs>'
)


def arrow(path: str) -> str:
    """A line with a head at its end; `path` is in the language of SVG."""
    return line(path).replace("/>", ' marker-end="url(#head)"/>')


def box(x: float, y: float, width: float, words: str, kind: str = "frame") -> list[str]:
    """A rounded box around a word; `x` and `y` are its centre."""
    return [
        drawing.box(x - width / 2, y - 15, width, 30, kind, 6),
        text(x, y + 5, words),
    ]


def x_of(row: int) -> int:
    """Where the column of a row is."""
    return LEFT + STEP * row


def rows() -> list[str]:
    """The rows of the example, as the head of a picture."""
    shapes = [
        text(16, 28, "day", anchor="start"),
        text(16, 50, "price", anchor="start"),
        text(16, 72, "row class", anchor="start"),
    ]
    for i, (price, row_class) in enumerate(zip(PRICES, CLASSES)):
        shapes.append(text(x_of(i), 28, str(i + 1)))
        shapes.append(text(x_of(i), 50, str(price)))
        shapes.append(text(x_of(i), 72, row_class, TEXTS[row_class], weight="bold"))
    return shapes


def fused() -> str:
    """The states of the fused matcher, and what each class of rows does in them."""
    y, start, falling, rising = 90, 90, 330, 570
    shapes = [ARROWHEAD]
    shapes += box(start, y, 120, "no match yet")
    shapes += box(falling, y, 120, "falling", BOXES["DOWN"])
    shapes += box(rising, y, 120, "rising", BOXES["UP"])
    for x, label in [(start, "U, other"), (falling, "D"), (rising, "U")]:
        high = y - 65
        shapes.append(
            arrow(f"M{x - 20},{y - 15} C{x - 40},{high} {x + 40},{high} {x + 20},{y - 15}")
        )
        shapes.append(text(x, y - 58, label, size=12))
    for begin, end, label in [(start, falling, "D"), (falling, rising, "U")]:
        shapes.append(arrow(f"M{begin + 60},{y - 5} L{end - 60},{y - 5}"))
        shapes.append(text((begin + end) / 2, y - 12, label, size=12))
    for begin, end, label in [(falling, start, "other"), (rising, falling, "D: emit the match")]:
        curve = f"C{begin - 70},{y + 55} {end + 70},{y + 55} {end + 30},{y + 15}"
        shapes.append(arrow(f"M{begin - 30},{y + 15} {curve}"))
        shapes.append(text((begin + end) / 2, y + 62, label, size=12))
    curve = f"C{rising - 60},{y + 125} {start + 60},{y + 125} {start},{y + 15}"
    shapes.append(arrow(f"M{rising},{y + 15} {curve}"))
    shapes.append(text(falling, y + 116, "other: emit the match", size=12))
    return document(WIDTH, 220, shapes, "State machine: no match yet, falling, rising")


def automaton() -> str:
    """The pass backward over the example, and the walk forward."""
    back, forward = 112, 186
    shapes = [ARROWHEAD, *rows()]
    shapes.append(text(16, back + 5, "1. live positions", anchor="start"))
    for i, position in enumerate(LIVE):
        if position:
            shapes += box(x_of(i), back, 60, position, BOXES[position])
        else:
            shapes.append(text(x_of(i), back + 5, "none", "dim"))
    shapes.append(arrow(f"M{x_of(5) + 20},{back + 32} L{x_of(0) - 20},{back + 32}"))
    shapes.append(text(16, forward + 5, "2. match", anchor="start"))
    for i in range(1, 5):
        shapes += box(x_of(i), forward, 60, LIVE[i], BOXES[LIVE[i]])
        if i < 4:
            shapes.append(arrow(f"M{x_of(i) + 30},{forward} L{x_of(i + 1) - 30},{forward}"))
    return document(WIDTH, 216, shapes, "The pass backward and the walk forward over six rows")


def threads() -> str:
    """The threads of the start row on day 2, before each row."""
    first, second, complete = 112, 162, 216
    y_of = {"DOWN": first, "UP": second}
    before = [[], ["DOWN"], ["DOWN", "UP"], ["DOWN", "UP"], ["UP"], ["UP"]]
    moves = [
        (1, "DOWN", "DOWN"),
        (1, "DOWN", "UP"),
        (2, "DOWN", "DOWN"),
        (2, "DOWN", "UP"),
        (3, "UP", "UP"),
        (4, "UP", "UP"),
    ]
    shapes = [ARROWHEAD, *rows()]
    shapes.append(text(16, (first + second) / 2 + 5, "threads", anchor="start"))
    shapes.append(text(16, complete, "complete, days", anchor="start"))
    for row, place, next_place in moves:
        shapes.append(
            arrow(f"M{x_of(row) + 30},{y_of[place]} L{x_of(row + 1) - 30},{y_of[next_place]}")
        )
    for row, places in enumerate(before):
        for place in places:
            shapes += box(x_of(row), y_of[place], 60, place, BOXES[place])
    for row, place in [(2, "UP"), (3, "DOWN"), (5, "UP")]:
        shapes.append(text(x_of(row), y_of[place] + 30, "✕", "dim"))
    for row, days in [(4, "2 to 4"), (5, "2 to 5")]:
        shapes.append(text(x_of(row), complete, days))
    return document(WIDTH, 236, shapes, "The threads of one start row, from row to row")


#: By name of the file in docs/images, without its ending.
PICTURES = {"matcher_fused": fused, "matcher_automaton": automaton, "matcher_threads": threads}

if __name__ == "__main__":
    for name, picture in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(picture())
