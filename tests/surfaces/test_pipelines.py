"""Declarative pipelines: the example, and the definitions of docs/pipelines.md."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import match_recognize
import pytest
import surface
from surface import PIPELINES as PAGE

from examples.pipeline import project as example

READY = "Spark Connect server started"
FIRST, SECOND = example.UPDATES
STATEMENTS = surface.HERE / "clients" / "statements.py"

#: A local server takes any free port if this variable is set, whatever its value. Otherwise the
#: client connects to port 15002, where the server of another test may listen.
FREE_PORT = {"SPARK_TESTING": "pipelines"}


def at(time: str) -> str:
    return f"2026-03-02 {time}:00"


# Worked out by hand from the files. A reading comes every 10 minutes, and above 7 degrees it is
# warm. The warm readings:
#
#   north  06:30 7.4 | 08:20 7.9 | 09:40 7.2, 09:50 7.9, 10:00 8.3
#   south  06:40 7.3, 06:50 8.1 | 08:20 7.6, 08:30 8.8, 08:40 8.2
#          10:10 7.7, 10:20 9.2, 10:30 9.7, 10:40 8.4
#   west   07:10 7.8, 07:20 9.0 | 11:00 7.1, 11:10 8.0
#          12:20 7.5, 12:30 8.6, 12:40 9.4, 12:50 10.2
#
# The first update reads up to 09:50, so its watermark is 09:40. That of the second is 12:40.

#: Truck, first warm reading, first reading that is not warm, warm readings, warmest one. North at
#: 06:30 and at 08:20 has one warm reading only.
SPELLS_1 = [
    ["south", at("06:40"), at("07:00"), "2", "8.1"],
    ["south", at("08:20"), at("08:50"), "3", "8.8"],
    ["west", at("07:10"), at("07:30"), "2", "9.0"],
    # Not north from 09:40 on: it is still warm at 09:50, and 09:50 is after the watermark.
]
SPELLS_2 = [
    # Its first row is in the first update, its last row in the second.
    ["north", at("09:40"), at("10:10"), "3", "8.3"],
    *SPELLS_1[:2],
    ["south", at("10:10"), at("10:50"), "4", "9.7"],
    SPELLS_1[2],
    ["west", at("11:00"), at("11:20"), "2", "8.0"],
    # Not west from 12:20 on: it is still warm at 12:50, and 12:50 is after the watermark.
]

#: The spells of south end at 07:00, 08:50 and 10:50, within 4 hours, with 8.1 < 8.8 < 9.7. Those
#: of west have 9.0 > 8.0, and north has one only.
FAILING_1: list[list[str]] = []  # South's third spell comes after 09:50.
# The watermark of the spells is that of the readings less an hour: 11:40, after 10:50.
FAILING_2 = [["south", at("06:40"), at("10:50"), "9.7"]]

#: A materialized view reads all rows, whatever the watermark: the newest ones are those of 09:50
#: and 12:50. Truck, first warm reading, warm readings, warmest one.
WARM_1 = [["north", at("09:40"), "2", "7.9"]]
WARM_2 = [["west", at("12:20"), "4", "10.2"]]

#: Above 8 degrees: west at 07:20 and north at 10:00 have one reading each.
SPELLS_ABOVE_8 = [
    ["south", at("08:30"), at("08:50"), "8.8"],
    ["south", at("10:20"), at("10:50"), "9.7"],
]


def without(column: int, rows: list[list[str]]) -> list[list[str]]:
    """Rows without a column: the page's tables have no number of warm readings."""
    return [[*row[:column], *row[column + 1 :]] for row in rows]


