"""Events of a simulated day: how they arrive, and which of them are late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

#: The event time at which a simulation begins.
BEGIN = datetime(2026, 3, 2, 9)

#: The watermark's delay.
DELAY = timedelta(minutes=15)

#: Events are sent in waves of this length. Each wave is processed before the next is sent.
WAVE = timedelta(minutes=10)

#: Most events arrive within this time after they happened. They are never late, however Spark
#: cuts waves into micro-batches: DISORDER + WAVE < DELAY.
DISORDER = timedelta(minutes=4)

#: A few arrive so long after they happened that the watermark has passed them.
LATENESS = (timedelta(minutes=40), timedelta(minutes=60))

#: Waves go on after the last event, so that late events arrive and every result is decided.
REST = timedelta(minutes=80)


@dataclass(frozen=True, order=True)
class Event:
    """An event of a key; ``at`` is when it happened, and ``number`` orders those of one time."""

    at: datetime
    number: int
    key: str
    kind: str
    amount: float | None = None

    def columns(self) -> dict[str, Any]:
        """Returns the event as it is sent."""
        return {
            "at": spark_time(self.at),
            "number": self.number,
            "key": self.key,
            "kind": self.kind,
            "amount": self.amount,
        }


#: The columns of an event that was sent.
SCHEMA = "at TIMESTAMP, number INT, key STRING, kind STRING, amount DOUBLE"


def in_waves(events: list[Event], random: Random, share_late: float) -> list[list[Event]]:
    """Returns the events as they are sent: in waves, out of order, some of them late.

    Each wave has a heartbeat, an event of no key, at its end: the watermark moves only while
    events arrive.

    Args:
        events: in the order of their times.
        random: decides when each of them arrives.
        share_late: of the events, between 0 and 1.
    """
    count = (events[-1].at + REST - BEGIN) // WAVE
    waves: list[list[Event]] = [[] for _ in range(count)]
    for event in events:
        if random.random() < share_late:
            arrival = event.at + LATENESS[0] + random.random() * (LATENESS[1] - LATENESS[0])
        else:
            arrival = event.at + random.random() * DISORDER
        waves[(arrival - BEGIN) // WAVE].append(event)
    for i, wave in enumerate(waves):
        random.shuffle(wave)
        wave.append(Event(BEGIN + (i + 1) * WAVE, len(events) + i, "", "heartbeat"))
    return waves


def split_late(waves: list[list[Event]]) -> tuple[list[Event], list[Event]]:
    """Returns the events in time, and the late ones.

    An event is late if the watermark has reached its time when it arrives. The watermark is the
    time of the newest event of the waves before, less the delay.

    Args:
        waves: in the order in which they were sent.
    """
    in_time: list[Event] = []
    late: list[Event] = []
    watermark = datetime.min
    for wave in waves:
        for event in wave:
            (late if event.at <= watermark else in_time).append(event)
        watermark = max(watermark, *(event.at - DELAY for event in wave))
    return sorted(in_time), sorted(late)


def by_key(events: list[Event]) -> list[tuple[str, list[Event]]]:
    """Returns the events of each key.

    Args:
        events: in the order of their times.
    """
    found: dict[str, list[Event]] = {}
    for event in events:
        found.setdefault(event.key, []).append(event)
    return sorted(found.items())


def spark_time(at: datetime) -> str:
    """Returns a time as Spark's ``to_json`` writes it.

    Args:
        at: in UTC.
    """
    return at.isoformat(timespec="milliseconds") + "Z"
