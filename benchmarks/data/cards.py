"""Card payments, some of them of thieves who try small amounts before a large one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmarks.data.columns import DAY, SECOND, distinct, names, quarters, timestamps

ROWS_PER_CARD = 20
ROWS_PER_FRAUD = 1000
COUNTRIES = ["US", "DE", "FR", "GB", "IN", "BR", "JP", "PL"]


def cards(rows: int, rng: np.random.Generator) -> pa.Table:
    """Log-normal amounts over 90 days; one fraud in 1,000 rows: 3 to 6 tests, then a big one."""
    number = max(1, rows // ROWS_PER_CARD)
    frauds = rows // ROWS_PER_FRAUD
    tests = rng.integers(3, 7, frauds)
    # Rows of the same fraud follow each other: the tests, then the big one.
    fraud = np.repeat(np.arange(frauds), tests + 1)
    step = np.arange(len(fraud)) - np.repeat(np.cumsum(tests + 1) - tests - 1, tests + 1)
    big = step == tests[fraud]
    start = rng.integers(0, 90 * DAY, frauds)
    # At most 6 steps of 50 s: within the 10 minutes that Q8 requires.
    fraud_ts = start[fraud] + step * rng.integers(10 * SECOND, 50 * SECOND, frauds)[fraud]
    fraud_amount = np.where(
        big, rng.uniform(250, 2000, len(fraud)), rng.uniform(0.5, 4, len(fraud))
    )

    usual = rows - len(fraud)
    card = np.concatenate(
        [rng.integers(0, number, usual), rng.integers(0, number, frauds)[fraud]]
    )
    ts = np.concatenate([rng.integers(0, 90 * DAY, usual), fraud_ts])
    amount = np.concatenate([rng.lognormal(3.2, 1.1, usual), fraud_amount])
    order = np.argsort(ts, kind="stable")
    return pa.table(
        {
            "card": card[order],
            "ts": timestamps(distinct(ts[order])),
            "amount": quarters(amount[order]),
            "mcc": pa.array(rng.integers(1000, 9999, rows), type=pa.int32()),
            "country": names(COUNTRIES, rng.integers(0, len(COUNTRIES), rows)),
        }
    )
