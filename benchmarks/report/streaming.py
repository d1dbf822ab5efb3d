"""What was measured of streaming queries, in tables."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.report import numbers
from benchmarks.report.numbers import Spread
from benchmarks.report.tables import table
from benchmarks.results import Cell, Results

#: What follows the questions, if streams were measured.
TEXT = """
## Streaming

{machine}
[README.md](README.md#streaming) says what is measured.

**Events a second.** Medians over rounds, with the lowest and the highest in parentheses. *Cut*:
the latest run was stopped when its time was over, and counts until then. The bytes of state are
the most that the latest run had. *Times Flink*: how many times more events a second than Flink.
*Beyond keep*: the share of the time that Spark does not need to move the same rows and to keep
them as long.

{throughput}

**What the time of a micro-batch goes to.** Shares of samples of the tasks, on all cores. *Store
and shuffle* are Spark's state store and its shuffle, with the sort by keys. *No task*: the driver
plans, commits or waits for the last task.

{share}

**Rows found.** *Different* counts the rows that only one of the two found.

{agreement}

**Micro-batches as the state grows.** Each fifth of a run: the median seconds of its
micro-batches, and the bytes of state after it.

{growth}

**One key, and one new row of it in each micro-batch.**

{one_key}

**Restart from the checkpoint.**

{restart}

**A simulated hour.**

{hour}
"""

#: Which way of Flink's is compared with a way of ours.
PEERS = {"default": "heap", "RocksDB": "RocksDB"}

FIFTHS = 5


def streaming(results: Results) -> str:
    """The section of the report; nothing if streams were not measured."""
    if not results.cells:
        return ""
    return TEXT.format(
        machine=results.conditions(),
        throughput=throughput(results),
        share=share(results),
        agreement=agreement(results),
        growth=growth(results),
        one_key=one_key(results),
        restart=restart(results),
        hour=hour(results),
    )


def largest(results: Results, part: str) -> dict[str, Cell]:
    """The cells of a part with the most rows, by the names before the rows."""
    found: dict[str, tuple[int, Cell]] = {}
    for name, cell in results.of(f"streaming/{part}").items():
        stem, _, rows = name.rpartition("/")
        if stem not in found or found[stem][0] < int(rows):
            found[stem] = int(rows), cell
    return {stem: cell for stem, (_, cell) in found.items()}


def throughput(results: Results) -> str:
    """Each query, with each way to run it."""
    head = ["query", "way", "events a second", "state, bytes a key", "times Flink", "beyond keep"]
    rows = [
        [query, way, *_throughput(cell, way)]
        for query, cell in largest(results, "throughput").items()
        for way in cell["ways"]
    ]
    return table(head, rows)


def _throughput(cell: Cell, way: str) -> list[str]:
    measured = cell["ways"][way]
    if "refused" in measured:
        return [f"not accepted: {measured['refused']}", "", "", ""]
    rate = spread(rates(cell, way))
    state = measured.get("state")
    engine, _, store = way.partition(", ")
    flink = keep = ""
    if engine == "ours":
        pairs = zip(rates(cell, way), rates(cell, f"Flink, {PEERS[store]}"))
        flink = spread([ours / theirs for ours, theirs in pairs])
        # Of the time for a row.
        pairs = zip(rates(cell, way), rates(cell, f"keep, {store}"))
        keep = spread([1 - ours / kept for ours, kept in pairs])
    return [
        rate if not measured["cut"] else f"{rate}, cut",
        f"{state / cell['keys']:,.0f}" if state else "",
        flink,
        keep,
    ]


def rates(cell: Cell, way: str) -> list[float]:
    """Events a second in each round; of a run that was cut, until then."""
    runs = cell["ways"].get(way, {}).get("runs", [])
    return [rows / seconds for seconds, _, rows in runs]


def spread(values: list[float]) -> str:
    """The median, and the range in parentheses."""
    if not values:
        return ""
    digits = 0 if max(values) >= 100 else 2
    return Spread(median(values), min(values), max(values), len(values)).text(digits)


def share(results: Results) -> str:
    """The samples of each query, with each state store."""
    names = ["state store", "shuffle", "clause", "input", "other operators", "no task"]
    rows = []
    for query, cell in largest(results, "share").items():
        for store, way in cell["ways"].items():
            samples = way["samples"]
            count = sum(samples.values())
            shares = [samples.get(name, 0) / count for name in names]
            texts = [f"{value:.0%}" for value in [shares[0] + shares[1], *shares]]
            rows.append([query, store, *texts, f"{count:,}"])
    if not rows:
        return "Not measured yet."
    return table(["query", "store", "store and shuffle", *names, "samples"], rows)


def agreement(results: Results) -> str:
    """Whether Flink finds the same rows."""

    def row(query: str, cell: Cell) -> list[str]:
        if "refused" in cell:
            ours = f"{cell['ours']['standard']:,}"
            return [query, ours, f"not accepted: {cell['refused']}", "", ""]
        different = (f"{cell['different'][dialect]:,}" for dialect in ("standard", "flink"))
        return [query, f"{cell['ours']['standard']:,}", f"{cell['flink']:,}", *different]

    head = ["query", "rows of ours", "rows of Flink", "different", "different, flink dialect"]
    return table(head, (row(*item) for item in largest(results, "agreement").items()))


def growth(results: Results) -> str:
    """The micro-batches of the latest round, in fifths of the run."""
    head = ["query", "way", *(f"{i} of {FIFTHS}" for i in range(1, FIFTHS + 1))]
    rows = [
        [query, way, *_fifths(measured["batches"])]
        for query, cell in largest(results, "throughput").items()
        for way, measured in cell["ways"].items()
        if way.startswith("ours") and "batches" in measured
    ]
    return table(head, rows)


def _fifths(batches: list[list[float]]) -> Iterator[str]:
    # The last two are the event that ends the stream, and what it makes final.
    within = batches[:-2]
    for i in range(FIFTHS):
        part = within[len(within) * i // FIFTHS : len(within) * (i + 1) // FIFTHS]
        if not part:
            yield ""
            continue
        seconds = median(batch[0] for batch in part)
        yield f"{seconds:,.2f} s, {part[-1][3] / 1e6:,.1f} MB"


def one_key(results: Results) -> str:
    """A micro-batch with one row, by the rows that the key retains."""
    cells = results.of("streaming/one_key")
    rows = [
        [f"{int(retained):,}", *(_seconds(cells[retained], store) for store in PEERS)]
        for retained in sorted(cells, key=int)
    ]
    return table(["rows retained", *(f"{store}, s" for store in PEERS)], rows)


def restart(results: Results) -> str:
    """Seconds until a query continues."""
    rows = [
        [query, way, _seconds(cell, way), f"{measured['state'] / 1e6:,.1f}"]
        for query, cell in largest(results, "restart").items()
        for way, measured in cell["ways"].items()
    ]
    return table(["query", "way", "s", "state, MB"], rows)


def _seconds(cell: Cell, way: str) -> str:
    spread = numbers.seconds(cell, way)
    return spread.text() if spread else ""


def hour(results: Results) -> str:
    """The simulated hour, with each state store."""
    head = ["store", "events", "events a second", "rows returned", "missing", "too many"]
    head += ["late", "dropped", "most entries", "most memory, MB"]
    rows = [
        [
            store,
            f"{cell['rows']:,}",
            f"{cell['rows'] / cell['seconds']:,.0f}",
            *(f"{cell[name]:,}" for name in ("out", "missing", "surplus", "late", "dropped")),
            f"{max(batch[1] for batch in cell['batches']):,}",
            f"{max(batch[2] for batch in cell['batches']) / 1e6:,.0f}",
        ]
        for store, cell in largest(results, "hour").items()
    ]
    return table(head, rows)
