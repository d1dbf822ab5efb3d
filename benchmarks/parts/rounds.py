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

#: A way's measurements: ``runs`` (seconds and load, or null, of each round), ``memory`` (the most
#: bytes of any run, if known), ``over`` (the limit in seconds) where it takes too long, ``error``
#: where it cannot run.
Measured = dict[str, Any]

#: The ways, by name: what makes the query of each anew.
Frames = Mapping[str, Callable[[], DataFrame]]

#: The ways, by name: what runs each once.
Runs = Mapping[str, Callable[[], Run]]


def interleave(bench: Bench, frames: Frames) -> dict[str, Measured]:
    """Runs all ways in Spark, warm, in rounds.

    Args:
        bench: where, and how often.
        frames: the ways.
    """
    return in_turn(bench, {name: spark_run(bench, frame) for name, frame in frames.items()})


def spark_run(bench: Bench, frame: Callable[[], DataFrame]) -> Callable[[], Run]:
    """Runs a query in Spark; the time to make it is not measured."""

    def run() -> Run:
        query = frame()
        return timed(bench.spark, bench.options.limit, lambda: to_nowhere(query))

    return run


def in_turn(bench: Bench, runs: Runs) -> dict[str, Measured]:
    """Runs all ways, warm, in rounds.

    Args:
        bench: how often.
        runs: the ways.
    """
    measured: dict[str, Measured] = {name: {"runs": []} for name in runs}
    rounds = {name: _warm_up(bench, runs[name], measured[name]) for name in runs}
    for number in range(bench.options.pairs):
        order = list(runs) if number % 2 == 0 else list(runs)[::-1]
        for name in order:
            run = None
            if number < rounds[name] and not _stopped(measured[name]):
                run = attempt(bench, runs[name], measured[name])
            pair = [round(run.seconds, 4), round(run.load, 2)] if run else None
            measured[name]["runs"].append(pair)
    return measured


def attempt(bench: Bench, work: Callable[[], Run], measured: Measured) -> Run | None:
    """Runs a way once; where that fails, says so in ``measured``."""
    try:
        run = work()
        if run.memory is not None:
            measured["memory"] = max(run.memory, measured.get("memory", 0))
        return run
    except TimeOverError:
        measured["over"] = bench.options.limit
    except Exception as error:
        measured["error"] = reason(error)
    return None


def _warm_up(bench: Bench, work: Callable[[], Run], measured: Measured) -> int:
    """How many rounds there is time for."""
    seconds = 0.0
    for _ in range(WARM_UPS):
        run = attempt(bench, work, measured)
        if run is None:
            return 0
        seconds = run.seconds
        if bench.options.rounds(seconds) < bench.options.pairs:
            break
    return bench.options.rounds(seconds)


def _stopped(measured: Measured) -> bool:
    return "over" in measured or "error" in measured
