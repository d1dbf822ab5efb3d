"""The plots, if matplotlib is there (``pip install matplotlib``)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.data.ticks import SYMBOLS
from benchmarks.report import numbers
from benchmarks.report.measured import Measured

#: A line of a plot: its points.
Points = list[tuple[float, float]]


def draw(measured: Measured, folder: Path) -> list[Path]:
    """Draws what there is something to draw of.

    Args:
        measured: what to draw.
        folder: for the files.

    Returns:
        The plots that are there, those of an earlier time too where matplotlib is not.
    """
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib: the plots stay as they are")
        return sorted(folder.glob("*.svg"))
    matplotlib.use("svg")
    # The same numbers give the same file.
    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"
    folder.mkdir(exist_ok=True)
    for title, label, lines in [
        (
            "rows",
            "rows of Q1",
            _series(measured, "rows-sorted") | _series(measured, "rows-unsorted"),
        ),
        ("keys", f"symbols (in the data: {SYMBOLS:,})", _series(measured, "keys")),
        ("length", "variables of the pattern, sorted lane", _series(measured, "length")),
        ("matchers", "rows of Q11, matchers alone", _matchers(measured)),
    ]:
        if lines:
            _draw(folder / f"{title}.svg", label, lines)
    return sorted(folder.glob("*.svg"))


def _series(measured: Measured, name: str) -> dict[str, Points]:
    lines: dict[str, Points] = {}
    suffix = f", {name.split('-')[1]}" if "-" in name else ""
    for cell in measured.series(name):
        for way in cell["ways"]:
            spread = numbers.seconds(cell, way)
            if spread:
                lines.setdefault(way + suffix, []).append((cell["x"], spread.median))
    return lines


def _matchers(measured: Measured) -> dict[str, Points]:
    return {
        name: [(rows, ms / 1000) for rows, ms in sorted(points.items())]
        for name, points in sorted(measured.matchers.items())
    }


def _draw(file: Path, label: str, lines: dict[str, Points]) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    for name, points in lines.items():
        axes.loglog(*zip(*points), marker="o", markersize=3, label=name)
    axes.set_xlabel(label)
    axes.set_ylabel("seconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)
