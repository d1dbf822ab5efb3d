"""One key that retains many rows, and one new row of it in each micro-batch."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.data.tables import cache
from benchmarks.parts.scaling import powers_of_ten
from benchmarks.results import Cell
from benchmarks.streaming import spark_run
from benchmarks.streaming.events import EPOCH_MILLISECONDS, write_batch
from benchmarks.streaming.queries import QUERIES
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES

#: A start that waits for its purchase; all rows are within its bound. With time-outs, rows of
#: gaps are retained, too.
QUERY = QUERIES["abandoned_checkout"]

#: Micro-batches at the beginning that are not measured: they read the retained rows, and search
#: them once the watermark has reached them.
FIRST = 2


def run(streams: Streams) -> list[str]:
    """Measures keys of one row and more, up to the largest."""
    for retained in powers_of_ten(1, streams.sizes.retained):
        name = f"streaming/one_key/{retained}"
        streams.bench.cell(name, partial(_measure, streams, retained))
    return []


def _measure(streams: Streams, retained: int) -> Cell:
    return {
        "x": retained,
        "ways": {store: _way(streams, retained, store) for store in STORES},
    }


def _way(streams: Streams, retained: int, store: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=cache()) as scratch:
        folder = Path(scratch) / "events"
        write_batch(rows(0, retained), folder, 0)
        updates = streams.sizes.updates + FIRST
        for i in range(updates):
            write_batch(rows(retained + i, 1), folder, i + 1)
        # A row is due in the micro-batch after its own.
        frame = spark_run.ours(streams.bench.spark, folder, QUERY, delay=0)
        done = spark_run.run(frame, Path(scratch) / "checkpoint", store)
    # After the last update there is a micro-batch without rows.
    measured = done.batches[1 + FIRST : 1 + updates]
    return {
        "runs": [[batch.seconds, round(done.load, 2)] for batch in measured],
        "entries": measured[-1].entries,
        "state": measured[-1].state,
    }


def rows(first: int, count: int) -> pa.Table:
    """Events of one customer, a millisecond apart; the very first is a start."""
    number = np.arange(first, first + count)
    return pa.table(
        {
            "id": np.ones(count, dtype=np.int64),
            "ms": number + EPOCH_MILLISECONDS,
            "kind": np.where(number == 0, "start", "browse"),
            "price": pa.array(np.ones(count), type=pa.int32()),
        }
    )
