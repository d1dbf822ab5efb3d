"""How large the streams are."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.parts.options import Bench
from benchmarks.streaming.events import Plan

#: The most events of a run that warms up.
WARM_UP_ROWS = 200_000

#: From the first event to the last; the longest bound is one hour.
HOURS = 2


@dataclass(frozen=True)
class Sizes:
    """What the command line says.

    Attributes:
        keys: of the events.
        batch: events of a micro-batch.
        hour_rows: events of the simulated hour.
        retained: rows of the largest key.
        updates: micro-batches with one new row of that key.
    """

    keys: int
    batch: int
    hour_rows: int
    retained: int
    updates: int


@dataclass(frozen=True)
class Streams:
    """What every part works with."""

    bench: Bench
    sizes: Sizes

    @property
    def plan(self) -> Plan:
        """The events that all queries run over."""
        return Plan(self.bench.options.rows, self.sizes.keys, HOURS, self.sizes.batch)

    @property
    def warm_up(self) -> Plan:
        """A few events of the same kind, in five micro-batches."""
        rows = min(self.plan.rows, WARM_UP_ROWS)
        keys = max(100, self.plan.keys * rows // self.plan.rows)
        return Plan(rows, keys, HOURS, -(-rows // 5))
