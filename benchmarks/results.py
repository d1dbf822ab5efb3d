"""What was measured: a JSON file that grows piece by piece, and one for streams."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import date
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
FILE = FOLDER / "results.json"
STREAMING_FILE = FOLDER / "streaming.json"
CORES_FILE = FOLDER / "cores.json"

Cell = dict[str, Any]


class Results:
    """The cells measured so far, by name; each is saved at once.

    A name is ``PART/.../ROWS``, such as ``pairs/Q1/sorted/10000000``.
    """

    def __init__(self, file: Path = FILE) -> None:
        self.file = file
        self.machine: dict[str, Any] = {}
        self.cells: dict[str, Cell] = {}
        if file.exists():
            saved = json.loads(file.read_text())
            self.machine, self.cells = saved["machine"], saved["cells"]

    def put(self, name: str, cell: Cell) -> None:
        """Adds a cell, or replaces what was measured before.

        Raises:
            RuntimeError: the others are of another machine.
        """
        here = machine()
        if self.machine and self.machine != here:
            raise RuntimeError(f"{self.file} is of another machine; give --results another file")
        self.machine = here
        self.cells[name] = {**cell, "date": date.today().isoformat(), "commit": _commit()}
        self._save()

    def _save(self) -> None:
        # A line for each cell, so that git shows which ones changed.
        cells = [
            f"{json.dumps(name)}: {json.dumps(self.cells[name])}" for name in sorted(self.cells)
        ]
        text = (
            f'{{"machine": {json.dumps(self.machine)}, "cells": {{\n'
            + ",\n".join(cells)
            + "\n}}\n"
        )
        # Whole or not at all.
        unfinished = self.file.with_suffix(".unfinished")
        unfinished.write_text(text)
        unfinished.replace(self.file)

    def of(self, prefix: str) -> dict[str, Cell]:
        """The cells of a part, by the rest of their names."""
        start = prefix + "/"
        return {
            name[len(start) :]: cell
            for name, cell in self.cells.items()
            if name.startswith(start)
        }

    def conditions(self) -> str:
        """When and where, as a sentence; nothing if nothing was measured."""
        dates = sorted({cell["date"] for cell in self.cells.values()})
        if not dates:
            return ""
        where = ", ".join(f"{name} {value}" for name, value in self.machine.items())
        return f"Measured {' to '.join(dates[:1] + dates[1:][-1:])}: {where}."


def machine() -> dict[str, Any]:
    """Where this runs."""
    import pyspark

    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "memory": f"{memory / 2**30:.0f} GiB",
        # Not the build of the kernel: what is compared was measured in one run.
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "spark": pyspark.__version__,
        "python": platform.python_version(),
    }


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
