"""Temperatures of machines that run hot at times, and then flap around the limit of 80."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmarks.data.columns import SECOND, names, timestamps

ROWS_PER_DEVICE = 1000
NORMAL, HOT = 60.0, 82.0


def sensors(rows: int, rng: np.random.Generator) -> pa.Table:
    """Every device reports once in 10 s: an AR(1) walk around a level with step faults."""
    devices = max(1, rows // ROWS_PER_DEVICE)
    steps = -(-rows // devices)
    temp = np.empty((steps, devices))
    fault = np.zeros((steps, devices), dtype=bool)
    hot = np.zeros(devices, dtype=bool)
    noise = np.zeros(devices)
    for step in range(steps):
        drawn = rng.random(devices)
        hot = np.where(hot, drawn > 0.03, drawn < 0.004)
        noise = 0.5 * noise + rng.normal(0, 3, devices)
        fault[step] = hot
        temp[step] = np.round(np.where(hot, HOT, NORMAL) + noise, 1)
    row = np.arange(rows)
    return pa.table(
        {
            "device": row % devices,
            # Each device a little after the one before.
            "ts": timestamps(row // devices * 10 * SECOND + row % devices),
            "temp": temp.reshape(-1)[:rows],
            "status": names(["ok", "fault"], fault.reshape(-1)[:rows].astype(np.int32)),
        }
    )
