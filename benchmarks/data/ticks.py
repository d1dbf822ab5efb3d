"""Prices of 1,000 symbols, row by row in turn."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmarks.data.columns import Doubles, Integers, names, padding, timestamps

SYMBOLS = 1000

#: Between one row and the next, of whatever symbol. Scaling by keys counts on it.
STEP_MICROSECONDS = 10_000


def ticks(rows: int, rng: np.random.Generator) -> pa.Table:
    """Geometric random walks, 0.1 % a tick, in cents: equal prices in a row do occur."""
    symbol = np.arange(rows) % SYMBOLS
    return pa.table(
        {
            "symbol": names([f"S{i:04}" for i in range(SYMBOLS)], symbol),
            "ts": timestamps(np.arange(rows) * STEP_MICROSECONDS),
            "price": prices(symbol, rng),
            # Mean 530, so that a run with an average below 520 (Q4) ends some time.
            "volume": pa.array(rng.integers(1, 1061, rows), type=pa.int32()),
            "venue": names(["XNYS", "XNAS", "ARCX", "BATS"], rng.integers(0, 4, rows)),
            "pad": padding(rng, rows),
        }
    )


def prices(symbol: Integers, rng: np.random.Generator) -> Doubles:
    """A walk for each symbol, from somewhere between 20 and 200."""
    start = rng.uniform(20, 200, SYMBOLS)
    steps = rng.normal(0, 0.001, len(symbol))
    # One sum over all walks in sequence; the value before a symbol's walk is subtracted below.
    order = np.argsort(symbol, kind="stable")
    walked = np.cumsum(steps[order])
    grouped = symbol[order]
    first = np.searchsorted(grouped, np.arange(SYMBOLS))
    before = np.concatenate([[0.0], walked])[np.minimum(first, len(symbol))]
    result = np.empty(len(symbol))
    result[order] = np.round(start[grouped] * np.exp(walked - before[grouped]), 2)
    return result
