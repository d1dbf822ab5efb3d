"""Pieces of SVG for the pictures of the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def document(width: int, height: int, shapes: Iterable[str]) -> str:
    """The shapes on a white background.

    Args:
        width: in pixels.
        height: in pixels.
        shapes: SVG elements, the first drawn first.

    Returns:
        A whole SVG file.
    """
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-size="14" font-family="sans-serif">'
    )
    background = f'<rect width="{width}" height="{height}" fill="white"/>'
    return "\n".join([head, background, *shapes, "</svg>", ""])


def text(
    x: float,
    y: float,
    words: str,
    weight: str = "normal",
    family: str = "sans-serif",
    color: str = "#222",
    anchor: str = "start",
) -> str:
    """A piece of text.

    Args:
        x: of its start, middle or end, as `anchor` says.
        y: of its base line.
        words: plain text.
        weight: `normal` or `bold`.
        family: of the font.
        color: of the letters.
        anchor: `start`, `middle` or `end`.

    Returns:
        An SVG element.
    """
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{x:g}" y="{y:g}" font-weight="{weight}" font-family="{family}" '
        f'fill="{color}"{place}>{escape(words)}</text>'
    )
