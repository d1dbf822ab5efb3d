"""Runs the pipeline twice, and prints its tables: ``python -m examples.pipeline``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from examples.pipeline.project import HERE, UPDATES, copy_project, copy_readings, run


def main() -> int:
    """Runs the updates in a temporary folder.

    Returns:
        0 if all commands have succeeded, otherwise 1.
    """
    with tempfile.TemporaryDirectory(prefix="pipeline-") as name:
        project = Path(name)
        copy_project(project)
        for number, hours in enumerate(UPDATES, start=1):
            copy_readings(project / "readings", hours)
            read = f"the readings from {hours[0]}:00 to {hours[-1]}:50"
            print(f"Update {number}: {read}.\n", flush=True)
            show = [sys.executable, str(HERE / "tables.py")]
            for command in (["spark-pipelines", "run"], show):
                done = run(command, project)
                # The log of a Spark is long: it is printed only if the command fails.
                if done.returncode != 0:
                    print(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
                    return 1
            print(done.stdout, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
