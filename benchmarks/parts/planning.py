"""From text to physical plan: a pattern of 20 variables, and the same query without the clause.

This excludes the compilation of generated code, which happens when the plan runs. The
second part measures patterns of many variables, each with a condition of its own, over four
rows: how planning and running grow. The third part measures the demo's queries: planning, and
generating the code of their stages.
"""

from __future__ import annotations

import os
import time
from functools import partial

from match_recognize.demo.__main__ import DATA
from match_recognize.demo.questions import QUESTIONS, SETUP

from benchmarks.data.tables import provide
from benchmarks.parts.options import Bench
from benchmarks.results import Cell

VARIABLES = 20
WARM_UPS, PAIRS = 30, 21
DEMO_WARM_UPS = 100

MANY = (125, 250, 500, 1000, 2000)
MANY_RUNS = 5
PATTERNS = {"row": "{}", "alternatives": "({})+"}
SEPARATORS = {"row": " ", "alternatives": " | "}
#: By a variable's number and the least value of x.
CONDITIONS = {
    "local": lambda i, least: f"x = {least + i}",
    "anchored": lambda i, least: f"x > V0.x + {least + i}" if i else f"x < {least + 10}",
    "running": lambda i, least: f"x = {least + i} AND SUM(V{i}.x) <= {least + i}",
}


def run(bench: Bench) -> None:
    """Measures it."""
    rows = min(bench.options.rows, 100_000)
    provide(bench.spark, "ticks", rows)
    bench.cell(f"planning/{VARIABLES}", lambda: _measure(bench))
    for pattern in PATTERNS:
        for condition in CONDITIONS:
            for count in MANY:
                bench.cell(
                    f"planning/many/{pattern}/{condition}/{count}",
                    partial(_measure_many, bench, pattern, condition, count),
                )
    _measure_demo(bench)


def _measure(bench: Bench) -> Cell:
    names = [f"V{i}" for i in range(VARIABLES)]
    steps = [f"V{i} AS price {'<>'[i % 2]} PREV(price)" for i in range(VARIABLES)]
    clause = f"""MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY ts
        MEASURES FIRST(ts) AS t0, LAST(ts) AS t1 PATTERN ({"+ ".join(names)})
        DEFINE {", ".join(steps)})"""
    texts = {
        "ours": f"SELECT symbol, t0, t1 FROM ticks {clause}",
        "without": "SELECT symbol, ts AS t0, ts AS t1 FROM ticks",
    }
    runs: dict[str, list[list[float]]] = {name: [] for name in texts}
    for number in range(WARM_UPS + PAIRS):
        for name in list(texts) if number % 2 == 0 else list(reversed(texts)):
            start = time.perf_counter()
            bench.spark.sql(texts[name])._jdf.queryExecution().executedPlan()
            seconds = time.perf_counter() - start
            if number >= WARM_UPS:
                runs[name].append([round(seconds, 5), round(os.getloadavg()[0], 2)])
    return {"ways": {name: {"runs": found} for name, found in runs.items()}}


def _many_variables(pattern: str, condition: str, count: int, least: int = 0) -> str:
    """Gives a statement of so many variables, each with its condition, over four rows.

    What Spark compiles for one value of `least` is not what it compiles for another.
    """
    names = [f"V{i}" for i in range(count)]
    content = PATTERNS[pattern].format(SEPARATORS[pattern].join(names))
    defined = [f"V{i} AS {CONDITIONS[condition](i, least)}" for i in range(count)]
    rows = f"range({least}, {least + 4}, 1, 1)"
    return f"""SELECT * FROM (SELECT id AS x FROM {rows}) MATCH_RECOGNIZE (
        ORDER BY x MEASURES COUNT(*) AS n PATTERN ({content}) DEFINE {", ".join(defined)})"""


def _measure_many(bench: Bench, pattern: str, condition: str, count: int) -> Cell:
    """Times planning, and running what is planned; the smallest statement warms up."""
    for _ in range(3):
        bench.spark.sql(_many_variables(pattern, condition, MANY[0])).collect()
    runs: dict[str, list[list[float]]] = {"plan": [], "run": []}
    for number in range(1, MANY_RUNS + 1):
        text = _many_variables(pattern, condition, count, least=number * 10_000)
        start = time.perf_counter()
        frame = bench.spark.sql(text)
        frame._jdf.queryExecution().executedPlan()
        planned = time.perf_counter()
        frame.collect()
        ended = time.perf_counter()
        load = round(os.getloadavg()[0], 2)
        runs["plan"].append([round(planned - start, 5), load])
        runs["run"].append([round(ended - planned, 5), load])
    return {"x": count, "ways": {name: {"runs": found} for name, found in runs.items()}}


def _measure_demo(bench: Bench) -> None:
    """Times the queries of the demo, a cell each, when a long warm-up has run all of them.

    A server that plans thousands of queries is as warm, and Spark finds the classes in its cache.
    """
    for statement in SETUP:
        bench.spark.sql(statement.format(data=DATA))
    # Adaptive execution generates code stage by stage, when the query runs.
    bench.spark.conf.set("spark.sql.adaptive.enabled", "false")
    try:
        for _ in range(DEMO_WARM_UPS):
            for question in QUESTIONS:
                _plan_and_generate(bench, question.sql)
        for question in QUESTIONS:
            bench.cell(f"planning/demo/{question.name}", partial(_planned, bench, question.sql))
    finally:
        bench.spark.conf.unset("spark.sql.adaptive.enabled")


def _planned(bench: Bench, text: str) -> Cell:
    runs: dict[str, list[list[float]]] = {"plan": [], "generate": [], "both": []}
    for _ in range(PAIRS):
        plan, generate = _plan_and_generate(bench, text)
        load = round(os.getloadavg()[0], 2)
        for name, seconds in (("plan", plan), ("generate", generate), ("both", plan + generate)):
            runs[name].append([round(seconds, 5), load])
    return {"ways": {name: {"runs": found} for name, found in runs.items()}}


def _plan_and_generate(bench: Bench, text: str) -> tuple[float, float]:
    """Seconds from text to physical plan, and from there to the classes of its stages."""
    start = time.perf_counter()
    execution = bench.spark.sql(text)._jdf.queryExecution()
    execution.executedPlan()
    planned = time.perf_counter()
    execution.debug().codegenToSeq()
    return planned - start, time.perf_counter() - planned
