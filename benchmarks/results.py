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

    A name is ``PART/.../ROWS``, such as ``questions/Q1/sorted/10000000``. All cells of a part are
    of one machine.

    Args:
        anew: whether the cells of a part are dropped that another machine has measured.
    """

    def __init__(self, file: Path = FILE, anew: bool = False) -> None:
        self.file = file
        self.anew = anew
        #: By part.
        self.machines: dict[str, dict[str, Any]] = {}
        self.cells: dict[str, Cell] = {}
        if file.exists():
            saved = json.loads(file.read_text())
            self.machines, self.cells = saved["machines"], saved["cells"]

    def put(self, name: str, cell: Cell) -> None:
        """Adds a cell, or replaces what was measured before.

        Raises:
            RuntimeError: the others of its part are of another machine.
        """
        self.check(name)
        part = _part(name)
        if self.machines.get(part) != machine():
            self.cells = {name: cell for name, cell in self.cells.items() if _part(name) != part}
            self.machines[part] = machine()
        self.cells[name] = {**cell, "date": date.today().isoformat(), "commit": _commit()}
        self._save()

    def check(self, name: str) -> None:
        """Checks whether a cell can be added, before it is measured.

        Raises:
            RuntimeError: the others of its part are of another machine.
        """
        if not self.anew and self.machines.get(_part(name), machine()) != machine():
            raise RuntimeError(
                f"another machine has measured {_part(name)} in {self.file}; --anew drops it"
            )

    def _save(self) -> None:
        # A line for each cell, so that git shows which ones changed.
        cells = [
            f"{json.dumps(name)}: {json.dumps(self.cells[name])}" for name in sorted(self.cells)
        ]
        text = (
            f'{{"machines": {json.dumps(self.machines)}, "cells": {{\n'
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
        """When and where, a sentence for each machine; nothing if nothing was measured."""
        parts_of: dict[str, list[str]] = {}
        for part in sorted({_part(name) for name in self.cells}):
            here = self.machines.get(part, {})
            where = ", ".join(f"{name} {value}" for name, value in here.items())
            parts_of.setdefault(where, []).append(part)
        sentences = []
        for where, parts in parts_of.items():
            dates = sorted({c["date"] for name, c in self.cells.items() if _part(name) in parts})
            which = f" ({', '.join(parts)})" if len(parts_of) > 1 else ""
            sentences.append(
                f"Measured {' to '.join(dates[:1] + dates[1:][-1:])}{which}: {where}."
            )
        return "\n\n".join(sentences)


def _part(name: str) -> str:
    return name.partition("/")[0]


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
