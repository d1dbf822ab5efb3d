"""Crimes of a city, like Chicago's open data."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from benchmarks.data.columns import DAY, SECOND, distinct, names, timestamps, zipf

CATEGORIES = (
    ["THEFT", "BATTERY", "CRIMINAL DAMAGE", "NARCOTICS", "ASSAULT", "BURGLARY"]
    + ["MOTOR VEHICLE THEFT", "ROBBERY"]
    + [f"OTHER {i}" for i in range(1, 28)]
)
DISTRICTS, BEATS = 25, 274

#: Chicago: 8 million in 22 years.
MEAN_GAP = 87 * SECOND


def crimes(rows: int, rng: np.random.Generator) -> pa.Table:
    """A Poisson process, denser by day than by night; 35 categories, around 274 beats."""
    gaps = rng.exponential(MEAN_GAP, rows)
    # The time of day that it would be at an even pace sets the pace.
    hour = np.arange(rows) * MEAN_GAP % DAY / DAY
    ts = np.cumsum(gaps / (1 + 0.5 * np.sin(2 * np.pi * hour))).astype(np.int64)
    beat = zipf(rng, BEATS, 0.5, rows)
    lat, lon = rng.uniform(41.65, 42.02, BEATS), rng.uniform(-87.85, -87.53, BEATS)
    return pa.table(
        {
            "id": np.arange(rows),
            "ts": timestamps(distinct(ts)),
            "cat": names(CATEGORIES, zipf(rng, len(CATEGORIES), 1.0, rows)),
            "district": pa.array(beat % DISTRICTS, type=pa.int32()),
            "beat": pa.array(beat, type=pa.int32()),
            "lat": np.round(lat[beat] + rng.normal(0, 0.008, rows), 6),
            "lon": np.round(lon[beat] + rng.normal(0, 0.008, rows), 6),
        }
    )
