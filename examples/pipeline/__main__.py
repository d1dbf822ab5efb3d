"""Runs the pipeline twice, and prints its tables: ``python -m examples.pipeline``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
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


def main() -> int:
    """Runs the updates in a temporary folder.

    Returns:
        0 if all commands have succeeded, otherwise 1.
    """
    with tempfile.TemporaryDirectory(prefix="pipeline-") as name:
        project = Path(name)
        copy_project(project)
        for number, hours in enumerate(UPDATES, start=1):
            for hour in hours:
                shutil.copy(HERE / "readings" / f"2026-03-02T{hour}.json", project / "readings")
            read = f"the readings from {hours[0]}:00 to {hours[-1]}:50"
            print(f"Update {number}: {read}.\n", flush=True)
            show = [sys.executable, str(HERE / "tables.py")]
            for command in (["spark-pipelines", "run"], show):
                if not run(command, project):
                    return 1
    return 0


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


def run(command: list[str], project: Path) -> bool:
    """Runs a command in the project's folder, and prints its output.

    The output of a Spark is long: it is printed only if the command fails.

    Args:
        command: the program and its arguments.
        project: the folder.

    Returns:
        Whether the command has succeeded.
    """
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_CONF_DIR"] = str(project / "conf")
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    elif command[0] == sys.executable:
        print(done.stdout, flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
