"""What more cores are worth, in a table."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.report.tables import table
from benchmarks.results import Results

#: What follows the scaling by rows, if it was measured.
TEXT = """
## Scaling by cores

{machine}

Wall time as a part of that of one task on one core, over unsorted Parquet files. One core and
two were measured in processes of their own, {pairs} of each: the median of their ratios, with the
lowest and the highest in parentheses. The columns from four cores on are calculated, not
measured: what shrank from one core to two shrinks on, the rest does not.

{table}
"""

#: How many cores there may be beside those measured.
MORE = (4, 16, 64)


def cores(results: Results) -> str:
    """The section of the report; nothing if it was not measured."""
    cells = results.of("cores")
    if not cells:
        return ""
    head = ["clause", "rows", "way", "s, one core", "one core", "two cores", *map(str, MORE)]
    return TEXT.format(
        machine=results.conditions(),
        pairs=max(len(cell["ways"]["ranges"]["runs"]) for cell in cells.values()),
        table=table(head, _rows(results)),
    )


def _rows(results: Results) -> Iterator[list[str]]:
    for name, cell in results.of("cores").items():
        clause, rows = name.rsplit("/", 1)
        ways = cell["ways"]
        whole = [one for one, _ in ways["one task"]["runs"]]
        for way, taken in ways.items():
            parts = [[s / base for s in run] for run, base in zip(taken["runs"], whole)]
            one, two = ([part[i] for part in parts] for i in range(2))
            shrinks = max(0.0, 2 * (median(one) - median(two)))
            yield [
                clause,
                f"{int(rows):,}",
                way,
                f"{median(run[0] for run in taken['runs']):.2f}",
                *(f"{median(x):.2f} ({min(x):.2f} to {max(x):.2f})" for x in (one, two)),
                *(f"{median(one) - shrinks + shrinks / n:.2f}" for n in MORE),
            ]
