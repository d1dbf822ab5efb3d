"""The results, as the report needs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.report.numbers import exponent
from benchmarks.results import FOLDER, Cell, Results

#: Below it a matcher's time is its start.
FEWEST_ROWS = 1_000


class Measured:
    """All cells, and what JMH measured of the matchers alone."""

    def __init__(self, results: Results, folder: Path = FOLDER) -> None:
        self.results = results
        runs: list[dict[str, Any]] = []
        for file in sorted(folder.glob("jmh*.json")):
            runs += json.loads(file.read_text())
        #: Milliseconds of the automaton, by case of Q11 and rows.
        self.matchers: dict[str, dict[int, float]] = {}
        for run in runs:
            if run["params"]["matcher"] != "automaton":
                continue
            name, rows = run["params"]["pattern"], int(run["params"]["rows"])
            self.matchers.setdefault(name, {})[rows] = run["primaryMetric"]["score"]

    def question(self, name: str, lane: str) -> Cell:
        """A question's cell with the most rows; an empty one if there is none."""
        return self.largest(f"questions/{name}/{lane}")

    def largest(self, prefix: str) -> Cell:
        """The cell of a part with the most rows; an empty one if there is none."""
        cells = self.results.of(prefix)
        return cells[max(cells, key=int)] if cells else {}

    def series(self, name: str) -> list[Cell]:
        """The cells of a scaling series, at the largest size that it was measured at."""
        cells = self.results.of(f"scaling/{name}")
        sizes = {key: int(key.split("/")[1]) for key in cells}
        largest = [cells[key] for key in cells if sizes[key] == max(sizes.values())]
        return sorted(largest, key=lambda cell: float(cell["x"]))

    def matcher_exponent(self, name: str) -> float | None:
        """How the time of a matcher alone grows with the rows."""
        points = self.matchers.get(name, {})
        return exponent([(n, ms) for n, ms in points.items() if n >= FEWEST_ROWS])
