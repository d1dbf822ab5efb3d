"""The table of targets, filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.report import numbers
from benchmarks.report.measured import Measured
from benchmarks.report.numbers import Spread
from benchmarks.results import Cell


@dataclass(frozen=True)
class Line:
    """A line of the table.

    Attributes:
        reached: None where it was not measured.
    """

    measure: str
    reach: str
    measured: str
    reached: bool | None


def lines(measured: Measured) -> Iterator[Line]:
    """All lines, in the order of the targets."""
    yield from _sorted_questions(measured)
    yield from _unsorted_questions(measured)
    for name in ("Q2", "Q7", "Q10", "Q12", "Q12b"):
        cell = measured.question(name, "sorted")
        found = numbers.above(cell, "ours", "same_rows")
        reach = "at most 30 core-ns a row above a filter and projection that return as many"
        yield _at_most(f"{name}, sorted", reach, 30, found, cell, digits=0)
    for name in ("Q5", "Q8", "Q9"):
        cell = measured.question(name, "unsorted")
        found = numbers.ratio(cell, "ours", "exchange_sort")
        reach = "at most 1.3 times exchange and sort"
        yield _at_most(f"{name}, unsorted", reach, 1.3, found, cell)
        yield _best(name, cell, 2)
    cell = measured.question("Q4", "sorted")
    found = numbers.above(cell, "ours", "scan")
    yield _at_most(
        "Q4, sorted", "at most 150 core-ns a row above the scan", 150, found, cell, digits=0
    )
    yield from _adversarial(measured)
    yield _within(measured.largest("adversarial/h"))
    yield from _huge(measured)
    yield _planning(measured)


def _sorted_questions(measured: Measured) -> Iterator[Line]:
    for name, islands in (
        ("Q1", "gaps_and_islands"),
        ("Q3", "gaps_and_islands"),
        ("Q6", "lag_and_sum"),
    ):
        cell = measured.question(name, "sorted")
        measure = f"{name}, sorted"
        found = numbers.ratio(cell, "ours", "scan")
        yield _at_most(measure, "at most 1.25 times the scan alone", 1.25, found, cell)
        for way, times in (("lag", 4), (islands, 12)):
            net = numbers.net_ratio(cell, way, "ours")
            reach = f"net of the scan {times} times faster than {way}"
            yield _at_least(measure, reach, times, net, cell, way)


def _unsorted_questions(measured: Measured) -> Iterator[Line]:
    for name in ("Q1", "Q3", "Q6"):
        cell = measured.question(name, "unsorted")
        found = numbers.ratio(cell, "ours", "exchange_sort")
        reach = "at most 0.65 times Spark's exchange and sort"
        yield _at_most(f"{name}, unsorted", reach, 0.65, found, cell)
        if name == "Q1":
            way = "gaps_and_islands"
            times = numbers.ratio(cell, way, "ours")
            reach = "4.5 times faster than gaps and islands"
            yield _at_least(f"{name}, unsorted", reach, 4.5, times, cell, way)
        else:
            yield _best(name, cell, 2)


def _best(name: str, cell: Cell, times: float) -> Line:
    reach = f"{times} times faster than the best way without us"
    way = numbers.best_other(cell)
    found = numbers.ratio(cell, way, "ours") if way else None
    return _at_least(f"{name}, unsorted", reach, times, found, cell, way or "")


def _adversarial(measured: Measured) -> Iterator[Line]:
    for case in (f"11{letter}" for letter in "abcdefg"):
        slope = measured.matcher_exponent(case)
        points = measured.matchers.get(case, {})
        reach = "linear: exponent at most 1.1"
        if slope is not None:
            text = f"{slope:.2f}, up to {max(points):,} rows"
            # Half the line is how far it goes.
            reached = slope <= 1.1 and max(points) >= 1_000_000
            yield Line(f"Q{case}, matcher alone", reach, text, reached)
        else:
            yield Line(f"Q{case}, matcher alone", reach, "not measured", None)
        reach, ms = "100,000 rows in under 10 ms", points.get(100_000)
        text = "not measured" if ms is None else f"{ms:,.1f} ms"
        yield Line(f"Q{case}, matcher alone", reach, text, None if ms is None else ms < 10)


def _within(cell: Cell) -> Line:
    found = numbers.paired(cell, "ours", "scan", lambda a, b: (a - b) * 1e9 / cell["rows"])
    reach = "at most 200 ns a row above making the rows"
    return _at_most("Q11h, WITHIN 10,000 rows", reach, 200, found, cell, digits=0)


def _huge(measured: Measured) -> Iterator[Line]:
    for name, measure, reach, full in (
        ("one_row", "100 M rows, ONE ROW, 1 GB", "runs, retains nothing, no spill", 100_000_000),
        ("all_rows", "20 M rows, A B* C, ALL ROWS, 1 GB", "runs, spills, right", 20_000_000),
    ):
        cell = measured.largest(f"huge/{name}")
        if not cell:
            yield Line(measure, reach, "not measured", None)
        elif "seconds" not in cell:
            over = f"> {cell['over']:g} s" if "over" in cell else cell["error"]
            yield Line(measure, reach, f"{cell['rows']:,} rows: {over}", False)
        else:
            spill = cell["metrics"].get("spillSize", 0)
            memory = cell["metrics"].get("peakMemory", 0)
            right = "right" if cell["right"] else "WRONG"
            text = f"{cell['rows']:,} rows: {right}, {cell['seconds']:,.1f} s"
            text += f", {spill:,} bytes spilled, {memory:,} bytes of rows held"
            # A page of memory or two is what an empty store has.
            kept = spill == 0 and memory <= 2**21 if name == "one_row" else spill > 0
            reached = cell["right"] and kept
            yield Line(measure, reach, text, reached if cell["rows"] >= full else None)


def _planning(measured: Measured) -> Line:
    cell = measured.results.of("planning").get("20", {})
    found = numbers.paired(cell, "ours", "without", lambda a, b: (a - b) * 1000)
    text = f"{found.text(1)} ms" if found else "not measured"
    reached = found.median < 50 if found else None
    return Line("planning, 20 variables", "below 50 ms above the query without it", text, reached)


def _at_most(
    measure: str,
    reach: str,
    most: float,
    found: Spread | None,
    cell: Cell,
    digits: int = 2,
) -> Line:
    if found is None:
        return Line(measure, reach, _why_not(cell, "ours"), _over(cell, "ours"))
    return Line(measure, reach, found.text(digits) + _size(cell), found.median <= most)


def _at_least(
    measure: str,
    reach: str,
    least: float,
    found: float | Spread | None,
    cell: Cell,
    way: str,
) -> Line:
    if found is None:
        return Line(measure, reach, _why_not(cell, "ours"), _over(cell, "ours"))
    times = found.median if isinstance(found, Spread) else found
    text = found.text(1) if isinstance(found, Spread) else f"{found:.1f}"
    return Line(measure, reach, f"{text} times ({way})" + _size(cell), times >= least)


def _size(cell: Cell) -> str:
    """The size, where it is not the one that the targets are for."""
    return "" if cell["rows"] == 10_000_000 else f", {cell['rows']:,} rows"


def _over(cell: Cell, way: str) -> bool | None:
    found = cell.get("ways", {}).get(way, {})
    return False if "over" in found or "error" in found else None


def _why_not(cell: Cell, way: str) -> str:
    found = cell.get("ways", {}).get(way, {})
    if "over" in found:
        return f"> {found['over']:g} s"
    return str(found.get("error", "not measured"))
