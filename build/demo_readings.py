"""Make the readings of the demo: the temperatures of a refrigerator that does not exist.

Usage: ``.venv/bin/python build/demo_readings.py``. ``tests/python/project/test_demo.py`` checks
that the file is up to date. Each number is drawn by ``Random.random``, which gives the same on
each version of Python.

A thermostat keeps the refrigerator near 5 degrees. Every day but the first and the last has one
fault. The sensor pauses during each fourth of them, and once on each third day.
"""

from __future__ import annotations

import gzip
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

FILE = (
    Path(__file__).resolve().parents[1] / "python/match_recognize/demo/data/refrigerator.csv.gz"
)

START = datetime(2026, 1, 1)
MINUTES = 5
DAYS = 90
#: Readings in a day.
DAY = 24 * 60 // MINUTES

#: The highest temperature that the sensor reports.
HIGHEST = 25.0

FAULTS = ("door open", "icing", "stuck", "no power")


class Made:
    """The temperatures, and what is drawn for them."""

    def __init__(self) -> None:
        self._random = Random(2026)
        self.missing: set[int] = set()
        self.temperatures = self._regulated()

    def draw(self, low: int, high: int) -> int:
        """Draws an integer from low to high, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def noise(self) -> float:
        """Draws what a reading is off by."""
        return (self._random.random() - 0.5) * 0.4

    def _regulated(self) -> list[float]:
        """The temperatures under the thermostat: the compressor cools from 6.4 down to 3.6."""
        temperature, cools = 5.0, False
        made = []
        for _ in range(DAYS * DAY):
            temperature += -0.35 if cools else 0.25
            cools = temperature > 3.6 if cools else temperature > 6.4
            made.append(temperature + self.noise())
        return made

    def fault(self, day: int) -> None:
        """Puts a fault into a day: one of a kind in turn, without power on each tenth day.

        Args:
            day: its number, from 0.
        """
        at = day * DAY + self.draw(24, 120)
        kind = FAULTS[3] if day % 10 == 5 else FAULTS[day % 3]
        if kind == "door open":
            # Too warm for between 75 minutes and four hours.
            self._ramp(at, [(0, 5.0), (5, 9.0), (self.draw(15, 48), 8.5 + self.draw(0, 35) / 10)])
        elif kind == "icing":
            # Too cold, then the ice is thawed: too warm after between 20 minutes and three hours.
            cold = self.draw(3, 15)
            self._ramp(at, [(0, 4.0), (8, 1.6), (cold, 1.2), (self.draw(4, 34), 9.0), (8, 8.6)])
        elif kind == "stuck":
            for i in range(at, at + self.draw(8, 22)):
                self.temperatures[i] = self.temperatures[at]
        else:
            # The sensor reports no more than HIGHEST.
            self._ramp(at, [(0, 6.0), (20, 25.4), (self.draw(30, 70), 25.4)])
        if day % 4 == 0:
            self.pause(at + self.draw(10, 25), 30)

    def _ramp(self, at: int, points: list[tuple[int, float]]) -> None:
        """Puts a line through points: each a number of readings after the one before."""
        start = points[0][1]
        for steps, end in points[1:]:
            for i in range(steps):
                value = start + (end - start) * (i + 1) / steps
                self.temperatures[at + i] = value + (self.noise() if value <= HIGHEST else 0)
            at, start = at + steps, end

    def pause(self, at: int, longest: int) -> None:
        """Lets readings go missing: from one to more than a day of them.

        Args:
            at: the first.
            longest: how many at most.
        """
        self.missing.update(range(at, at + self.draw(1, longest)))


def text() -> str:
    """Returns the content of the file: a time and a temperature in each line."""
    made = Made()
    for day in range(1, DAYS - 1):
        made.fault(day)
        if day % 3 == 0:
            made.pause(day * DAY + made.draw(150, 280), 4 if day % 2 else 320)
    lines = ["time,celsius"]
    for i, temperature in enumerate(made.temperatures):
        if i not in made.missing:
            at = START + timedelta(minutes=MINUTES * i)
            lines.append(f"{at:%Y-%m-%d %H:%M:%S},{min(temperature, HIGHEST):.1f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with gzip.GzipFile(FILE, "wb", mtime=0) as file:
        file.write(text().encode())
