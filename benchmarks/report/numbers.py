"""What the runs of a cell come to.

All ratios and differences are taken within a round first, and then over the rounds: see
``benchmarks.parts.rounds``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.results import Cell
from benchmarks.session import CORES


@dataclass(frozen=True)
class Spread:
    """A median, with what lies around it.

    Attributes:
        pairs: of how many rounds.
    """

    median: float
    low: float
    high: float
    pairs: int

    def text(self, digits: int = 2) -> str:
        """The median, and the range in parentheses."""
        low, mid, high = (f"{x:,.{digits}f}" for x in (self.low, self.median, self.high))
        return f"{mid} ({low} to {high})"


def paired(cell: Cell, a: str, b: str, of: Callable[[float, float], float]) -> Spread | None:
    """``of(seconds of a, seconds of b)`` over the rounds in which both ran; None if none."""
    runs = [cell.get("ways", {}).get(way, {}).get("runs", []) for way in (a, b)]
    values = [of(x[0], y[0]) for x, y in zip(*runs) if x and y]
    return Spread(median(values), min(values), max(values), len(values)) if values else None


def seconds(cell: Cell, way: str) -> Spread | None:
    """Wall time."""
    return paired(cell, way, way, lambda a, _: a)


def ratio(cell: Cell, a: str, b: str) -> Spread | None:
    """How many times longer ``a`` takes than ``b``."""
    return paired(cell, a, b, lambda x, y: x / y)


def core_ns(cell: Cell, way: str) -> Spread | None:
    """Nanoseconds of all cores, for a row that was read."""
    return paired(cell, way, way, lambda a, _: a * CORES * 1e9 / cell["rows"])


def above(cell: Cell, a: str, b: str) -> Spread | None:
    """How many core-ns a row ``a`` takes more than ``b``."""
    return paired(cell, a, b, lambda x, y: (x - y) * CORES * 1e9 / cell["rows"])


def net_ratio(cell: Cell, a: str, b: str) -> float | None:
    """How many times longer ``a`` takes than ``b``, each without the scan.

    Of the medians, since what is left of a fast way in a single round may be anything. Infinite
    where nothing is left of ``b``.
    """
    more, less = above(cell, a, "scan"), above(cell, b, "scan")
    if more is None or less is None:
        return None
    return more.median / less.median if less.median > 0 else math.inf


def best_other(cell: Cell) -> str | None:
    """The fastest way to the same answer that is not ours."""
    times = {}
    for name, way in cell.get("ways", {}).items():
        spread = seconds(cell, name)
        if name != "ours" and way.get("relation") == "same" and way.get("equal") and spread:
            times[name] = spread.median
    return min(times, key=lambda name: times[name]) if times else None


def memory(cell: Cell, way: str) -> str:
    """The most memory that a way had at once; nothing where it was not measured."""
    most = cell.get("ways", {}).get(way, {}).get("memory")
    return "" if most is None else f"{most / 2**20:,.0f} MiB"


def load(cell: Cell) -> float | None:
    """The highest load average of a cell's runs."""
    loads = [
        run[1] for way in cell.get("ways", {}).values() for run in way.get("runs", []) if run
    ]
    return max(loads) if loads else None


def exponent(points: list[tuple[float, float]]) -> float | None:
    """The slope of a line through the logarithms: 1 is linear, 2 quadratic.

    Args:
        points: size and time; a time that is not above 0 is omitted.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    if len(logs) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    above_below = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return float(above_below / sum((x - mean_x) ** 2 for x, _ in logs))
