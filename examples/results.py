"""Results of an example: as the query found them, and as plain Python computes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from examples.events import DELAY, WAVE

#: The values of a result by name, without those that are NULL, as ``to_json`` writes them.
Columns = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """A result as plain Python computes it.

    ``due`` is the event time from which no later event can change it: a result may come out once
    the watermark has reached it.
    """

    topic: str
    columns: Columns
    due: datetime


@dataclass(frozen=True)
class Result:
    """A result that the query sent to a topic, and the watermark when it came out."""

    topic: str
    columns: Columns
    watermark: datetime


def identity(result: Answer | Result) -> str:
    """Returns what a result says, as one text.

    Args:
        result: of either kind.
    """
    return f"{result.topic}: {json.dumps(result.columns)}"


@dataclass(frozen=True)
class Pair:
    """A result that both have found."""

    answer: Answer
    result: Result

    @property
    def waited(self) -> timedelta:
        """From the event time that decides it to the newest event sent when it came out."""
        newest_event = self.result.watermark + DELAY
        return newest_event - self.answer.due


def pairs(expected: list[Answer], found: list[Result]) -> list[Pair]:
    """Returns each result that both have found, in the order in which it came out.

    Args:
        expected: what plain Python found.
        found: what the query found.
    """
    answers = {identity(answer): answer for answer in expected}
    both = [
        Pair(answers[identity(result)], result) for result in found if identity(result) in answers
    ]
    return sorted(both, key=lambda pair: (pair.result.watermark, pair.answer.due))


def differences(expected: list[Answer], found: list[Result]) -> list[str]:
    """Returns what is wrong with the query's results, one line for each.

    Args:
        expected: what plain Python found.
        found: what the query found.
    """
    lines = []
    left = [identity(result) for result in found]
    for name in map(identity, expected):
        if name in left:
            left.remove(name)
        else:
            lines.append(f"not found: {name}")
    lines += [f"not expected: {name}" for name in left]
    # A result must come out in the first wave that can decide it.
    lines += [
        f"waited {pair.waited}: {identity(pair.answer)}"
        for pair in pairs(expected, found)
        if not DELAY <= pair.waited < DELAY + WAVE
    ]
    return lines
