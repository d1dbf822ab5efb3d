"""Warns of lines that are slower than saved: ``python -m benchmarks.compare SAVED MEASURED``.

A line is a cell of the results with our variant and a reference of the same run. What counts is
their ratio, because the machines differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.report.numbers import ratio
from benchmarks.results import Cell, Results

#: A line is slower if its ratio is so many times the saved one.
SLOWER = 4 / 3

#: The references, the closest to our variant first.
REFERENCES = ("exchange_sort", "exchange", "scan")


def line_ratio(cell: Cell) -> float | None:
    """How many times longer ours takes than the closest reference; None if there is none."""
    for reference in REFERENCES:
        found = ratio(cell, "ours", reference)
        if found:
            return found.median
    return None


def slower(saved: Results, measured: Results) -> tuple[list[str], int]:
    """A warning for each line that is slower than saved, and how many lines were compared."""
    warnings = []
    compared = 0
    for name, cell in measured.cells.items():
        before = line_ratio(saved.cells.get(name, {}))
        now = line_ratio(cell)
        if before is None or now is None:
            continue
        compared += 1
        if now > SLOWER * before:
            warnings.append(f"{name}: {now:.2f} of the reference, saved {before:.2f}")
    return warnings, compared


def main() -> int:
    """Prints the warnings; 1 if no line could be compared."""
    saved, measured = (Results(Path(file)) for file in sys.argv[1:])
    warnings, compared = slower(saved, measured)
    for warning in warnings:
        print(f"WARNING: {warning}")
    print(f"{compared} lines compared, {len(warnings)} slower by more than a third")
    return 0 if compared else 1


if __name__ == "__main__":
    sys.exit(main())
