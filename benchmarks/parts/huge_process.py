"""The process that ``huge`` starts: one query, its answer and its metrics as a line of JSON."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from benchmarks.session import start

HEAP = "1g"


@dataclass(frozen=True)
class Case:
    """A query over ``range``, and what it has to answer.

    Attributes:
        rows: at full size.
        query: two numbers; ``{n}`` is the number of rows, ``{half}`` its half.
    """

    rows: int
    query: str

    def expected(self, rows: int) -> tuple[int, int]:
        """The two numbers, if ``rows`` is a multiple of 20."""
        if "ALL ROWS" in self.query:
            last = rows // 2
            return last + 1, last * (last + 1) // 2
        # Down and up in 20 rows; the last goes up as far as there are rows.
        return rows // 20, rows - 1


CASES = {
    "one_row": Case(
        100_000_000,
        """SELECT COUNT(*), MAX(t1) FROM
        (SELECT id, ABS(id % 20 - 10) AS price FROM range(0, {n}, 1, 1)) MATCH_RECOGNIZE (
          ORDER BY id MEASURES LAST(C.id) AS t1, LAST(B.price) AS low
          ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+ C+)
          DEFINE B AS price < PREV(price), C AS price > PREV(price))""",
    ),
    "all_rows": Case(
        20_000_000,
        # Rows of some hundred bytes: more than twice the heap.
        """SELECT COUNT(*), SUM(id + LENGTH(text) - 80) FROM
        (SELECT id, REPEAT(CHAR(65 + id % 26), 80) AS text FROM range(0, {n}, 1, 1))
        MATCH_RECOGNIZE (
          ORDER BY id MEASURES CLASSIFIER() AS variable
          ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A B* C)
          DEFINE A AS id = 0, C AS id = {half})""",
    ),
}


def main() -> None:
    """Runs the case that the command line names, at the size that it names."""
    case, rows = CASES[sys.argv[1]], int(sys.argv[2])
    # Adaptive execution hides the operator whose metrics are read.
    spark = start(spark_driver_memory=HEAP, spark_sql_adaptive_enabled="false")
    frame = spark.sql(case.query.replace("{n}", str(rows)).replace("{half}", str(rows // 2)))
    begin = time.perf_counter()
    row = frame.collect()[0]
    seconds = time.perf_counter() - begin
    found = {
        "seconds": round(seconds, 2),
        "answer": [row[0], row[1]],
        "right": (row[0], row[1]) == case.expected(rows),
        "metrics": metrics(frame._jdf.queryExecution().executedPlan()),
        "resident_kb": peak_resident(spark),
    }
    print(json.dumps(found))


def metrics(plan: Any) -> dict[str, int]:
    """The metrics of the operator, found somewhere in a physical plan."""
    if "MatchRecognize" in plan.nodeName():
        entries = plan.metrics().iterator()
        found = {}
        while entries.hasNext():
            entry = entries.next()
            found[entry._1()] = entry._2().value()
        return found
    children = plan.children().iterator()
    while children.hasNext():
        found = metrics(children.next())
        if found:
            return found
    return {}


def peak_resident(spark: SparkSession) -> int | None:
    """The most memory that the JVM has had at once, in KB, if Linux reports it."""
    assert spark._jvm is not None
    pid = spark._jvm.java.lang.ProcessHandle.current().pid()
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), None)


if __name__ == "__main__":
    main()
