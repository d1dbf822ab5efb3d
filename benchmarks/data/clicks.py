"""Clicks of a web shop's users, in sessions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmarks.data.columns import (
    DAY,
    SECOND,
    Integers,
    distinct,
    names,
    quarters,
    timestamps,
    zipf,
)

EVENTS = ["view", "search", "cart", "checkout", "purchase"]

#: From each event to the next. Of 100 events 64 are views, 20 searches, 11 carts, 5 checkouts,
#: and so few purchases that 1 to 3 % of the sessions see a whole funnel (view, cart, purchase).
#: The design's other number, purchases 3 % of all events, cannot be had beside that: with 27
#: events a session it would be most sessions.
CHAIN = np.array(
    [
        [0.66, 0.20, 0.14, 0.000, 0.000],
        [0.70, 0.25, 0.05, 0.000, 0.000],
        [0.40, 0.15, 0.10, 0.350, 0.000],
        [0.50, 0.20, 0.0585, 0.230, 0.0115],
        [0.80, 0.20, 0.00, 0.000, 0.000],
    ]
)

SHORTEST, LONGEST = 5, 50
ROWS_PER_USER = 100


def clicks(rows: int, rng: np.random.Generator) -> pa.Table:
    """Sessions of 5 to 50 events, 10 to 60 s apart, of users by Zipf (0.8)."""
    # A few more than needed; what is too much is cut off in the end, in time.
    sessions = rows * 2 // (SHORTEST + LONGEST) * 21 // 20 + 50
    users = max(1, rows // ROWS_PER_USER)
    length = rng.integers(SHORTEST, LONGEST + 1, sessions)
    live = np.arange(LONGEST) < length[:, np.newaxis]
    gaps = rng.integers(10 * SECOND, 60 * SECOND, (sessions, LONGEST))
    # Poisson: independent starts, uniform in time.
    ts = rng.integers(0, 30 * DAY, sessions)[:, np.newaxis] + np.cumsum(gaps, axis=1)
    user = np.repeat(zipf(rng, users, 0.8, sessions), length)
    event = walks(sessions, rng)[live]
    order = np.argsort(ts[live], kind="stable")[:rows]
    return pa.table(
        {
            "user_id": user[order],
            "ts": timestamps(distinct(ts[live][order])),
            "event": names(EVENTS, event[order]),
            "page": pa.array(zipf(rng, 10_000, 1.0, rows), type=pa.int32()),
            "amount": quarters(rng.lognormal(3, 1, rows)),
        }
    )


def walks(sessions: int, rng: np.random.Generator) -> Integers:
    """The events of each session, as indices of EVENTS: CHAIN followed from a view on."""
    bounds = np.cumsum(CHAIN, axis=1)
    event = np.zeros((sessions, LONGEST), dtype=np.int64)
    for i in range(1, LONGEST):
        drawn = rng.random(sessions)[:, np.newaxis]
        following = (drawn >= bounds[event[:, i - 1]]).sum(axis=1)
        event[:, i] = np.minimum(following, len(EVENTS) - 1)
    return event
