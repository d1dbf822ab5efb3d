"""What a second core is worth: ``python -m benchmarks.cores --rows 5000000 --pairs 7``.

A session has its cores for good, so one core and two are processes of their own, and they
alternate. Each runs each statement by one task, and in ranges. The seconds are saved in
`cores.json`, of which `make bench-report` makes a table. Measure only if the machine has two
cores and does nothing else.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path
from statistics import median

from pyspark.sql import SparkSession

from benchmarks.data.tables import cache
from benchmarks.results import CORES_FILE, Results
from benchmarks.session import start
from benchmarks.stopwatch import timed, to_nowhere

#: Of each statement in each process: runs to warm up, and runs of which the median is taken.
WARM_UPS, RUNS = 3, 5

#: A run that takes longer ends the measurement.
LIMIT = 600.0

#: From so many bytes on, a clause without PARTITION BY is searched in ranges, and so is a key
#: with most of the rows.
RANGES = "spark.sql.matchRecognize.ranges.minBytes"

V_SHAPE = """PATTERN (A DOWN+ UP+)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)"""

#: By name, what follows MATCH_RECOGNIZE.
CLAUSES = {
    "V-shape, 10,000 keys": f"""(PARTITION BY key ORDER BY ts
  MEASURES COUNT(*) AS n, LAST(UP.price) AS p {V_SHAPE})""",
    "V-shape, no PARTITION BY": f"""(ORDER BY ts
  MEASURES COUNT(*) AS n, LAST(UP.price) AS p {V_SHAPE})""",
    "V-shape, one key with 90 %": f"""(PARTITION BY skewed ORDER BY ts
  MEASURES COUNT(*) AS n, LAST(UP.price) AS p {V_SHAPE})""",
    "A B+ C, no PARTITION BY": """(ORDER BY ts MEASURES COUNT(*) AS n PATTERN (A B+ C)
  DEFINE B AS price < A.price, C AS price >= A.price)""",
    "A+, one match over all rows": """(ORDER BY ts MEASURES COUNT(*) AS n PATTERN (A+)
  DEFINE A AS price > 0)""",
}


def provide(spark: SparkSession, rows: int) -> None:
    """Makes the view `walk`: times, a sine with noise as price, and keys; in no order."""
    path = str(cache() / f"cores-{rows}-skewed")
    spark.range(rows).selectExpr(
        "id % 10000 AS key",
        "IF(id % 10 < 9, -1, id DIV 10 % 10000) AS skewed",
        "timestamp_seconds(1600000000 + id) AS ts",
        "100 + 20 * sin(id / 300) + 10 * rand(7) AS price",
    ).repartition(8, "price").write.mode("ignore").parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("walk")


def measured(cores: int, rows: int) -> dict[str, float]:
    """Runs all statements in this process; the seconds of each, by one task and in ranges."""
    spark = start(spark_master=f"local[{cores}]")
    provide(spark, rows)
    found = {}
    for name, clause in CLAUSES.items():
        for way, least in (("one task", "1p"), ("ranges", "0")):
            spark.conf.set(RANGES, least)
            spark.conf.set("spark.sql.matchRecognize.ranges.partitions", "skewed" in clause)
            # As many as on two cores by default, on one core, too.
            spark.conf.set("spark.sql.matchRecognize.ranges.number", 8)
            seconds = []
            for _ in range(WARM_UPS + RUNS):
                frame = spark.sql(f"SELECT * FROM walk MATCH_RECOGNIZE {clause}")
                seconds.append(timed(spark, LIMIT, partial(to_nowhere, frame)).seconds)
            found[f"{name} | {way}"] = median(seconds[WARM_UPS:])
    return found


def in_process(cores: int, rows: int) -> dict[str, float]:
    """Runs them in a process of their own.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    words = [sys.executable, "-m", "benchmarks.cores", f"--cores={cores}", f"--rows={rows}"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(results: Results, rows: int, pairs: int) -> None:
    """Adds a cell for each statement, after each pair of processes."""
    # By statement and way: the seconds on one core and on two, of each pair.
    ways: dict[str, dict[str, list[list[float]]]] = defaultdict(lambda: defaultdict(list))
    for number in range(pairs):
        order = (1, 2) if number % 2 == 0 else (2, 1)
        seconds = {cores: in_process(cores, rows) for cores in order}
        for line in seconds[1]:
            name, way = line.split(" | ")
            ways[name][way].append([seconds[1][line], seconds[2][line]])
        for name, taken in ways.items():
            cell = {way: {"runs": runs} for way, runs in taken.items()}
            results.put(f"cores/{name}/{rows}", {"rows": rows, "ways": cell})
        print(f"pair {number + 1} of {pairs}", file=sys.stderr)


def main() -> None:
    """Saves the seconds; with --cores, prints those of one process as JSON."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.cores", description=__doc__)
    words.add_argument("--rows", type=int, default=5_000_000, help="of the table")
    words.add_argument("--pairs", type=int, default=7, help="of processes")
    words.add_argument("--results", type=Path, default=CORES_FILE, help="the JSON file")
    words.add_argument("--cores", type=int, help="measure in this process")
    arguments = words.parse_args()
    if arguments.cores:
        print(json.dumps(measured(arguments.cores, arguments.rows)))
    else:
        measure(Results(arguments.results, anew=True), arguments.rows, arguments.pairs)


if __name__ == "__main__":
    main()
