"""What each shortcut is for: ``python -m benchmarks.shortcuts``.

Each statement runs with all shortcuts and with one of them switched off, in one process. No
switch is part of the product: `shortcuts.patch` adds them, in a checkout of its own:

    git worktree add target/shortcuts && cd target/shortcuts
    git apply benchmarks/shortcuts.patch && make jar
    .venv/bin/python -m benchmarks.shortcuts

The ratios are saved in `shortcuts.json`, a line for each statement; those that have a line are
left out. Measure only if the machine does nothing else.
"""

from __future__ import annotations

import argparse
import re
from functools import partial
from statistics import median

from pyspark.sql import SparkSession

from benchmarks.data.tables import cache, provide
from benchmarks.parts.adversarial import CASES, Case
from benchmarks.questions import LANES, QUESTIONS, ways
from benchmarks.results import FOLDER, Results
from benchmarks.session import start
from benchmarks.stopwatch import TimeOverError, timed, to_nowhere

FILE = FOLDER / "shortcuts.json"

#: The switches of the patch that can matter, by the matcher of a statement.
BY_MATCHER = {
    "fused": ("fused",),
    "automaton": ("automaton",),
    "threads": (
        "filter",
        "failed",
        "parked",
        "repeated",
        "keys",
        "differences",
        "tested",
        "joint",
    ),
}

#: And those that can if something was pushed below the clause.
IF_PUSHED = ("gaps", "reach", "start", "stop")

#: A run that takes longer ends a statement: then the ratio is at least this to the time with all.
LIMIT = 20.0

#: A ratio of one run within these needs no further runs.
ALIKE = (0.8, 1.25)

RUNS = 3

#: Rows of the walk in all, and rows of each partition.
ROWS, PARTITIONS = 1_000_000, (1_000, 1_000_000, 100_000)

#: By name, what people write: around the clause, and the clause after PARTITION BY and ORDER BY.
WALKS = {
    "V-shape": "{} MEASURES COUNT(*) AS n PATTERN (S DOWN+ UP+)"
    " DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)",
    "V-shape, all rows": "{} MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (S DOWN+ UP+)"
    " DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)",
    "W-shape, from every row": "{} MEASURES COUNT(*) AS n AFTER MATCH SKIP TO NEXT ROW"
    " PATTERN (S D+ U+ E+ V+) DEFINE D AS price < PREV(price), U AS price > PREV(price),"
    " E AS price < PREV(price), V AS price > PREV(price)",
    "fall and recovery": "{} MEASURES COUNT(*) AS n PATTERN (PEAK BELOW+ BACK)"
    " DEFINE BELOW AS price < PEAK.price, BACK AS price >= PEAK.price",
    "fall and recovery of 2 %": "{} MEASURES COUNT(*) AS n PATTERN (PEAK BELOW+ BACK)"
    " DEFINE BELOW AS (price - PEAK.price) / PEAK.price < -0.02D,"
    " BACK AS (price - PEAK.price) / PEAK.price >= -0.02D",
    "back at the average": "{} MEASURES COUNT(*) AS n PATTERN (PEAK BELOW{{2,}} BACK)"
    " DEFINE BELOW AS price < PEAK.price, BACK AS price >= AVG(BELOW.price)",
    "runs up to a sum": "{} MEASURES COUNT(*) AS n PATTERN (A+)"
    " DEFINE A AS SUM(A.price) <= 20000",
    "sessions": "{} MEASURES COUNT(*) AS n PATTERN (A B*) DEFINE B AS ts - PREV(ts) < 60",
    "funnel within 100 s": "{} MEASURES P.ts AS bought PATTERN (V Z*? C Z*? P) WITHIN 100"
    " DEFINE V AS what = 'view', C AS what = 'cart', P AS what = 'pay'",
    "funnel, however long": "{} MEASURES P.ts AS bought PATTERN (V Z*? C Z*? P)"
    " DEFINE V AS what = 'view', C AS what = 'cart', P AS what = 'pay' AND price > V.price",
    "in any order": "{} MEASURES COUNT(*) AS n PATTERN (PERMUTE(V, C, P))"
    " DEFINE V AS what = 'view', C AS what = 'cart', P AS what = 'pay'",
    "from one moment on": "{} MEASURES COUNT(*) AS n PATTERN (S DOWN+ UP+)"
    f" DEFINE S AS ts >= {ROWS // 100 * 99}, DOWN AS price < PREV(price),"
    " UP AS price > PREV(price)",
    "two alike, then another": "{} MEASURES COUNT(*) AS n PATTERN (A B C)"
    " DEFINE B AS what = A.what AND price < A.price, C AS what <> A.what",
}

