"""Events of a shop's customers, in the order in which they arrive, as files for both engines.

A micro-batch of Spark is two files, so each of two cores reads one. Flink reads the same two
sequences of rows from one file each.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.data.columns import EPOCH, SEED, Integers, names
from benchmarks.data.tables import cache

KINDS = ["browse", "view", "cart", "start", "purchase"]
SHARES = [0.70, 0.15, 0.08, 0.04, 0.03]

#: The delay of the watermark, in milliseconds.
DELAY = 30_000

#: The share of the events that arrive out of order, by less than the delay.
OUT_OF_ORDER = 0.05

#: Files of a micro-batch, and of Flink's input.
SPLITS = 2

EPOCH_MILLISECONDS = EPOCH // 1000

#: The time of the last event, in milliseconds: later than all others and every bound.
END = 1000 * 3_600_000


@dataclass(frozen=True)
class Plan:
    """What events to make.

    Attributes:
        rows: number of events.
        keys: number of customers.
        hours: time from the first event to the last.
        batch: events of a micro-batch.
        late: share of the events that arrive after the watermark has passed them.
    """

    rows: int
    keys: int
    hours: int
    batch: int
    late: float = 0.0

    @property
    def batches(self) -> int:
        """The number of micro-batches."""
        return -(-self.rows // self.batch)

    @property
    def milliseconds(self) -> int:
        """The time from the first event to the last."""
        return self.hours * 3_600_000


@dataclass(frozen=True)
class Events:
    """Columns of equal length, in the order in which the events arrive.

    Attributes:
        id: the customer.
        ms: event time, in milliseconds; no customer has two events at once.
        kind: an index of KINDS.
        price: 1 to 100.
        late: whether the event is meant to arrive after the watermark.
    """

    id: Integers
    ms: Integers
    kind: Integers
    price: Integers
    late: Integers

    def table(self) -> pa.Table:
        """The columns that the queries read."""
        return pa.table(
            {
                "id": self.id,
                "ms": self.ms + EPOCH_MILLISECONDS,
                "kind": names(KINDS, self.kind),
                "price": pa.array(self.price, type=pa.int32()),
            }
        )


def make(plan: Plan) -> Events:
    """Makes the events of a plan, always the same."""
    rng = np.random.default_rng(SEED)
    index = np.arange(plan.rows)
    ms = index * plan.milliseconds // plan.rows
    arrival = ms + _delays(plan, rng)
    late = np.zeros(plan.rows, dtype=np.int64)
    if plan.late:
        late, later = _late(plan, ms, rng)
        arrival = np.where(late == 1, ms + later, arrival)
    order = np.argsort(arrival, kind="stable")
    return Events(
        id=_keys(plan, ms, rng)[order],
        ms=ms[order],
        kind=rng.choice(len(KINDS), plan.rows, p=SHARES)[order],
        price=rng.integers(1, 101, plan.rows)[order],
        late=late[order],
    )


def _delays(plan: Plan, rng: np.random.Generator) -> Integers:
    """How much later each event arrives than it happens: most of them at once."""
    delays = rng.integers(1, DELAY * 9 // 10, plan.rows)
    return np.where(rng.random(plan.rows) < OUT_OF_ORDER, delays, 0)


def _late(plan: Plan, ms: Integers, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Which events are late, and by how much.

    Spark compares an event with the watermark of the micro-batch before, which is of the events
    before that: the delay and three micro-batches are late enough.
    """
    span = -(-plan.milliseconds * plan.batch // plan.rows)
    later = DELAY + rng.integers(3 * span, 5 * span, plan.rows)
    # What would arrive after the last event would not be so late.
    late = (rng.random(plan.rows) < plan.late) & (ms + later < plan.milliseconds - span)
    return late.astype(np.int64), later


def _keys(plan: Plan, ms: Integers, rng: np.random.Generator) -> Integers:
    """Draws the customers so that the events of one millisecond have different ones."""
    index = np.arange(plan.rows)
    rank = index - np.searchsorted(ms, ms)
    groups = int(rank.max()) + 1
    drawn: Integers = rng.integers(0, plan.keys // groups, plan.rows) * groups + rank
    return drawn


def provide(plan: Plan) -> Path:
    """Writes the events of a plan, unless they are there.

    Returns:
        The folder. ``spark/`` has the micro-batches and, in one more, ``end()``. Flink needs no
        such event: its watermark passes everything when the input ends.
    """
    words = "-".join(str(value) for value in asdict(plan).values())
    folder = cache() / f"events-{words}"
    if folder.is_dir():
        return folder
    print(f"making {folder}", flush=True)
    unfinished = folder.with_name(folder.name + "-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    rows = make(plan).table()
    for i in range(plan.batches):
        write_batch(rows.slice(i * plan.batch, plan.batch), unfinished / "spark", i)
    write_batch(end(), unfinished / "spark", plan.batches)
    (unfinished / "flink").mkdir(parents=True)
    for split in range(SPLITS):
        part = rows.take(np.arange(split, plan.rows, SPLITS))
        pq.write_table(part, unfinished / "flink" / f"{split}.parquet")
    unfinished.rename(folder)
    return folder


def write_batch(rows: pa.Table, folder: Path, number: int) -> None:
    """Writes the files of a micro-batch. Spark reads files in the order of their times."""
    folder.mkdir(parents=True, exist_ok=True)
    for split in range(SPLITS):
        part = rows.take(np.arange(split, len(rows), SPLITS))
        file = folder / f"{number:06}-{split}.parquet"
        # Hidden until it is complete.
        hidden = folder / f".{file.name}"
        pq.write_table(part, hidden)
        os.utime(hidden, (1_000_000_000 + number, 1_000_000_000 + number))
        hidden.rename(file)


def end() -> pa.Table:
    """An event that moves the watermark past all others, and that no query looks for."""
    return pa.table(
        {
            "id": np.array([-1]),
            "ms": np.array([EPOCH_MILLISECONDS + END]),
            "kind": ["end"],
            "price": pa.array([0], type=pa.int32()),
        }
    )
