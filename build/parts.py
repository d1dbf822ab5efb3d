"""Runs the parts of a plan, two at once where that is possible, and sums them up.

    build/parts.py test               what `make test` runs
    build/parts.py ci                 the merge gate, `make ci`
    build/parts.py nightly [PART]...  everything else, `make nightly`; or only the parts named

A part is a target of the Makefile. Its output is in target/PLAN/PART/log. The summary is a table
of the parts with their seconds, tests and seeds, which is also in target/PLAN/times.tsv. The exit
code is 1 if a part has failed.

The nightly run takes one part after the other. It notes in target/nightly/green.tsv which parts
have passed on which commit. When it is started again, it leaves out those of the current commit.
"""

from __future__ import annotations

import csv
import datetime
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPARKS = [
    line.split()[3]
    for line in (ROOT / "python/match_recognize/sparks.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
]
TODAY = datetime.date.today()


@dataclass(frozen=True)
class Part:
    """A target of the Makefile, and when it can run.

    Attributes:
        target: its name.
        after: the targets that must have passed.
        sbt: whether it runs sbt, of which a checkout bears only one at a time.
        variables: what the target is given in its environment.
    """

    target: str
    after: tuple[str, ...] = ()
    sbt: bool = False
    variables: tuple[tuple[str, str], ...] = ()


SETUP = ".venv/complete"

#: In the order in which parts that could both run are started.
PLANS: dict[str, tuple[Part, ...]] = {
    "test": (
        Part(SETUP),
        Part("jar", after=(SETUP,), sbt=True),
        Part("test-scala", after=("jar",), sbt=True),
        Part("test-python", after=("jar",)),
    ),
    "ci": (
        Part(SETUP),
        Part("jar", after=(SETUP,), sbt=True),
        Part("lint-python", after=(SETUP,)),
        Part("venv-oldest", after=(SETUP,)),
        Part("compile", after=("jar",), sbt=True),
        Part("test-scala", after=("compile",), sbt=True),
        # Beside the compilers, which leave a core free.
        Part("test-python", after=("jar", "lint-python")),
        Part("oldest-python", after=("compile", "venv-oldest")),
    ),
    "nightly": (
        Part("lint"),
        *(
            Part(f"compat-{language}-{version}")
            for version in reversed(SPARKS)
            for language in ("scala", "python")
        ),
        Part("compat-smoke"),
        Part("newest"),
        Part("chaos"),
        Part("surfaces"),
        Part("docs"),
        Part("flink-cep"),
        Part("reproducible"),
        Part("bench-compare"),
        # New seeds every day.
        Part("fuzz", variables=(("FUZZ_MINUTES", "60"), ("FUZZ_SEED", f"{TODAY:%Y%m%d}0000000"))),
    ),
}

#: How many parts run at once: three keep two cores busy, as tests with Spark wait now and then.
LANES = {"test": 2, "ci": 3, "nightly": 1}


@dataclass
class Run:
    """A part that runs or has run."""

    part: Part
    folder: Path
    start: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[bytes] | None = None
    seconds: int = 0
    code: int | None = None
    shown: int = 0
    suites: int = 0
    begun: int = 0

    def begin(self) -> None:
        """Starts make, with an empty folder for what the part writes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            old.unlink()
        # The makefile that called this one would pass its own options and variables on.
        inherited = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
        self.process = subprocess.Popen(
            ["make", "--no-print-directory", self.part.target],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "log").open("wb"),
            stderr=subprocess.STDOUT,
            env={**inherited, "PART_LOG": str(self.folder), **dict(self.part.variables)},
        )

    def has_ended(self) -> bool:
        """Whether make has ended; notes its exit code."""
        assert self.process
        self.code = self.process.poll()
        self.seconds = round(time.monotonic() - self.start)
        return self.code is not None

    def new_lines(self) -> Iterator[str]:
        """What the log says since the last call: the suites that begin, and those that failed."""
        with (self.folder / "log").open("rb") as log:
            log.seek(self.shown)
            text = log.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.shown += len(whole)
        for line in whole.decode(errors="replace").splitlines():
            if said := SUITES.search(line):
                # A part may run Scala's suites, then Python's.
                self.suites = self.begun + int(said[1])
            elif said := BEGINS.search(line):
                self.begun += 1
                of = f" of {self.suites}" if self.begun <= self.suites else ""
                yield f"suite {self.begun}{of}: {said[1] or said[2]}"
            elif said := FAILED.search(line):
                yield said[1]

    def rows(self, file: str) -> list[list[str]]:
        """The lines of a table that the part's test suites have written."""
        path = self.folder / file
        return list(csv.reader(path.open(), delimiter="\t")) if path.exists() else []

    @property
    def counts(self) -> tuple[int, int, int]:
        """The tests that passed, failed and were skipped. The columns are those of suites.tsv."""
        rows = self.rows("suites.tsv")
        tests, failed, skipped = (sum(int(row[i]) for row in rows) for i in (1, 2, 3))
        return tests - failed - skipped, failed, skipped

    @property
    def seeds(self) -> int:
        """How many seeds random tests have drawn."""
        return sum(int(row[-1]) for row in self.rows("seeds.tsv"))


#: What project/SuiteLog.scala and build/suite_log.py print: how many suites there are, and that
#: one has failed; and what ScalaTest and build/suite_log.py print when one begins.
SUITES = re.compile(r"\bsuites: (\d+)$")
FAILED = re.compile(r"(suite failed: .*)")
BEGINS = re.compile(r"^(?:\[info\] (\w+)|(tests/\S+)):$")

#: Lines of a log that name a failed test.
FAILURE = re.compile(r"\*\*\* FAILED \*\*\*|^(FAILED|ERROR) |^\[error\]")


class Plan:
    """The parts of a plan, and how far they are."""

    def __init__(self, name: str, parts: tuple[Part, ...]) -> None:
        self.name = name
        self.folder = ROOT / "target" / name
        self.waiting = list(parts)
        self.running: list[Run] = []
        self.done: list[Run] = []
        self.start = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)

    def say(self, text: str) -> None:
        """Prints a line with the time since the start."""
        print(f"[{round(time.monotonic() - self.start):5} s] {text}", flush=True)

    def run(self) -> int:
        """Runs all parts, and returns the exit code."""
        while self.waiting or self.running:
            self.begin_parts()
            if not self.running:
                # The rest needs a part that has failed.
                break
            time.sleep(0.5)
            for run in list(self.running):
                ended = run.has_ended()
                for line in run.new_lines():
                    self.say(f"{run.part.target}: {line}")
                if ended:
                    self.end(run)
        self.summary()
        return int(bool(self.waiting) or any(run.code for run in self.done))

    def begin_parts(self) -> None:
        """Starts the parts that can run now."""
        passed = {run.part.target for run in self.done if run.code == 0}
        for part in list(self.waiting):
            if len(self.running) == LANES[self.name]:
                return
            free = not (part.sbt and any(run.part.sbt for run in self.running))
            if free and passed.issuperset(part.after):
                self.waiting.remove(part)
                run = Run(part, self.folder / part.target.replace("/", "-").lstrip("."))
                run.begin()
                self.running.append(run)
                self.say(f"{part.target} begins")

    def end(self, run: Run) -> None:
        """Notes that a part has ended, and shows its failures."""
        self.running.remove(run)
        self.done.append(run)
        verdict = "passed" if run.code == 0 else "FAILED"
        self.say(f"{run.part.target} {verdict} after {run.seconds} s")
        if run.code:
            self.show_failures(run)

    def show_failures(self, run: Run) -> None:
        """Prints the failed tests of a log, and its end."""
        lines = (run.folder / "log").read_text(errors="replace").splitlines()
        named = [i for i, line in enumerate(lines) if FAILURE.search(line)]
        for i in named[:20]:
            print("\n".join(lines[i : i + 12]))
        print("\n".join(lines[-40:]), flush=True)

    def summary(self) -> None:
        """Prints and saves the table of the parts."""
        rows = []
        for run in self.done:
            passed, failed, skipped = run.counts
            rows.append([run.part.target, run.seconds, passed, failed, skipped, run.seeds])
        head = ["part", "seconds", "passed", "failed", "skipped", "seeds"]
        with (self.folder / "times.tsv").open("w") as file:
            csv.writer(file, delimiter="\t").writerows([head, *rows])
        print(f"\n{'part':20}" + "".join(f"{name:>10}" for name in head[1:]))
        for row in rows:
            print(f"{row[0]:20}" + "".join(f"{value:10}" for value in row[1:]))
        print(f"{'in all':20}{round(time.monotonic() - self.start):10}")
        for run in self.done:
            if run.code:
                print(f"FAILED: {run.part.target}; its output is in {run.folder / 'log'}")
        for part in self.waiting:
            print(f"NOT RUN: {part.target}")
        passed, failed, skipped = (sum(row[i] for row in rows) for i in (2, 3, 4))
        # A part that fails outside of its tests must not look like a success.
        failed += sum(1 for run in self.done if run.code and not run.counts[1])
        print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)


