"""What the generators share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

SEED = 42

Integers = NDArray[np.int64]
Doubles = NDArray[np.float64]

#: 2024-01-01, in microseconds since 1970.
EPOCH = 1_704_067_200_000_000
SECOND = 1_000_000
DAY = 86_400 * SECOND


def timestamps(microseconds: Integers) -> pa.Array:
    """Spark's TIMESTAMP."""
    return pa.array(microseconds + EPOCH, type=pa.timestamp("us", tz="UTC"))


def distinct(microseconds: Integers) -> Integers:
    """Ascending times, moved a little so that no two are equal: then ORDER BY leaves no choice.

    Args:
        microseconds: ascending.
    """
    index = np.arange(len(microseconds))
    return np.maximum.accumulate(microseconds - index) + index


def names(values: list[str], index: NDArray[Any]) -> pa.Array:
    """``values[index]`` as strings."""
    return pa.DictionaryArray.from_arrays(pa.array(index, type=pa.int32()), pa.array(values))


def quarters(amounts: Doubles) -> Doubles:
    """Amounts rounded to multiples of 0.25: their sums are exact in whatever order.

    So a sum is the same, bit by bit, from every way to ask the question.
    """
    return np.round(amounts * 4) / 4


def zipf(rng: np.random.Generator, values: int, exponent: float, size: int) -> Integers:
    """Draws 0, 1, ... ``values - 1``, value ``k`` with weight ``1 / (k + 1) ** exponent``."""
    weights = np.cumsum(1 / np.arange(1, values + 1) ** exponent)
    drawn: Integers = np.searchsorted(weights, rng.random(size) * weights[-1]).astype(np.int64)
    return drawn


def padding(rng: np.random.Generator, rows: int, width: int = 64) -> pa.Array:
    """Strings that nothing compresses, for columns that a good plan does not read."""
    letters = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
    text = letters[rng.integers(0, 16, rows * width, dtype=np.uint8)]
    offsets = np.arange(rows + 1, dtype=np.int64) * width
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    return pa.Array.from_buffers(pa.large_string(), rows, buffers)
