"""Fetches jars with Maven, once: those of the broker, and those of Spark's connector."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "target" / "kafka"

#: The Spark that the connector is for.
SPARK = "4.2"

GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def jars(name: str) -> list[Path]:
    """Returns the jars that ``NAME.xml`` lists, and those that they need.

    Args:
        name: ``broker`` or ``connector``.

    Raises:
        RuntimeError: Maven could not fetch them; the message says why.
    """
    pom = HERE / f"{name}.xml"
    folder = TARGET / name
    # What the jars were fetched for, so that a new version replaces the old one.
    complete = folder / "complete"
    if not complete.exists() or complete.read_text() != pom.read_text():
        shutil.rmtree(folder, ignore_errors=True)
        words = ["-f", str(pom), GOAL, f"-DoutputDirectory={folder}", "-DincludeScope=runtime"]
        done = subprocess.run(
            ["mvn", "--batch-mode", "--quiet", *words], stdout=subprocess.PIPE, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"Maven could not fetch the jars of {pom}:\n{done.stdout}")
        complete.write_text(pom.read_text())
    return sorted(folder.glob("*.jar"))
