"""A plugin of pytest that notes the test files for `build/parts.py`.

It prints how many there are, and a line when one begins. When one has ended, it adds a line to
suites.tsv in the folder PART_LOG: the file, its tests, how many failed and how many were skipped,
and its seconds.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(os.environ["PART_LOG"])


class SuiteLog:
    """Counts the outcomes of one file after the other."""

    def __init__(self) -> None:
        self.reporter: pytest.TerminalReporter | None = None
        self.file = ""
        self.start = 0.0
        self.outcomes: Counter[str] = Counter()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Prints how many files there are."""
        plugin = session.config.pluginmanager.get_plugin("terminalreporter")
        self.reporter = plugin
        files = dict.fromkeys(item.location[0] for item in session.items)
        self.say(f"suites: {len(files)}")

    def pytest_runtest_logstart(self, location: tuple[str, int | None, str]) -> None:
        """Ends the file before, where another one begins."""
        if location[0] != self.file:
            self.end()
            self.file = location[0]
            self.start = time.monotonic()
            self.say(f"{self.file}:")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Counts a test once, a failed fixture too."""
        if report.when == "call" or report.skipped:
            self.outcomes["tests"] += 1
        if report.skipped:
            self.outcomes["skipped"] += 1
        if report.failed:
            self.outcomes["failed"] += 1
            self.outcomes["tests"] += report.when != "call"

    def pytest_sessionfinish(self) -> None:
        """Ends the last file."""
        self.end()

    def end(self) -> None:
        """Writes the line of the file that has ended."""
        if not self.file:
            return
        tests, failed, skipped = (self.outcomes[name] for name in ("tests", "failed", "skipped"))
        seconds = time.monotonic() - self.start
        with (FOLDER / "suites.tsv").open("a") as out:
            out.write(f"{self.file}\t{tests}\t{failed}\t{skipped}\t{seconds:.1f}\n")
        if failed:
            self.say(f"suite failed: {self.file}, {failed} of {tests} tests")
        self.outcomes.clear()

    def say(self, text: str) -> None:
        """Prints a line of its own."""
        assert self.reporter
        self.reporter.ensure_newline()
        self.reporter.write_line(text)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the counter."""
    config.pluginmanager.register(SuiteLog(), "suite-log")
