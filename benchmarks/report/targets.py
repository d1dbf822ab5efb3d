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
        memory: the most that ours had at once.
    """

    measure: str
    reach: str
    measured: str
    reached: bool | None
    memory: str = ""


#: Core-ns a row, above a filter and projection that return as many rows.
KEPT = {"Q2": 110, "Q7": 70, "Q10": 60, "Q12": 130, "Q12b": 130}
#: Of exchange and sort, and of the best window formulation.
SORTED_BY_TIME = {"Q5": (0.65, 2.2), "Q8": (0.50, 2.5), "Q9": (0.45, 1.6)}


def lines(measured: Measured) -> Iterator[Line]:
    """All lines, in the order of the targets."""
    yield from _sorted_questions(measured)
    yield from _unsorted_questions(measured)
    for name, most in KEPT.items():
        cell = measured.question(name, "sorted")
        found = numbers.above(cell, "ours", "same_rows")
        reach = f"at most {most} core-ns a row above a filter and projection that return as many"
        yield _at_most(f"{name}, sorted", reach, most, found, cell, digits=0)
    for name, (share, times) in SORTED_BY_TIME.items():
        cell = measured.question(name, "unsorted")
        found = numbers.ratio(cell, "ours", "exchange_sort")
        reach = f"at most {share:.2f} times exchange and sort"
        yield _at_most(f"{name}, unsorted", reach, share, found, cell)
        yield _best(name, cell, times)
    cell = measured.question("Q4", "sorted")
    found = numbers.above(cell, "ours", "scan")
    yield _at_most(
        "Q4, sorted", "at most 180 core-ns a row above the scan", 180, found, cell, digits=0
    )
    for lane in ("unsorted", "sorted"):
        cell = measured.question("Q13", lane)
        found = numbers.ratio(cell, "ours", "v_shape")
        yield _at_most(f"Q13, {lane}", "at most 1.5 times Q1", 1.5, found, cell)
    yield from _adversarial(measured)
    yield from _growing(measured, "j", 64_000, 0.5, "linear", 1.1)
    yield from _growing(measured, "k", 1_000_000, 1, "n log n", 1.2)
    yield _tested("Q11l", measured.largest("adversarial/l"), threads=2)
    yield _tested("Q11m", measured.largest("adversarial/m"), threads=1)
    for name, cell in measured.results.of("jumps/unsorted").items():
        found = numbers.ratio(cell, "loop", "v_shape")
        yield _at_most(f"loop, {name}", "at most 1.5 times a V-shape", 1.5, found, cell)
    yield _growth(measured)
    yield _within(measured.largest("adversarial/h"))
    yield from _huge(measured)
    yield _planning(measured)
    yield from _demo(measured)


def _sorted_questions(measured: Measured) -> Iterator[Line]:
    for name, islands in (
        ("Q1", "gaps_and_islands"),
        ("Q3", "gaps_and_islands"),
        ("Q6", "lag_and_sum"),
    ):
        cell = measured.question(name, "sorted")
        measure = f"{name}, sorted"
        found = numbers.ratio(cell, "ours", "scan")
        most = 1.4 if name == "Q6" else 1.25
        yield _at_most(measure, f"at most {most} times the scan alone", most, found, cell)
        for way, times in (("lag", 4), (islands, 12)):
            net = numbers.net_ratio(cell, way, "ours")
            reach = f"net of the scan {times} times faster than {way}"
            yield _at_least(measure, reach, times, net, cell, way)


def _unsorted_questions(measured: Measured) -> Iterator[Line]:
    for name in ("Q1", "Q3", "Q6"):
        cell = measured.question(name, "unsorted")
        found = numbers.ratio(cell, "ours", "exchange_sort")
        reach = "at most 0.70 times Spark's exchange and sort"
        yield _at_most(f"{name}, unsorted", reach, 0.70, found, cell)
        if name == "Q1":
            way = "gaps_and_islands"
            times = numbers.ratio(cell, way, "ours")
            reach = "5 times faster than gaps and islands"
            yield _at_least(f"{name}, unsorted", reach, 5, times, cell, way)
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


def _growing(
    measured: Measured, case: str, rows: int, seconds: float, growth: str, slope: float
) -> Iterator[Line]:
    """A case of Q11 at one size, and how it grows around it; each without making the rows."""
    cells = measured.results.of(f"adversarial/{case}")
    cell = cells.get(str(rows), {})
    net = {
        int(size): numbers.paired(found, "ours", "scan", lambda a, b: a - b)
        for size, found in cells.items()
    }
    over = [found for found in cells.values() if _over(found, "ours") is False]
    pattern = next((f" `{found['pattern']}`" for found in cells.values()), "")
    measure, reach = f"Q11{case}{pattern}", f"{rows:,} rows in at most {seconds:g} s"
    found = net.get(rows)
    if found:
        memory = numbers.memory(cell, "ours")
        text = found.text() + " s"
        yield Line(measure, reach, text, found.median <= seconds, memory)
    elif over:
        # Fewer rows took too long, or these.
        words = f"{over[0]['rows']:,} rows: {_why_not(over[0], 'ours')}"
        yield Line(measure, reach, words, False)
    else:
        yield Line(measure, reach, "not measured", None)
    reach = f"{growth}: exponent at most {slope}"
    points = {size: found.median for size, found in net.items() if found and size > 10_000}
    exponent = numbers.exponent(list(points.items()))
    if exponent is None:
        yield Line(measure, reach, "not measured", False if over else None)
    else:
        text = f"{exponent:.2f}, {min(points):,} to {max(points):,} rows"
        yield Line(measure, reach, text, exponent <= slope and not over)


def _growth(measured: Measured) -> Line:
    """Many keys against few, in the same rounds."""
    cells = measured.series("growth")
    cell = cells[-1] if cells else {}
    found = numbers.ratio(cell, "many_keys", "few_keys")
    measure, reach = "1,000,000 keys, unsorted", "at most 1.3 times as long as 1,000 keys"
    if found is None:
        stopped = {_over(cell, way) for way in ("few_keys", "many_keys")}
        text = _why_not(cell, "many_keys")
        return Line(measure, reach, text, False if False in stopped else None)
    few = cell["x"] < 1_000_000
    text = found.text() + _size(cell) + (f", {cell['x']:,} keys" if few else "")
    memory = numbers.memory(cell, "many_keys")
    return Line(measure, reach, text, None if few else found.median <= 1.3, memory)


def _demo(measured: Measured) -> Iterator[Line]:
    """Planning and code generation of each query of the demo."""
    cells = measured.results.of("planning/demo")
    reach = "planning and code generation below 30 ms"
    if not cells:
        yield Line("the demo's queries", reach, "not measured", None)
    for name, cell in sorted(cells.items()):
        found = numbers.paired(cell, "both", "both", lambda a, _: a * 1000)
        text = f"{found.text(1)} ms" if found else "not measured"
        yield Line(f"demo, {name}", reach, text, found.median < 30 if found else None)


def _tested(name: str, cell: Cell, threads: int) -> Line:
    """Each start row tests all rows that follow it, for so many threads."""
    rows = int(cell.get("rows", 0))
    tests = threads * rows * (rows - 1) / 2
    found = numbers.paired(cell, "ours", "scan", lambda a, b: (a - b) * 1e9 / tests)
    measure = f"{name}, no index helps, threads tested: {threads}"
    reach = "at most 20 ns for a thread and a row"
    return _at_most(measure, reach, 20, found, cell, digits=0)


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
            resident = cell.get("resident_kb")
            held = f"{resident / 1024:,.0f} MiB, process" if resident else ""
            full_size = cell["rows"] >= full
            yield Line(measure, reach, text, reached if full_size else None, held)


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
    memory = numbers.memory(cell, "ours")
    return Line(measure, reach, found.text(digits) + _size(cell), found.median <= most, memory)


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
    words = f"{text} times ({way})" + _size(cell)
    return Line(measure, reach, words, times >= least, numbers.memory(cell, "ours"))


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
