"""Runs ways in turn: A B C, then C B A, then A B C again.

Whatever disturbs the machine for a while disturbs neighbours alike. So what counts is not how
long a way takes but its ratio to another of the same round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import DataFrame

from benchmarks.parts.options import Bench, reason
from benchmarks.stopwatch import Run, TimeOverError, timed, to_nowhere

WARM_UPS = 2

#: A way's measurements: ``runs`` (seconds and load, or null, of each round), ``over`` (the limit
#: in seconds) where it takes too long, ``error`` where it cannot run.
Measured = dict[str, Any]

#: The ways, by name: what makes the query of each anew.
Frames = Mapping[str, Callable[[], DataFrame]]


def interleave(bench: Bench, frames: Frames) -> dict[str, Measured]:
    """Runs all ways, warm, in rounds.

    Args:
        bench: where, and how often.
        frames: the ways.
    """
    measured: dict[str, Measured] = {name: {"runs": []} for name in frames}
    rounds = {name: _warm_up(bench, frames[name], measured[name]) for name in frames}
    for number in range(bench.options.pairs):
        order = list(frames) if number % 2 == 0 else list(frames)[::-1]
        for name in order:
            run = None
            if number < rounds[name] and not _stopped(measured[name]):
                run = attempt(bench, frames[name], measured[name])
            pair = [round(run.seconds, 4), round(run.load, 2)] if run else None
            measured[name]["runs"].append(pair)
    return measured


def attempt(bench: Bench, frame: Callable[[], DataFrame], measured: Measured) -> Run | None:
    """Runs a query once; where that fails, says so in ``measured``."""
    try:
        query = frame()
        return timed(bench.spark, bench.options.limit, lambda: to_nowhere(query))
    except TimeOverError:
        measured["over"] = bench.options.limit
    except Exception as error:
        measured["error"] = reason(error)
    return None


def _warm_up(bench: Bench, frame: Callable[[], DataFrame], measured: Measured) -> int:
    """How many rounds there is time for."""
    seconds = 0.0
    for _ in range(WARM_UPS):
        run = attempt(bench, frame, measured)
        if run is None:
            return 0
        seconds = run.seconds
        if bench.options.rounds(seconds) < bench.options.pairs:
            break
    return bench.options.rounds(seconds)


def _stopped(measured: Measured) -> bool:
    return "over" in measured or "error" in measured
