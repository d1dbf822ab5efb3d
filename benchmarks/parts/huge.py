"""One partition far larger than the memory, in a process of its own with a heap of 1 GB."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.parts.huge_process import CASES
from benchmarks.parts.options import Bench
from benchmarks.results import Cell


def run(bench: Bench) -> None:
    """Runs each case: at 10 M rows of the other tables, 100 M and 20 M."""
    for name, case in CASES.items():
        rows = case.rows * bench.options.rows // 10_000_000
        bench.cell(f"huge/{name}/{rows}", partial(_measure, bench, name, rows))


def _measure(bench: Bench, name: str, rows: int) -> Cell:
    command = [sys.executable, "-m", "benchmarks.parts.huge_process", name, str(rows)]
    root = Path(__file__).resolve().parents[2]
    cell: Cell = {"rows": rows}
    # The limit is for a query; starting Spark comes on top.
    limit = bench.options.limit + 60
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return {**cell, "over": bench.options.limit}
    if done.returncode != 0:
        # Spark's own words are long; the last line of Python's names the error.
        lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
        failed = [line for line in lines if "Error" in line or "Exception" in line]
        return {**cell, "error": (failed or ["failed"])[-1][:200]}
    return {**cell, **json.loads(done.stdout.splitlines()[-1])}
