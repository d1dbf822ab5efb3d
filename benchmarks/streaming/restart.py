"""How long a query takes to continue from its checkpoint.

In Spark: from the start of the query to the end of its first micro-batch. In Flink: from the
creation of the job until the clause has read its first row. Either is in a warm JVM.
"""

from __future__ import annotations

import os
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.results import Cell
from benchmarks.streaming import events, flink_run, spark_run
from benchmarks.streaming.events import SPLITS
from benchmarks.streaming.queries import QUERIES
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES, Run

#: The query with the most state.
QUERY = QUERIES["funnel"]


def run(streams: Streams) -> list[str]:
    """Measures both engines, with each state store."""
    name = f"streaming/restart/{QUERY.name}/{streams.plan.rows}"
    streams.bench.cell(name, partial(_measure, streams))
    return []


def _measure(streams: Streams) -> Cell:
    folder = events.provide(streams.plan)
    ways = {f"ours, {store}": _spark(streams, folder, store) for store in STORES}
    for store in flink_run.BACKENDS:
        ways[f"Flink, {store}"] = flink_run.run(
            QUERY.text,
            folder,
            store,
            # Half of them, so that there are rows left to read at the next checkpoint.
            stop_at=streams.plan.rows // 2,
            interval=1,
            restarts=streams.bench.options.pairs,
        )
    return {"rows": streams.plan.rows, "keys": streams.plan.keys, "ways": ways}


def _spark(streams: Streams, folder: Path, store: str) -> dict[str, Any]:
    """Reads all micro-batches but the last ones, then each of those after a restart."""
    restarts = streams.bench.options.pairs
    # Without the file of the event that ends the stream.
    files = sorted((folder / "spark").glob("*.parquet"))[: streams.plan.batches * SPLITS]
    runs = []
    with spark_run.checkpoint() as scratch:
        source = scratch / "events"
        source.mkdir()
        for count in range(len(files) - restarts * SPLITS, len(files) + 1, SPLITS):
            for file in files[:count]:
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
