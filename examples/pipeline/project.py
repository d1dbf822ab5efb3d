"""Copies the project of the pipeline into a folder, and runs it there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import match_recognize

HERE = Path(__file__).resolve().parent

#: The hours whose files have arrived before each update.
UPDATES = [["06", "07", "08", "09"], ["10", "11", "12"]]

#: For ``conf/spark-defaults.conf``. ``spark-pipelines`` starts a Connect server in a JVM of its
#: own, which reads this file; options of the command such as ``--jars`` do not reach it.
SETTINGS = {
    "spark.jars": str(match_recognize.jar_path()),
    "spark.sql.extensions": "org.matchrecognize.spark.MatchRecognizeExtensions",
    # The catalog of the first update is there in the second.
    "spark.sql.catalogImplementation": "hive",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.ui.enabled": "false",
}


def copy_project(project: Path) -> None:
    """Copies the project without its readings.

    Args:
        project: an empty folder.
    """
    shutil.copytree(HERE / "transformations", project / "transformations")
    (project / "readings").mkdir()
    (project / "conf").mkdir()
    lines = [f"{name} {value}\n" for name, value in SETTINGS.items()]
    (project / "conf" / "spark-defaults.conf").write_text("".join(lines))
    text = (HERE / "spark-pipeline.yml").read_text()
    storage = (project / "storage").as_uri()
    (project / "spark-pipeline.yml").write_text(text.replace("file:///path/to/storage", storage))


def copy_readings(folder: Path, hours: list[str]) -> None:
    """Copies the files of some hours.

    Args:
        folder: where they arrive.
        hours: from ``06`` to ``12``.
    """
    for hour in hours:
        shutil.copy(HERE / "readings" / f"2026-03-02T{hour}.json", folder)


def run(command: list[str], project: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in the project's folder.

    Args:
        command: the program and its arguments.
        project: the folder.

    Returns:
        What it has printed, and whether it has succeeded.
    """
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_CONF_DIR"] = str(project / "conf")
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
