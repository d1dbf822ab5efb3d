"""Speaks to ``process.py``, which runs in a Python of its own."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from types import TracebackType

from benchmarks.engines.trino import server
from benchmarks.session import CORES
from benchmarks.stopwatch import Run, TimeOverError

ROOT = Path(__file__).resolve().parents[2]

#: Made by ``build/tools engines``.
PYTHON = ROOT / "target" / "tools" / "engines" / "bin" / "python"

PROGRAM = Path(__file__).with_name("process.py")


def engines() -> tuple[str, ...]:
    """The names that ``process.py`` knows; Trino where it can be started."""
    return ("duckdb", "polars", *(["trino"] if server.java() else []))


class EngineError(Exception):
    """The process ended; the message is the last line that it wrote."""


class Engine:
    """A warm process of one engine, for one question.

    Args:
        engine: one of ``engines()``.
        question: the folder of a question.
        folder: the Parquet files.
        limit: seconds after which a run is over, and the process with it.
    """

    def __init__(self, engine: str, question: str, folder: Path, limit: float) -> None:
        self.limit = limit
        self.process = subprocess.Popen(
            [str(PYTHON), str(PROGRAM), engine, question, str(folder), str(CORES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def run(self) -> Run:
        """Runs the question once; its answer stays in memory until the run ends."""
        return self._ask("run")

    def answer(self, file: Path) -> None:
        """Writes the answer into a Parquet file."""
        self._ask(f"answer {file}")

    def _ask(self, line: str) -> Run:
        """Has a line carried out.

        Raises:
            TimeOverError: it took too long; the process is ended.
            EngineError: the process failed.
        """
        process = self.process
        assert process.stdin and process.stdout and process.stderr
        over = threading.Event()

        def cancel() -> None:
            over.set()
            process.kill()

        timer = threading.Timer(self.limit, cancel)
        timer.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            found = process.stdout.readline()
        except BrokenPipeError:
            found = ""
        finally:
            timer.cancel()
        if over.is_set():
            raise TimeOverError(f"> {self.limit:g} s")
        if not found:
            written = process.stderr.read().strip().splitlines()
            raise EngineError(written[-1] if written else "ended")
        measured = json.loads(found)
        return Run(measured["seconds"], os.getloadavg()[0], measured["memory"])
