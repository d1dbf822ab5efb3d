"""All that was measured, in tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchmarks.report import numbers
from benchmarks.report.measured import Measured
from benchmarks.report.targets import Line, lines
from benchmarks.results import Cell


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table in Markdown."""
    divider = ["---" if i == 0 else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, divider, *rows])


def targets(measured: Measured) -> str:
    """What was to be reached, and whether it was."""

    def row(line: Line) -> list[str]:
        words = {True: "yes", False: "**no**", None: ""}
        return [line.measure, line.reach, line.measured, words[line.reached], line.memory]

    head = ["measure", "reach", "measured", "reached", "peak memory"]
    return table(head, map(row, lines(measured)))


def questions(measured: Measured) -> str:
    """A table for each question, lane and size."""
    parts = []
    for name, cell in sorted(measured.results.of("questions").items(), key=_order):
        question, lane, rows = name.split("/")
        load = numbers.load(cell)
        remark = f"{cell['out']:,} rows returned" if cell.get("out") is not None else "no answer"
        remark += f"; load up to {load:.1f}" if load is not None else ""
        title = f"**{question}, {lane}, {int(rows):,} rows** ({remark}; {_origin(cell)})"
        parts.append(title + "\n\n" + table(_HEAD, _ways(cell)))
    return "\n\n".join(parts)


_HEAD = ["way", "s", "core-ns a row", "ours takes, times", "pairs", "peak memory", "answer"]


def _order(item: tuple[str, Cell]) -> tuple[int, str, str, int]:
    question, lane, rows = item[0].split("/")
    return int("".join(filter(str.isdigit, question))), question, lane, int(rows)


def _origin(cell: Cell) -> str:
    return f"{cell['date']}, {cell['commit']}"


def _ways(cell: Cell) -> Iterator[list[str]]:
    for name, way in cell["ways"].items():
        seconds, core_ns = numbers.seconds(cell, name), numbers.core_ns(cell, name)
        ratio = None if name == "ours" else numbers.ratio(cell, "ours", name)
        yield [
            name,
            seconds.text() if seconds else failed(way),
            f"{core_ns.median:,.0f}" if core_ns else "",
            ratio.text() if ratio else "",
            str(seconds.pairs) if seconds else "",
            numbers.memory(cell, name),
            _answer(way),
        ]


def _answer(way: Cell) -> str:
    if way["relation"] == "differs":
        return str(way["remark"])
    if "equal" not in way:
        return ""
    words = {"same": "equal", "equals": f"equal to {way['remark']}", "counts": "equal count"}
    return words[str(way["relation"])] if way["equal"] else "**NOT EQUAL**"


def failed(way: Cell) -> str:
    """Why there is no time."""
    return f"> {way['over']:g} s" if "over" in way else str(way.get("error", ""))


def adversarial(measured: Measured) -> str:
    """Q11 end to end, less the making of the rows."""
    rows = []
    for case in "abcdefghijklm":
        cells = measured.results.of(f"adversarial/{case}")
        points: list[tuple[float, float]] = []
        for size in sorted(cells, key=int):
            net = numbers.paired(cells[size], "ours", "scan", lambda a, b: (a - b) * 1000)
            text = f"{net.text(1)} ms" if net else failed(cells[size]["ways"]["ours"])
            slope = numbers.exponent([*points, (int(size), net.median)]) if net else None
            if net:
                points.append((int(size), net.median))
            shown = f"{slope:.2f}" if slope is not None else ""
            pattern = cells[size]["pattern"].replace("|", "\\|")
            memory = numbers.memory(cells[size], "ours")
            rows.append([f"11{case} `{pattern}`", f"{int(size):,}", text, shown, memory])
    head = ["case", "rows", "above making the rows", "exponent so far", "peak memory"]
    return table(head, rows)


def matchers(measured: Measured) -> str:
    """Q11, the matchers alone."""
    rows = [
        [name, f"{size:,}", f"{ms:,.3f}", f"{ms * 1e6 / size:,.0f}"]
        for name, points in sorted(measured.matchers.items())
        for size, ms in sorted(points.items())
    ]
    return table(["case", "rows", "ms", "ns a row"], rows) if rows else "Not measured."


def jumps(measured: Measured) -> str:
    """Loops by type and form, next to a V-shape."""
    rows = []
    for lane in ("unsorted", "sorted"):
        cells = measured.results.of(f"jumps/{lane}")
        for name in cells:
            times = numbers.ratio(cells[name], "loop", "v_shape")
            shown = times.text() if times else failed(cells[name]["ways"]["loop"])
            rows.append([lane, name, f"`{cells[name]['condition']}`", shown])
    head = ["lane", "form", "below", "times the V-shape"]
    return table(head, rows) if rows else "Not measured."


def scaling(measured: Measured) -> str:
    """The series."""
    rows = []
    names = ("rows-unsorted", "rows-sorted", "keys", "growth", "length")
    for series, cell in ((name, cell) for name in names for cell in measured.series(name)):
        for way in cell["ways"]:
            spread, core_ns = numbers.seconds(cell, way), numbers.core_ns(cell, way)
            shown = spread.text() if spread else failed(cell["ways"][way])
            by_row = f"{core_ns.median:,.0f}" if core_ns else ""
            memory = numbers.memory(cell, way)
            size = [f"{cell['x']:,}", way, f"{cell['rows']:,}"]
            rows.append([series, *size, shown, by_row, memory])
    return table(["series", "value", "way", "rows", "s", "core-ns a row", "peak memory"], rows)


def engines(measured: Measured) -> str:
    """Engines of one machine next to ours, at the largest size of each question."""
    parts = []
    for question in ("Q1", "Q5", "Q6"):
        cell = measured.largest(f"engines/{question}")
        if cell:
            title = f"**{question}, {cell['rows']:,} rows** ({cell['out']:,} rows returned; "
            parts.append(title + f"{_origin(cell)})\n\n" + table(_HEAD, _ways(cell)))
    return "\n\n".join(parts) or "Not measured."


def planning(measured: Measured) -> str:
    """The demo's queries: milliseconds."""
    rows = []
    for name, cell in sorted(measured.results.of("planning/demo").items()):
        shown = [numbers.paired(cell, way, way, lambda a, _: a * 1000) for way in _PLANNED]
        rows.append([name, *(spread.text(1) if spread else "" for spread in shown)])
    return table(["query", *_PLANNED], rows) if rows else "Not measured."


_PLANNED = ("plan", "generate", "both")
