"""The answer in plain Python, by which the query is checked."""

from __future__ import annotations

from datetime import timedelta

from examples.events import Event, by_key, spark_time
from examples.results import Answer, Columns

LIMIT = timedelta(minutes=30)


def answer(events: list[Event]) -> list[Answer]:
    """Returns each checkout that was completed or abandoned.

    Args:
        events: in the order of their times.
    """
    found = []
    for customer, own in by_key(events):
        i = 0
        while i < len(own):
            start = own[i]
            i += 1
            if start.kind != "start":
                continue
            ends = [
                j
                for j in range(i, len(own))
                if own[j].kind == "purchase" and own[j].at - start.at <= LIMIT
            ]
            columns: Columns = {"customer": customer, "started": spark_time(start.at)}
            if ends:
                purchase = own[ends[0]]
                # The events up to the purchase belong to this checkout.
                i = ends[0] + 1
                columns |= {"purchased": spark_time(purchase.at), "amount": purchase.amount}
                found.append(Answer("completed-checkouts", columns, purchase.at))
            else:
                found.append(Answer("abandoned-checkouts", columns, start.at + LIMIT))
    return found
