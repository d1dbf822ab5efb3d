"""A simulated bank: most of what customers do is harmless, a few accounts are taken over."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from examples.events import BEGIN, Event

EVENTS_PER_HOUR = 400
TAKEOVERS_PER_HOUR = 20
ACCOUNTS = 80

#: What customers do, and how often.
KINDS = {
    "login": 30,
    "login from a new device": 8,
    "password change": 4,
    "withdrawal": 20,
    "transfer": 20,
}


def simulate(random: Random, hours: float) -> list[Event]:
    """Returns the events of some hours, in the order of their times.

    Args:
        random: decides everything.
        hours: how long the simulation takes.
    """
    found: list[tuple[float, str, str]] = []
    kinds, weights = list(KINDS), list(KINDS.values())
    for _ in range(round(EVENTS_PER_HOUR * hours)):
        kind = random.choices(kinds, weights)[0]
        found.append((random.random() * hours * 60, an_account(random), kind))
    for _ in range(round(TAKEOVERS_PER_HOUR * hours)):
        minute = random.random() * hours * 60
        account = an_account(random)
        # Some of them are slower than the hour that the query looks at.
        for kind in ("login from a new device", "password change", "withdrawal"):
            found.append((minute, account, kind))
            minute += 1 + random.random() * 35
    return [
        Event(
            BEGIN + timedelta(seconds=round(minute * 60)),
            number,
            account,
            kind,
            float(random.randrange(10, 3000)) if kind in ("withdrawal", "transfer") else None,
        )
        for number, (minute, account, kind) in enumerate(sorted(found))
    ]


def an_account(random: Random) -> str:
    """Returns the name of any account.

    Args:
        random: chooses it.
    """
    return f"a{random.randrange(ACCOUNTS):02}"