def rows(server: str, *statements: str, env: Mapping[str, str], folder: Path) -> list[Any]:
    """The rows of some statements."""
    done = subprocess.run(
        [env["PYSPARK_PYTHON"], STATEMENTS, server],
        input=json.dumps(statements),
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FREE_PORT.items():
        monkeypatch.setenv(name, value)
    example.copy_project(tmp_path)
    environment = surface.home(tmp_path / "reader")
    environment["SPARK_CONF_DIR"] = str(tmp_path / "conf")
    tables = ("warm_spells", "failing_units", "still_warm")
    after = [(FIRST, [SPELLS_1, FAILING_1, WARM_1]), (SECOND, [SPELLS_2, FAILING_2, WARM_2])]
    for hours, expected in after:
        example.copy_readings(tmp_path / "readings", hours)
        done = example.run(["spark-pipelines", "run"], tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        selects = [f"SELECT * FROM {table}" for table in tables]
        assert rows("local[1]", *selects, env=environment, folder=tmp_path) == expected


@dataclass
class Project:
    """A pipeline over a folder of readings, with the tables of a database of its own."""

    name: str
    folder: Path
    server: str
    environment: Mapping[str, str]

    def create(self) -> None:
        (self.folder / "transformations").mkdir(parents=True)
        (self.folder / "readings").mkdir()
        storage = (self.folder / "storage").as_uri()
        (self.folder / "spark-pipeline.yml").write_text(
            f"name: {self.name}\nstorage: {storage}\ndatabase: {self.name}\nlibraries:\n"
            "  - glob:\n      include: transformations/**\n"
            "configuration:\n  spark.sql.session.timeZone: UTC\n"
        )
        location = (self.folder / "readings").as_uri()
        self.query(
            f"CREATE DATABASE IF NOT EXISTS {self.name}",
            f"CREATE TABLE {self.name}.readings (truck STRING, at TIMESTAMP, celsius DOUBLE)"
            f" USING json LOCATION '{location}'",
        )

    def define(self, file: str, text: str) -> None:
        (self.folder / "transformations" / file).write_text(text)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-eu", "-c", command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=400,
        )

    def update(self, hours: list[str], command: str) -> None:
        """Runs an update after the files of some hours have come."""
        example.copy_readings(self.folder / "readings", hours)
        done = self.run(command)
        assert done.returncode == 0, done.stdout + done.stderr

    def query(self, *statements: str) -> list[Any]:
        return rows(self.server, *statements, env=self.environment, folder=self.folder)

    def table(self, name: str) -> Any:
        (found,) = self.query(f"SELECT * FROM {self.name}.{name}")
        return found


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """That of a Connect server with the extension."""
    free = surface.free_port()
    command = surface.block("connect-server", connect=free)
    with surface.server(command, READY, tmp_path_factory.mktemp("server"), free):
        yield free


@pytest.fixture
def project(request: pytest.FixtureRequest, port: int, tmp_path: Path) -> Project:
    """A project that runs on that server, and whose computer has no settings."""
    environment = surface.home(tmp_path)
    (tmp_path / "conf" / "spark-defaults.conf").unlink()
    made = Project(request.node.name, tmp_path / "project", f"sc://127.0.0.1:{port}", environment)
    made.create()
    return made


def remote(project: Project, command: str) -> str:
    """A command of ``spark-pipelines``, sent to the server."""
    return f"{command} --remote {project.server}"


RUN = "spark-pipelines run"
DRY_RUN = "spark-pipelines dry-run"


def test_sql(project: Project, port: int) -> None:
    """A streaming table and a materialized view; a changed definition between two updates."""
    table = surface.block("streaming-table", PAGE)
    project.define("spells.sql", table + surface.block("materialized-view", PAGE))
    project.update(FIRST, surface.block("pipelines-remote", PAGE, connect=port))
    assert project.table("warm_spells") == without(3, SPELLS_1)
    assert project.table("still_warm") == without(2, WARM_1)

    changed = table.replace("> 7", "> 8").replace("<= 7", "<= 8")
    project.define("spells.sql", changed)
    done = project.run(remote(project, DRY_RUN))
    assert done.returncode == 0, done.stdout + done.stderr
    example.copy_readings(project.folder / "readings", SECOND)
    done = project.run(remote(project, RUN))
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    assert "[MATCH_RECOGNIZE.STATE_UNREADABLE]" in said, said
    assert "DEFINE has changed from WARM AS (celsius > 7)" in said, said
    assert project.table("warm_spells") == without(3, SPELLS_1)

    # The definition as it was goes on from the state of the first update.
    project.define("spells.sql", table + surface.block("materialized-view", PAGE))
    project.update([], remote(project, RUN))
    assert project.table("warm_spells") == without(3, SPELLS_2)
    assert project.table("still_warm") == without(2, WARM_2)

    project.define("spells.sql", changed)
    project.update([], remote(project, surface.block("full-refresh", PAGE).strip()))
    assert project.table("warm_spells") == SPELLS_ABOVE_8


def test_python(project: Project) -> None:
    """Definitions in Python, one of them by match(), and one in SQL over a view in Python."""
    python = surface.block("python-tables", PAGE) + surface.block("python-match", PAGE)
    project.define("tables.py", python)
    text = surface.block("streaming-table", PAGE).replace("TABLE warm_spells", "TABLE sql_spells")
    watermark = "readings WATERMARK at DELAY OF INTERVAL 10 MINUTES"
    assert watermark in text
    project.define("spells.sql", text.replace(watermark, "timed_readings"))
    for hours, spells, warm in ((FIRST, SPELLS_1, WARM_1), (SECOND, SPELLS_2, WARM_2)):
        project.update(hours, remote(project, RUN))
        assert project.table("warm_spells") == without(3, spells)
        assert project.table("sql_spells") == without(3, spells)
        assert project.table("still_warm") == without(2, warm)


def test_two_clauses(project: Project) -> None:
    """With RocksDB, whose operator is another one; the example has the default state store."""
    setting = "spark.sql.streaming.stateStore.providerClass"
    provider = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    with (project.folder / "spark-pipeline.yml").open("a") as spec:
        spec.write(f"  {setting}: {provider}\n")
    project.define("units.sql", surface.block("two-clauses", PAGE))
    for hours, failing in ((FIRST, FAILING_1), (SECOND, FAILING_2)):
        project.update(hours, remote(project, RUN))
        assert project.table("failing_units") == without(3, failing)


#: Definitions, and what is printed about them.
WRONG = {
    "a.sql": (
        "CREATE MATERIALIZED VIEW wrong AS\nSELECT * FROM readings MATCH_RECOGNIZE (\n"
        "  ORDER BY at\n  PATTERN (WARM+ COOL)\n  DEFINE COLD AS celsius < 7)",
        "pyspark.errors.exceptions.connect.ParseException: \n"
        "[MATCH_RECOGNIZE.DEFINE_NOT_IN_PATTERN] DEFINE has a condition for COLD, which is not a "
        "variable of PATTERN. Write a variable of PATTERN (WARM, COOL), add COLD to PATTERN, or "
        "remove the condition. SQLSTATE: 42601\n"
        "== SQL (line 5, position 10) ==\n"
        "  DEFINE COLD AS celsius < 7)\n"
        "         ^^^^\n",
    ),
    "a.py": (
        "from pyspark import pipelines as dp\n\n\n@dp.table\ndef wrong():\n"
        "    return spark.sql('''SELECT * FROM readings MATCH_RECOGNIZE (\n"
        "      ORDER BY at\n      PATTERN (WARM+ COOL\n      DEFINE WARM AS celsius > 7)''')\n",
        "[MATCH_RECOGNIZE.MISSING_PARENTHESIS] The parenthesis after PATTERN is not closed. "
        "Write ) before DEFINE. SQLSTATE: 42601\n"
        "== SQL (line 3, position 15) ==\n"
        "      PATTERN (WARM+ COOL\n"
        "              ^\n",
    ),
    "b.py": (
        "from pyspark import pipelines as dp\nfrom match_recognize import match\n\n\n"
        "@dp.materialized_view\ndef wrong():\n"
        "    search = match(spark.read.table('readings')).order_by('at')\n"
        "    return search.pattern('A').measures(celsius='A.heat').to_df()\n",
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name "
        "`heat` cannot be resolved.",
    ),
    "c.py": (
        "from pyspark import pipelines as dp\n\n\n@dp.table\ndef copied():\n"
        "    return spark.readStream.table('readings')\n\n\n@dp.temporary_view\ndef timed():\n"
        "    return spark.readStream.table('copied').withWatermark('at', '1 minute')\n",
        "[TABLE_OR_VIEW_NOT_FOUND] The table or view `copied` cannot be found.",
    ),
}


def test_errors(project: Project) -> None:
    """A dry run prints the error with the text at fault, of each kind of definition."""
    for file, (text, expected) in WRONG.items():
        project.define(file, text)
        done = project.run(remote(project, DRY_RUN))
        said = done.stdout + done.stderr
        assert done.returncode != 0, said
        assert expected in said, said
        (project.folder / "transformations" / file).unlink()

    text = surface.block("streaming-table", PAGE)
    shown = surface.block("error-text", PAGE).replace(".default.", f".{project.name}.")
    project.define("spells.sql", text.replace(" WATERMARK at DELAY OF INTERVAL 10 MINUTES", ""))
    done = project.run(remote(project, DRY_RUN))
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    for part in shown.split("...\n"):
        assert part in said, said


@pytest.mark.parametrize(
    ("version", "definitions"),
    [
        ("4.1.4", {"a.py": ["python-tables"], "b.sql": ["materialized-view"]}),
        ("4.2.1", {"a.sql": ["streaming-table", "materialized-view"]}),
    ],
)
def test_earlier_sparks(version: str, definitions: dict[str, list[str]], tmp_path: Path) -> None:
    """On a local server of that Spark, which the page's settings give the extension."""
    subprocess.run(
        [surface.ROOT / "build" / "venv", version], check=True, stdout=subprocess.DEVNULL
    )
    python = surface.ROOT / "target" / "compat" / version / "bin" / "python"
    settings = dict(
        line.split() for line in surface.block("pipelines-defaults", PAGE).splitlines()
    )
    settings["spark.jars"] = match_recognize.jar_path(version)
    environment = surface.home(
        tmp_path,
        **{**settings, "spark.master": "", "spark.connect.grpc.binding.address": "127.0.0.1"},
    )
    del environment["SPARK_HOME"]
    programs = f"{python.parent}:{environment['PATH']}"
    environment |= {**FREE_PORT, "PATH": programs, "PYSPARK_PYTHON": str(python)}
    project = Project("trucks", tmp_path / "project", "local[1]", environment)
    project.create()
    for file, names in definitions.items():
        project.define(file, "".join(surface.block(name, PAGE) for name in names))
    local = surface.block("pipelines-local", PAGE).replace("$PWD/conf", str(tmp_path / "conf"))
    for hours, spells, warm in ((FIRST, SPELLS_1, WARM_1), (SECOND, SPELLS_2, WARM_2)):
        project.update(hours, local)
        selects = [f"SELECT * FROM trucks.{name}" for name in ("warm_spells", "still_warm")]
        assert project.query(*selects) == [without(3, spells), without(2, warm)]


def test_options_do_not_reach_the_local_server(tmp_path: Path) -> None:
    """Why the page says to write the settings into a file."""
    environment = surface.home(tmp_path, spark__master="") | FREE_PORT
    project = Project("options", tmp_path / "project", "local[1]", environment)
    (project.folder / "transformations").mkdir(parents=True)
    (project.folder / "spark-pipeline.yml").write_text(
        f"name: options\nstorage: {(tmp_path / 'storage').as_uri()}\nlibraries:\n"
        "  - glob:\n      include: transformations/**\n"
    )
    project.define("warm.sql", surface.block("materialized-view", PAGE))
    extension = "org.matchrecognize.spark.MatchRecognizeExtensions"
    options = f"--jars {match_recognize.jar_path()} --conf spark.sql.extensions={extension}"
    done = project.run(f"spark-pipelines {options} dry-run")
    assert done.returncode != 0
    assert "[PARSE_SYNTAX_ERROR]" in done.stdout + done.stderr
