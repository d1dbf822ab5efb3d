"""Prints what an example found, and how long it waited."""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from typing import Any

from match_recognize.tables import text_table

from examples.results import Pair

#: Results that are printed; the others are counted.
SHOWN = 10


def print_results(found: list[Pair]) -> None:
    """Prints the first results, and how long those of each topic waited.

    Args:
        found: the results, in the order in which they came out.
    """
    # A column that is NULL in one result is there in another.
    names = list(dict.fromkeys(name for pair in found for name in pair.answer.columns))
    rows = [
        [
            pair.answer.topic,
            *(short(pair.answer.columns.get(name)) for name in names),
            pair.waited,
        ]
        for pair in found[:SHOWN]
    ]
    print("\n".join(text_table(["topic", *names, "waited"], rows)))
    if len(found) > SHOWN:
        print(f"... and {len(found) - SHOWN} more")
    print("\nwaited: from the event time that decides a result to the newest event sent then\n")
    summary = []
    for topic in sorted({pair.answer.topic for pair in found}):
        waits = [pair.waited.seconds for pair in found if pair.answer.topic == topic]
        shown = (timedelta(seconds=round(of(waits))) for of in (min, median, max))
        summary.append([topic, len(waits), *shown])
    print("\n".join(text_table(["topic", "results", "shortest", "median", "longest"], summary)))


def short(value: Any) -> Any:
    """Returns a value as the table shows it: a time without its date.

    Args:
        value: of a column.
    """
    if isinstance(value, str) and value.endswith(".000Z"):
        return value[11:19]
    return value
