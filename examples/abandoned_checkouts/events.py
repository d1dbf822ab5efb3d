"""A simulated shop: customers start checkouts, look at pages, and some of them buy."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from examples.events import BEGIN, Event

#: About two checkouts a minute.
CHECKOUTS_PER_HOUR = 120
CUSTOMERS = 60


def simulate(random: Random, hours: float) -> list[Event]:
    """Returns the events of some hours, in the order of their times.

    Args:
        random: decides everything.
        hours: how long new checkouts are started.
    """
    found: list[tuple[float, str, str, float | None]] = []
    for _ in range(round(CHECKOUTS_PER_HOUR * hours)):
        customer = f"c{random.randrange(CUSTOMERS):02}"
        start = random.random() * hours * 60
        found.append((start, customer, "start", None))
        for _ in range(random.randrange(3)):
            found.append((start + random.random() * 40, customer, "page", None))
        # Two of three buy, some of them after their time is over.
        if random.random() < 2 / 3:
            amount = round(5 + random.random() * 200, 2)
            found.append((start + 1 + random.random() * 35, customer, "purchase", amount))
    found.sort(key=lambda event: event[0])
    return [
        Event(BEGIN + timedelta(seconds=round(minute * 60)), number, customer, kind, amount)
        for number, (minute, customer, kind, amount) in enumerate(
            sorted(found, key=lambda e: e[0])
        )
    ]