def git(*arguments: str) -> str:
    """What a command of git prints."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def commit() -> str:
    """The commit of the checkout, with -dirty where files differ from it.

    The number that `make fuzz` writes is no difference.
    """
    changed = git("status", "--porcelain", "--", ".", ":!tests/seeds.txt")
    return git("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")


class Nightly(Plan):
    """The nightly run: one part after the other, those left out that are green."""

    def __init__(self, asked: list[str]) -> None:
        self.commit = commit()
        self.green = ROOT / "target" / "nightly" / "green.tsv"
        found = csv.reader(self.green.open(), delimiter="\t") if self.green.exists() else []
        green = {row[0] for row in found if row[1] == self.commit}
        parts = PLANS["nightly"]
        unknown = set(asked) - {part.target for part in parts}
        if unknown:
            sys.exit(f"no parts of the nightly run: {', '.join(sorted(unknown))}")
        super().__init__(
            "nightly",
            tuple(p for p in parts if (p.target in asked) if asked)
            or tuple(p for p in parts if p.target not in green),
        )
        for target in sorted(green):
            print(f"{target} is green on {self.commit}")

    def end(self, run: Run) -> None:
        """Notes that a part has passed on this commit."""
        super().end(run)
        if run.code == 0 and not self.commit.endswith("-dirty"):
            with self.green.open("a") as file:
                csv.writer(file, delimiter="\t").writerow(
                    [run.part.target, self.commit, TODAY.isoformat(), run.seconds]
                )


def main() -> int:
    """Runs the plan that the command line names."""
    name, *asked = sys.argv[1:]
    if name == "nightly":
        return Nightly(asked).run()
    return Plan(name, PLANS[name]).run()


if __name__ == "__main__":
    sys.exit(main())
