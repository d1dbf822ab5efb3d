"""From text to physical plan: a pattern of 20 variables beside the same query without the clause.

Compiling what the plan generates, which happens when it runs, is not in it.
"""

from __future__ import annotations

import os
import time

from benchmarks.data.tables import provide
from benchmarks.parts.options import Bench
from benchmarks.results import Cell

VARIABLES = 20
WARM_UPS, PAIRS = 30, 21


def run(bench: Bench) -> None:
    """Measures it."""
    rows = min(bench.options.rows, 100_000)
    provide(bench.spark, "ticks", rows)
    bench.cell(f"planning/{VARIABLES}", lambda: _measure(bench))


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
