"""Matplotlib's figures as files of the repository."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def svg_text(figure: Figure) -> str:
    """A figure as SVG: each time the same bytes, without a date or names by chance."""
    from matplotlib import rc_context

    written = io.StringIO()
    with rc_context({"svg.hashsalt": "match_recognize", "svg.fonttype": "none"}):
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"
