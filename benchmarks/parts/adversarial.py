"""Q11: patterns that make a search try many alternatives in vain, over one partition that grows.

The rows come out of ``range``, in order and in one task, so that nothing but the matching is in
question; the time to make them is measured separately.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from benchmarks.parts.options import Bench
from benchmarks.parts.rounds import interleave
from benchmarks.results import Cell

SIZES = (1_000, 10_000, 100_000, 1_000_000)
#: Around 64,000 rows, each twice the one before: whether the time is twice as long, too.
COUNTED_SIZES = (8_000, 16_000, 32_000, 64_000, 128_000)
#: What is quadratic takes half a minute for the first, and no further size.
FALLING_SIZES = (10_000, 125_000, 250_000, 500_000, 1_000_000)
#: Quadratic, so that the time of a pair of a start row and a row can be read off.
SQUARE_SIZES = (2_000, 4_000, 8_000, 16_000)


@dataclass(frozen=True)
class Case:
    """A pattern, and rows that are hard for it.

    Attributes:
        label: each row's letter or number, as an expression over ``id`` and ``{n}``, the number
            of rows.
        partition: the partition of a row, over ``id``; nothing for one of all.
        within: how many rows further a match may end; nothing for any number.
        sizes: numbers of rows.
    """

    pattern: str
    define: str
    label: str = "'a'"
    partition: str = ""
    within: int | None = None
    sizes: tuple[int, ...] = SIZES

    def query(self, rows: int) -> str:
        """With the clause."""
        by_partition = "PARTITION BY p " if self.partition else ""
        bound = "" if self.within is None else f"WITHIN {self.within} "
        return (
            f"SELECT * FROM ({self.source(rows)}) MATCH_RECOGNIZE ({by_partition}ORDER BY id "
            "MEASURES MATCH_NUMBER() AS m, FIRST(id) AS first, LAST(id) AS last "
            "ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW "
            f"PATTERN ({self.pattern}) {bound}DEFINE {self.define})"
        )

    def reference(self, rows: int) -> str:
        """The rows alone, in order."""
        return self.source(rows) + (" SORT BY p, id" if self.partition else "")

    def source(self, rows: int) -> str:
        """The rows."""
        label = self.label.replace("{n}", str(rows))
        columns = f"id, {label} AS label" + (f", {self.partition} AS p" if self.partition else "")
        return f"SELECT {columns} FROM range(0, {rows}, 1, 1)"


CASES = {
    # Each third has a letter: whichever A it starts from, it runs to the end and finds no E.
    "a": Case(
        "A+ B+ C+ E",
        "A AS label = 'a', B AS label = 'b', C AS label = 'c', E AS label = 'e'",
        "CASE WHEN id < {n} / 3 THEN 'a' WHEN id < {n} * 2 / 3 THEN 'b' ELSE 'c' END",
    ),
    "b": Case("A+ B+", "A AS label = 'a', B AS label = 'b'"),
    "c": Case("(A?){20} A{20}", "A AS label = 'a'", partition="id DIV 30"),
    "d": Case("A* A* A* B", "A AS label = 'a', B AS label = 'b'"),
    "e": Case("(A+)+ B", "A AS label = 'a', B AS label = 'b'"),
    "f": Case("A (Z* B)?", "A AS label = 'a', B AS label = 'b'"),
    # Six of the seven take any row, the seventh none: all orders of the six come to nothing.
    "g": Case("PERMUTE(A, B, C, D, E, F, G)", "G AS label = 'g'"),
    # Two rows of three start a match, one in 50,000 ends one, 10,000 rows are within the bound.
    "h": Case(
        "A (A | B)* C",
        "A AS label = 'a', B AS label = 'b', C AS label = 'c'",
        "CASE WHEN id % 50000 = 49999 THEN 'c' WHEN id % 3 = 0 THEN 'b' ELSE 'a' END",
        within=10_000,
    ),
    # For the threads: where A starts matters up to B, which is near; then all run to the end.
    "i": Case("A+ B Z* C", "A AS id % 5 > 0, B AS id > 1 + FIRST(A.id), C AS COUNT(B.id) > 1"),
    # No row is a B: each start row counts 5,000 rows for nothing.
    "j": Case("A{1000,5000} B", "A AS label = 'a', B AS label = 'b'", sizes=COUNTED_SIZES),
    # Q13 over one series that falls to its end: no row is a BACK.
    "k": Case(
        "PEAK BELOW+ BACK",
        "BELOW AS label < PEAK.label, BACK AS label >= PEAK.label",
        "{n} - id",
        sizes=FALLING_SIZES,
    ),
    # The same in a form that no index helps with: each start row tests each row that follows.
    "l": Case(
        "PEAK BELOW+ BACK",
        "BELOW AS 2 * label < PEAK.label + label, BACK AS 2 * label >= PEAK.label + label",
        "{n} - id",
        sizes=SQUARE_SIZES,
    ),
    # The same with one thread whose rows are tested: REST takes all.
    "m": Case(
        "PEAK REST* BACK",
        "BACK AS 2 * label >= PEAK.label + label",
        "{n} - id",
        sizes=SQUARE_SIZES,
    ),
}


def run(bench: Bench) -> None:
    """Measures each case at each size, up to the first that takes too long."""
    for letter, case in CASES.items():
        for rows in case.sizes:
            if rows > bench.options.rows:
                continue
            name = f"adversarial/{letter}/{rows}"
            bench.cell(name, partial(_measure, bench, case, rows))
            ours = bench.results.cells.get(name, {}).get("ways", {}).get("ours", {})
            if "over" in ours or "error" in ours:
                break


def _measure(bench: Bench, case: Case, rows: int) -> Cell:
    texts = {"ours": case.query(rows), "scan": case.reference(rows)}
    frames = {name: partial(bench.spark.sql, text) for name, text in texts.items()}
    return {"rows": rows, "pattern": case.pattern, "ways": interleave(bench, frames)}
