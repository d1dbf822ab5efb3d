"""How long a query takes to continue from its checkpoint.

In Spark: from the start of the query to the end of its first micro-batch. In Flink: from the
creation of the job until the clause has read its first row. Either is in a warm JVM.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.results import Cell
from benchmarks.streaming import events, flink_run, spark_run
from benchmarks.streaming.events import SPLITS, Plan
from benchmarks.streaming.queries import QUERIES
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES, Run

#: The query with the most state.
QUERY = QUERIES["funnel"]

#: Events at most: with RocksDB, Flink reads about a thousand a second.
ROWS = 200_000

#: Micro-batches. Half of them are read before the first restart.
BATCHES = 10


def run(streams: Streams) -> list[str]:
    """Measures both engines, with each state store."""
    rows = min(streams.plan.rows, ROWS)
    plan = replace(streams.plan, rows=rows, batch=-(-rows // BATCHES))
    streams.bench.cell(f"streaming/restart/{QUERY.name}/{rows}", partial(_measure, streams, plan))
    return []


def _measure(streams: Streams, plan: Plan) -> Cell:
    folder = events.provide(plan)
    ways = {f"ours, {store}": _spark(streams, plan, folder, store) for store in STORES}
    for store in flink_run.BACKENDS:
        ways[f"Flink, {store}"] = flink_run.run(
            QUERY.text,
            folder,
            store,
            # As many as Spark has read.
            stop_at=plan.rows // 2,
            interval=1,
            restarts=streams.bench.options.pairs,
        )
    return {"rows": plan.rows, "keys": plan.keys, "ways": ways}


def _spark(streams: Streams, plan: Plan, folder: Path, store: str) -> dict[str, Any]:
    """Reads half of the micro-batches, then each of the next ones after a restart."""
    half = plan.batches // 2
    restarts = min(streams.bench.options.pairs, plan.batches - half)
    files = sorted((folder / "spark").glob("*.parquet"))
    runs = []
    with spark_run.checkpoint() as scratch:
        source = scratch / "events"
        source.mkdir()
        for batches in range(half, half + restarts + 1):
            for file in files[: batches * SPLITS]:
                if not (source / file.name).exists():
                    os.link(file, source / file.name)
            frame = spark_run.ours(streams.bench.spark, source, QUERY)
            began = time.time()
            done = spark_run.run(frame, scratch / "checkpoint", store)
            runs.append([round(_first_end(done) - began, 3), round(done.load, 2)])
    # The first run is no restart.
    return {"runs": runs[1:], "state": done.state}


def _first_end(done: Run) -> float:
    """When the first micro-batch ended, in seconds since 1970."""
    first = done.batches[0]
    return datetime.fromisoformat(first.began.replace("Z", "+00:00")).timestamp() + first.seconds
