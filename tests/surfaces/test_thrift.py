"""A Thrift server with the extension, and its clients: beeline, PyHive, JDBC, dbt."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import surface
import ticks
from surface import Server

CLIENTS = surface.HERE / "clients"


@pytest.fixture(scope="module")
def thrift(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("thrift")
    port = surface.free_port()
    command = surface.block("thrift-server", thrift=port)
    started = surface.server(
        command, "HiveThriftServer2 started", folder, port, ui=surface.free_port()
    )
    with started as running:
        for statement in ticks.TABLE.split(";\n")[:2]:
            assert sql(running, statement.rstrip(";\n")) == []
        yield running


def hive(script: str, *words: object, stdin: str = "", seconds: int = 200) -> str:
    """Runs a client program in a Python that knows PyHive and no Spark."""
    done = subprocess.run(
        [surface.tools("hive") / "python", CLIENTS / script, *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=seconds,
        env={"PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sql(server: Server, text: str, parameters: dict[str, object] | None = None) -> Any:
    """The rows of a statement, or what its error says."""
    return sqls(server, (text, parameters))[0]


def sqls(server: Server, *statements: tuple[str, dict[str, object] | None]) -> list[Any]:
    return json.loads(hive("sql_over_hive.py", server.port, stdin=json.dumps(statements)))


class TestPyHive:
    def test_rows(self, thrift: Server) -> None:
        assert sql(thrift, ticks.LOWS) == ticks.ANSWER

    def test_parameters(self, thrift: Server) -> None:
        text = ticks.LOWS.replace("PREV(price)", "PREV(price) AND price >= %(least)s")
        assert sql(thrift, text, {"least": 3}) == ticks.ANSWER_FROM_3

    def test_question_marks(self, thrift: Server) -> None:
        text = ticks.LOWS.replace("DOWN+", r"DOWN+? B?? C\?\?")
        assert sql(thrift, text) == ticks.ANSWER

    def test_a_view_in_the_session_of_another(self, thrift: Server) -> None:
        assert sql(thrift, f"CREATE VIEW lows AS {ticks.LOWS}") == []
        assert sql(thrift, "SELECT * FROM lows WHERE symbol = 'b'") == ticks.ANSWER[1:]
        (row,) = sql(thrift, "SHOW CREATE TABLE lows")
        assert "MATCH_RECOGNIZE" in row[0]
        assert sql(thrift, "DROP VIEW lows") == []

    @pytest.mark.parametrize(
        ("text", "condition", "state"),
        [
            (ticks.WRONG, ticks.WRONG_CONDITION, ticks.WRONG_STATE),
            (ticks.FAILING, ticks.FAILING_CONDITION, ticks.FAILING_STATE),
        ],
        ids=["analysis", "run time"],
    )
    def test_errors(self, thrift: Server, text: str, condition: str, state: str) -> None:
        error = sql(thrift, text)
        assert f"[{condition}]" in error["message"]
        assert f"SQLSTATE: {state}" in error["message"]
        # The line with the target, and carets under it.
        assert re.search(r"SKIP TO Z PATTERN.*\n +\^", error["message"]), error["message"]
        assert error["state"] == state

    def test_cancel(self, thrift: Server) -> None:
        client = subprocess.Popen(
            [surface.tools("hive") / "python", CLIENTS / "cancel_over_hive.py", str(thrift.port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert client.stdin is not None
        client.stdin.write(f"{ticks.ENDLESS}\n;\n")
        client.stdin.flush()
        surface.wait_for(lambda: thrift.rest("stages?status=active"), 60)
        assert thrift.rest("stages?status=active") != []
        said, _ = client.communicate("now\n", timeout=120)
        assert said.split() == ["RUNNING_STATE", "CANCELED_STATE"]
        # Nothing searches on.
        surface.wait_for(lambda: thrift.rest("stages?status=active") == [], 30)
        assert thrift.rest("stages?status=active") == []
        assert sql(thrift, ticks.LOWS) == ticks.ANSWER


def test_the_page_about_pyhive(thrift: Server) -> None:
    program = surface.block("pyhive", thrift=thrift.port)
    done = subprocess.run(
        [surface.tools("hive") / "python", "-c", program], capture_output=True, text=True
    )
    assert done.stdout == "[('a', 3), ('b', 2)]\n", done.stderr


class TestBeeline:
    def beeline(self, server: Server, folder: Path, text: str) -> Any:
        (folder / "lows.sql").write_text(text)
        return surface.shell(surface.block("beeline", thrift=server.port), folder)

    def test_rows(self, thrift: Server, tmp_path: Path) -> None:
        done = self.beeline(thrift, tmp_path, f"{ticks.LOWS};\n")
        assert done.returncode == 0, done.stderr
        # Beeline shows its prompt for each line of a script.
        lines = [line.rpartition("> ")[2] for line in done.stdout.splitlines()]
        rows = list(csv.reader(line for line in lines if "," in line))
        assert rows == [["symbol", "low"], ["a", "3"], ["b", "2"]]

    def test_an_error(self, thrift: Server, tmp_path: Path) -> None:
        done = self.beeline(thrift, tmp_path, f"{ticks.WRONG};\n")
        assert done.returncode != 0
        assert f"[{ticks.WRONG_CONDITION}]" in done.stderr
        assert f"state={ticks.WRONG_STATE}" in done.stderr


@pytest.fixture(scope="module")
def said(thrift: Server) -> str:
    """What a JDBC program printed."""
    return java(CLIENTS / "Jdbc.java", str(thrift.port), ENDLESS=ticks.ENDLESS)


class TestJdbc:
    def test_question_marks_that_survive_the_driver(self, said: str) -> None:
        assert "\nA DOWN+\\? B\\?: a3 b2\n" in f"\n{said}"
        assert "A DOWN{1,1} B{0,1}: a3 b2\n" in said
        assert "A DOWN{1,}\\? B\\?\\?: a3 b2\n" in said

    def test_a_bare_question_mark_is_a_parameter_of_the_driver(self, said: str) -> None:
        # With one of two set it is silent about which; the statement never leaves the client.
        assert "bare: Parameter #2 is unset\n" in said

    def test_metadata(self, said: str) -> None:
        assert "columns: symbol string low int\n" in said

    def test_errors(self, said: str) -> None:
        assert "state: 42601\n" in said
        message = said.partition("message: ")[2].partition("end of message")[0]
        assert "[MATCH_RECOGNIZE.SECOND_QUANTIFIER]" in message
        assert "== SQL (line 1, position " in message

    def test_cancel(self, said: str) -> None:
        seconds = re.search(r"cancel: (\d+) s\n", said)
        assert seconds is not None, said
        assert int(seconds[1]) < 60
        assert "after: a3 b2\n" in said

    def test_the_page(self, thrift: Server, tmp_path: Path) -> None:
        body = surface.block("jdbc", thrift=thrift.port)
        text = f"public static void main(String[] words) throws Exception {{\n{body}}}"
        program = tmp_path / "Page.java"
        program.write_text(f"import java.sql.*;\nclass Page {{\n{text}\n}}\n")
        assert java(program) == "a 3\nb 2\n"


def java(program: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        ["java", "-cp", f"{surface.SPARK_HOME}/jars/*", program, *words],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_32_clients_for_a_minute(thrift: Server) -> None:
    counts = hive("many_over_hive.py", thrift.port, 32, 60).split()
    assert len(counts) == 32
    # Every client gets answers.
    assert all(int(count) > 0 for count in counts), counts


def test_dbt(thrift: Server, tmp_path: Path) -> None:
    """A project with a seed, a table and a view made by the clause, and tests of its own."""
    project = tmp_path / "project"
    shutil.copytree(surface.HERE / "dbt", project)
    done = subprocess.run(
        [surface.tools("dbt") / "dbt", "build", "--profiles-dir", ".", "--no-use-colors"],
        cwd=project,
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "THRIFT_PORT": str(thrift.port),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        },
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ERROR=0" in done.stdout
    assert sql(thrift, "SELECT * FROM falls ORDER BY symbol") == [["a", 5, 3], ["b", 7, 2]]
    assert sql(thrift, "SELECT * FROM deep_falls") == [["b", 5]]
    manifest = json.loads((project / "target" / "manifest.json").read_text())
    assert "model.prices.falls" in manifest["nodes"]


def test_python_of_the_clients_has_no_spark() -> None:
    found = subprocess.run([surface.tools("hive") / "python", "-c", "import pyspark"])
    assert found.returncode != 0
    assert sys.executable != str(surface.tools("hive") / "python")
