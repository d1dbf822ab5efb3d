"""Pieces of SVG, and how much room a text takes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape

#: Fonts whose letters are all equally wide, so that the width of a text is known without a font.
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

#: The width of a letter, by the size of the font.
_LETTER = 0.61

SIZE = 14
SMALL = 11

# Colours of Okabe and Ito, which can be told apart by people who are colour-blind.
# On a light page, and on a dark one.
_COLORS = {
    "paper": ("#ffffff", "#161b22"),
    "ink": ("#1f2933", "#e6edf3"),
    "line": ("#5b6875", "#98a5b3"),
    "box": ("#e3f0fa", "#12324a"),
    "edge": ("#0072b2", "#56b4e9"),
    "test": ("#fdf1dc", "#3a2c12"),
    "warm": ("#a65a00", "#e69f00"),
    "frame": ("#f4f5f7", "#1f2630"),
}
_LIGHT, _DARK = (dict(zip(_COLORS, colors)) for colors in zip(*_COLORS.values()))


#: By kind of shape, its style; a name in braces is a colour.
_KINDS = {
    "paper": "fill:{paper}",
    "text": "fill:{ink}",
    "note": "fill:{warm}",
    "mark": "fill:{edge}",
    # A label keeps lines that it crosses away from its letters.
    "label": "fill:{warm};stroke:{paper};stroke-width:4;paint-order:stroke",
    "dim": "fill:{line}",
    "line": "fill:none;stroke:{line};stroke-width:1.5",
    "note-line": "fill:none;stroke:{warm};stroke-width:3",
    "mark-line": "fill:none;stroke:{edge};stroke-width:3",
    "head": "fill:{line}",
    "box": "fill:{box};stroke:{edge};stroke-width:1.5",
    "test": "fill:{test};stroke:{warm};stroke-width:1.5",
    "shade": "fill:{frame}",
    "frame": "fill:{frame};stroke:{line};stroke-width:1.5",
}


def _style(drawn: str) -> str:
    """The style of the kinds that are in a drawing."""
    kinds = set(re.findall(r'class="mr-([\w-]+)', drawn))
    light, dark = (
        "".join(
            f".mr-{kind}{{{style.format(**colors)}}}"
            for kind, style in _KINDS.items()
            if kind in kinds
        )
        for colors in (_LIGHT, _DARK)
    )
    return (
        f"<style>{light}.mr-dashed{{stroke-dasharray:5 4}}"
        f"@media (prefers-color-scheme:dark){{{dark}}}</style>"
    )


def text_width(words: str, size: float = SIZE) -> float:
    """Returns the width of a text in pixels."""
    letters = sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in words
    )
    return letters * size * _LETTER


def text(
    x: float,
    y: float,
    words: str,
    kind: str = "text",
    size: float = SIZE,
    anchor: str = "middle",
    weight: str = "",
) -> str:
    """Returns one line of text.

    Args:
        x: of its start, middle or end, as `anchor` says.
        y: of its base line.
        words: plain text.
        kind: text, dim, note (orange), mark (blue), or label (a note across lines).
        size: of the font.
        anchor: start, middle or end.
        weight: bold, or empty.
    """
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text class="mr-{kind}" x="{number(x)}" y="{number(y)}" font-size="{size:g}" '
        f'text-anchor="{anchor}"{bold}>{escape(words)}</text>'
    )


def line(path: str, dashed: bool = False, kind: str = "line") -> str:
    """Returns a line of the kind line, note-line (orange) or mark-line (blue)."""
    return f'<path class="mr-{kind}{" mr-dashed" * dashed}" d="{path}"/>'


def dot(x: float, y: float, radius: float, kind: str) -> str:
    """Returns a filled circle of the kind dim, note (orange) or mark (blue)."""
    return f'<circle class="mr-{kind}" cx="{number(x)}" cy="{number(y)}" r="{radius:g}"/>'


def head(x: float, y: float, direction: str) -> str:
    """Returns the head of an arrow that points right, left, up or down."""
    along, across = {
        "right": ((-7, 0), (0, 4)),
        "left": ((7, 0), (0, 4)),
        "down": ((0, -7), (4, 0)),
        "up": ((0, 7), (4, 0)),
    }[direction]
    first = point(x + along[0] + across[0], y + along[1] + across[1])
    second = point(x + along[0] - across[0], y + along[1] - across[1])
    return f'<path class="mr-head" d="M{point(x, y)} L{first} L{second} z"/>'


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    kind: str = "box",
    radius: float = 5,
    dashed: bool = False,
) -> str:
    """Returns a box.

    Args:
        x: of its left side.
        y: of its upper side.
        width: in pixels.
        height: in pixels.
        kind: box, test, frame, shade (a frame without its edge) or paper.
        radius: of its corners.
        dashed: whether its edge is dashed.
    """
    return (
        f'<rect class="mr-{kind}{" mr-dashed" * dashed}" x="{number(x)}" y="{number(y)}" '
        f'width="{number(width)}" height="{number(height)}" rx="{radius:g}"/>'
    )


def titled(shapes: Iterable[str], title: str) -> str:
    """Returns shapes as a group with a tooltip."""
    return f"<g><title>{escape(title)}</title>{''.join(shapes)}</g>"


def document(width: float, height: float, shapes: Iterable[str], title: str) -> str:
    """Returns a whole SVG file with a title for readers who do not see it."""
    size = f'width="{number(width)}" height="{number(height)}"'
    # A rail without a length is an empty text.
    drawn = [box(0, 0, width, height, "paper", 8), *filter(None, shapes)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" '
            f'aria-label="{escape(title)}" font-family="{FONT}">',
            _style("\n".join(drawn)),
            *drawn,
            "</svg>",
            "",
        ]
    )


def point(x: float, y: float) -> str:
    """Returns a point in the language of SVG's paths."""
    return f"{number(x)},{number(y)}"


def number(value: float) -> str:
    """Returns a number as short as one tenth of a pixel allows."""
    return f"{round(value, 1):g}" if abs(value) < 100_000 else f"{value:.1f}"
