"""Measures; ``python -m benchmarks --help``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import results
from benchmarks.parts import adversarial, engines, huge, jumps, planning, questions, scaling
from benchmarks.parts.options import Bench, Options
from benchmarks.questions import LANES, QUESTIONS
from benchmarks.session import start

PARTS = {
    "adversarial": adversarial.run,
    "jumps": jumps.run,
    "scaling": scaling.run,
    "planning": planning.run,
    "huge": huge.run,
    "engines": engines.run,
}


def main() -> int:
    """Measures what the command line names; 1 if an answer is wrong."""
    arguments = parser().parse_args()
    only = [name for name in arguments.only.split(",") if name]
    unknown = sorted(set(only) - {*QUESTIONS, *PARTS})
    if unknown:
        print(f"--only knows {', '.join([*QUESTIONS, *PARTS])}; not {', '.join(unknown)}")
        return 2
    options = Options(
        rows=arguments.rows,
        lanes=tuple(arguments.lanes.split(",")),
        pairs=arguments.pairs,
        limit=arguments.limit,
        budget=arguments.budget,
        missing=arguments.missing,
        check=arguments.check,
    )
    bench = Bench(start(), options, results.Results(arguments.results, arguments.anew))
    wrong = []
    named = [name for name in only if name in QUESTIONS]
    if named or not only:
        wrong += questions.run(bench, named)
    for name, run in PARTS.items():
        # The other parts have no answers to compare.
        if (name == "engines" or not options.check) and (name in only or not only):
            wrong += run(bench) or []
    for line in wrong:
        print(f"WRONG: {line}")
    return 1 if wrong else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    words = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    words.add_argument("--only", default="", help=f"some of {','.join([*QUESTIONS, *PARTS])}")
    words.add_argument("--lanes", default=",".join(LANES), help="unsorted, sorted, or both")
    words.add_argument("--rows", type=int, default=10_000_000, help="of each table")
    words.add_argument("--pairs", type=int, default=7, help="runs of each way, interleaved")
    words.add_argument("--limit", type=float, default=600, help="seconds, then a run ends")
    words.add_argument("--budget", type=float, default=300, help="seconds for all runs of a way")
    words.add_argument("--missing", action="store_true", help="only what has no result yet")
    words.add_argument("--check", action="store_true", help="compare answers, measure nothing")
    words.add_argument("--results", type=Path, default=results.FILE, help="the JSON file")
    words.add_argument("--anew", action="store_true", help="drop parts of another machine")
    return words


if __name__ == "__main__":
    sys.exit(main())