#: What stands around a clause: a V-shape, for the second "back at the average".
AROUND = {
    "the first match of each key": "SELECT * FROM ({}) WHERE n = 1",
    "the first fall and recovery": "SELECT * FROM ({}) WHERE n = 1",
    "matches of the last hundredth": "SELECT * FROM ({}) WHERE a >= {last}",
}

#: Beside Q11: each is for a shortcut that no pattern of Q11 needs.
MORE_CASES = {
    "n": Case("PERMUTE(A, B, C, D, E, F, G, H, I, J)", "A AS id >= 0", sizes=(1_000,)),
    "o": Case(
        "PEAK BELOW+ BACK",
        "BELOW AS (label - PEAK.label) / PEAK.label < 0D,"
        " BACK AS (label - PEAK.label) / PEAK.label >= 0D",
        "CAST({n} - id AS DOUBLE)",
        sizes=(125_000,),
    ),
    "p": Case(
        "A Z* C",
        "A AS label = 'a', Z AS label < 'z', C AS label = 'c' AND id > A.id + 10",
        "CASE WHEN id % 50000 = 49999 THEN 'c' WHEN id % 3 = 0 THEN 'b' ELSE 'a' END",
        partition="0",
        sizes=(100_000,),
    ),
    "q": Case(
        "A B* C",
        "A AS label = 'a', C AS label = 'c' AND COUNT(B.id) > 5",
        partition="id DIV 2000",
        sizes=(100_000,),
    ),
    # As i, but no two steps in a row are the same.
    "r": Case(
        "A+ B (Y Z)* C",
        "A AS id % 5 > 0, B AS id > 1 + FIRST(A.id), C AS COUNT(B.id) > 1",
        sizes=(100_000,),
    ),
}


def walks(spark: SparkSession) -> dict[str, str]:
    """The statements over the walk, by name."""
    path = str(cache() / f"walk-{ROWS}")
    spark.range(ROWS).selectExpr(
        "id AS ts",
        "1000 + 200 * sin(id / 300) + 20 * rand(7) AS price",
        "CASE pmod(xxhash64(id), 50) WHEN 0 THEN 'view' WHEN 1 THEN 'cart' WHEN 2 THEN 'pay'"
        " ELSE 'click' END AS what",
    ).repartition(8, "price").write.mode("ignore").parquet(path)
    found = {}
    for size in PARTITIONS:
        view = f"walk_{size}"
        spark.read.parquet(path).selectExpr(f"ts DIV {size} AS key", "*").createOrReplaceTempView(
            view
        )
        keys = "PARTITION BY key ORDER BY ts"
        for name, clause in WALKS.items():
            found[f"{name}/{size}"] = (
                f"SELECT * FROM {view} MATCH_RECOGNIZE ({clause.format(keys)})"
            )
        v_shape = (
            f"SELECT * FROM {view} MATCH_RECOGNIZE ({keys} MEASURES {{}} PATTERN (S DOWN+ UP+)"
            " DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))"
        )
        first, fall, last = AROUND
        recovery = WALKS["back at the average"].replace("COUNT(*)", "MATCH_NUMBER()").format(keys)
        found[f"{fall}/{size}"] = AROUND[fall].format(
            f"SELECT * FROM {view} MATCH_RECOGNIZE ({recovery})"
        )
        found[f"{first}/{size}"] = AROUND[first].format(v_shape.format("MATCH_NUMBER() AS n"))
        found[f"{last}/{size}"] = AROUND[last].format(
            v_shape.format("S.ts AS a AFTER MATCH SKIP TO NEXT ROW"), last=ROWS // 100 * 99
        )
    return found


