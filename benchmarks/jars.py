"""Compares two jars: ``python -m benchmarks.jars OLD.jar NEW.jar --only Q1,Q3 --lanes sorted``.

A JVM has one jar, so each measurement is a process of its own, and the processes alternate: old,
new, then new, old, then old, new again. What counts is the ratio within a pair. For each line,
which is a question in a lane, the table has the median of the ratios, and their range.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.data.tables import provide
from benchmarks.questions import LANES, QUESTIONS, ways
from benchmarks.session import start
from benchmarks.stopwatch import timed, to_nowhere

#: Of each line in each process: runs to warm up, and runs of which the median is taken.
WARM_UPS, RUNS = 2, 3

#: A run that takes longer ends the comparison.
LIMIT = 600.0

#: Seconds by line.
Seconds = dict[str, float]


def measured(jar: Path, names: list[str], lanes: list[str], rows: int) -> Seconds:
    """Runs the statements of questions in this process, each several times."""
    spark = start(jar)
    found: Seconds = {}
    for name in names:
        question = QUESTIONS[name]
        provide(spark, question.table, rows)
        for lane in lanes:
            ours = next(way for way in ways(question, lane) if way.name == "ours")
            seconds = []
            for _ in range(WARM_UPS + RUNS):
                work = partial(to_nowhere, spark.sql(ours.text))
                seconds.append(timed(spark, LIMIT, work).seconds)
            found[f"{name} {lane}"] = median(seconds[WARM_UPS:])
    return found


def in_process(jar: Path, arguments: argparse.Namespace) -> Seconds:
    """Runs them in a process of their own.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    options = {"--only": arguments.only, "--lanes": arguments.lanes, "--rows": arguments.rows}
    words = [str(word) for option in options.items() for word in option]
    command = [sys.executable, "-m", "benchmarks.jars", str(jar), *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: Seconds = json.loads(done.stdout.splitlines()[-1])
    return found


def pairs(old: Path, new: Path, arguments: argparse.Namespace) -> dict[str, list[float]]:
    """The ratios new to old of each line, a ratio for each pair of processes."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for number in range(arguments.pairs):
        order = (old, new) if number % 2 == 0 else (new, old)
        seconds = {jar: in_process(jar, arguments) for jar in order}
        for line, before in seconds[old].items():
            ratios[line].append(seconds[new][line] / before)
        print(f"pair {number + 1} of {arguments.pairs}", file=sys.stderr)
    return ratios


def table(ratios: dict[str, list[float]]) -> str:
    """The ratios as a table of Markdown."""
    lines = ["| line | new / old | range | pairs |", "|---|---|---|---|"]
    for line, found in ratios.items():
        low, high = min(found), max(found)
        lines.append(f"| {line} | {median(found):.2f} | {low:.2f} to {high:.2f} | {len(found)} |")
    return "\n".join(lines)


def main() -> None:
    """Compares two jars, or measures one and prints its seconds as JSON."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.jars", description=__doc__)
    words.add_argument("jars", nargs="+", type=Path, metavar="JAR", help="old and new")
    words.add_argument("--only", default=",".join(QUESTIONS), help="questions, as in Q1,Q3")
    words.add_argument("--lanes", default=",".join(LANES), help="unsorted, sorted, or both")
    words.add_argument("--rows", type=int, default=1_000_000, help="of each table")
    words.add_argument("--pairs", type=int, default=7, help="of processes")
    arguments = words.parse_args()
    jars = [jar.resolve(strict=True) for jar in arguments.jars]
    names = arguments.only.split(",")
    if set(names) - set(QUESTIONS) or len(jars) > 2 or jars[:1] == jars[1:]:
        words.error(f"give two different jars, and some of {', '.join(QUESTIONS)}")
    if len(jars) == 2:
        print(table(pairs(jars[0], jars[1], arguments)))
    else:
        print(json.dumps(measured(jars[0], names, arguments.lanes.split(","), arguments.rows)))


if __name__ == "__main__":
    main()
