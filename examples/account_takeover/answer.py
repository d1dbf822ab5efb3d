"""The answer in plain Python, by which the query is checked."""

from __future__ import annotations

from datetime import timedelta

from examples.events import Event, by_key, spark_time
from examples.results import Answer, Columns

LIMIT = timedelta(hours=1)
LARGE = 1000


def answer(events: list[Event]) -> list[Answer]:
    """Returns each takeover.

    Args:
        events: in the order of their times.
    """
    found = []
    for account, own in by_key(events):
        rest = own
        while rest:
            login, *rest = rest
            if login.kind != "login from a new device":
                continue
            within = [event for event in rest if event.at - login.at <= LIMIT]
            changes = [i for i, event in enumerate(within) if event.kind == "password change"]
            if not changes:
                continue
            withdrawals = [
                i
                for i, event in enumerate(within)
                if i > changes[0]
                and event.kind == "withdrawal"
                and event.amount is not None
                and event.amount >= LARGE
            ]
            if not withdrawals:
                continue
            change, withdrawal = within[changes[0]], within[withdrawals[0]]
            # The events up to the withdrawal belong to this takeover.
            rest = rest[withdrawals[0] + 1 :]
            columns: Columns = {
                "account": account,
                "login": spark_time(login.at),
                "changed": spark_time(change.at),
                "withdrawn": spark_time(withdrawal.at),
                "amount": withdrawal.amount,
            }
            found.append(Answer("takeover-alerts", columns, withdrawal.at))
    return found