def questions(spark: SparkSession) -> dict[str, str]:
    """The statements of the report, by name."""
    found = {}
    for name, question in QUESTIONS.items():
        provide(spark, question.table, ROWS)
        for lane in LANES:
            ours = next(way for way in ways(question, lane) if way.name == "ours")
            found[f"{name}/{lane}"] = ours.text
    return found


def adversarial() -> dict[str, str]:
    """The patterns of Q11, each over so many rows that it takes a while without its shortcut."""
    found = {}
    for letter, case in {**CASES, **MORE_CASES}.items():
        rows = min(case.sizes[-1], 100_000)
        found[f"Q11 {letter}/{rows}"] = case.query(rows)
    return found


def measure(spark: SparkSession, text: str, off: str, runs: int) -> list[float]:
    """The seconds of a statement, one run after the other; the limit for the first beyond it."""
    jvm = spark._jvm
    assert jvm
    jvm.java.lang.System.setProperty("matchRecognize.off", off)
    seconds: list[float] = []
    for _ in range(runs):
        try:
            seconds.append(timed(spark, LIMIT, lambda: to_nowhere(spark.sql(text))).seconds)
        except TimeOverError:
            return [LIMIT]
    return seconds


def switches(spark: SparkSession, text: str) -> tuple[str, ...]:
    """The switches that can matter for a statement."""
    plan = spark.sql(f"EXPLAIN FORMATTED {text}").collect()[0][0]
    (matcher,) = set(re.findall(r"^Matcher: (\w+)", plan, re.MULTILINE))
    pushed = re.search(r"^Pushed \[", plan, re.MULTILINE)
    return BY_MATCHER[matcher] + (IF_PUSHED if pushed else ())


def ratios(spark: SparkSession, text: str) -> dict[str, float]:
    """The seconds with all shortcuts, and by switch how many times as long it takes without."""
    run = partial(measure, spark, text)
    run("", 2)
    whole = median(run("", RUNS))
    found = {"seconds": round(whole, 3)}
    for switch in switches(spark, text):
        without = run(switch, 1)[0]
        if not ALIKE[0] < without / whole < ALIKE[1] and without < LIMIT:
            # What else the machine does changes between runs.
            pairs = [(run("", 1)[0], run(switch, 1)[0]) for _ in range(RUNS)]
            found[switch] = round(median(off / on for on, off in pairs), 2)
        else:
            found[switch] = round(without / whole, 2)
    return found


def table(results: Results) -> str:
    """What is slower without each shortcut, as a table of Markdown."""
    lines = ["| off | statements measured | at least 1.5 times as slow |", "|---|---|---|"]
    for switch in dict.fromkeys(sum(BY_MATCHER.values(), ()) + IF_PUSHED):
        measured = [
            (name, cell) for name, cell in results.of("shortcuts").items() if switch in cell
        ]
        slower = sorted(
            ((cell[switch], cell["seconds"], name) for name, cell in measured), reverse=True
        )
        found = [
            f"{name}: {'over ' if ratio * seconds > 0.98 * LIMIT else ''}{ratio:.3g}"
            for ratio, seconds, name in slower
            if ratio >= 1.5
        ]
        lines.append(f"| `{switch}` | {len(measured)} | {'; '.join(found) or 'none'} |")
    return "\n".join(lines)


def main() -> None:
    """Measures all statements that are not saved yet, or prints the table of those that are."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.shortcuts", description=__doc__)
    words.add_argument("--table", action="store_true", help="print the table, measure nothing")
    if words.parse_args().table:
        print(table(Results(FILE)))
        return
    spark = start(spark_master="local[1]")
    results = Results(FILE)
    for name, text in {**questions(spark), **adversarial(), **walks(spark)}.items():
        if name not in results.of("shortcuts"):
            found = ratios(spark, text)
            results.put(f"shortcuts/{name}", found)
            print(name, found, flush=True)


if __name__ == "__main__":
    main()
