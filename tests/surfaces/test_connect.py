"""A Spark Connect server with the extension, and clients that have no Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import surface
import ticks
from surface import Server

READY = "Spark Connect server started"


@pytest.fixture(scope="module")
def connect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("connect")
    port = surface.free_port()
    command = surface.block("connect-server", connect=port)
    with surface.server(command, READY, folder, port, ui=surface.free_port()) as running:
        for statement in ticks.TABLE.split(";\n")[:2]:
            client(running, f"spark.sql({statement.rstrip(chr(59))!r}).collect()")
        yield running


def client(server: Server, program: str, python: Path | None = None) -> str:
    """Runs a program with a session ``spark``; by default in a Python that has no Spark."""
    text = (
        "from pyspark.sql import SparkSession\n"
        f"spark = SparkSession.builder.remote('sc://127.0.0.1:{server.port}').getOrCreate()\n"
    )
    return run(python or surface.tools("client") / "python", "-c", text + program)


def run(*command: object) -> str:
    # Without a java in the path, nothing can start a Spark by itself.
    # (pyspark-client 4.2.0 looks for a SPARK_HOME, of which it then uses nothing.)
    nowhere = {"PATH": "/nowhere", "SPARK_HOME": "/nowhere"}
    environment = {**nowhere, "HOME": os.environ.get("HOME", "/")}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=200, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "check", ["rows", "parameters", "views", "explain", "errors", "interrupt", "streams"]
)
def test_thin_client(connect: Server, check: str) -> None:
    script = surface.HERE / "clients" / "connect.py"
    run(surface.tools("client") / "python", script, f"sc://127.0.0.1:{connect.port}", check)
    surface.wait_for(lambda: connect.rest("stages?status=active") == [], 30)
    assert connect.rest("stages?status=active") == []


def test_the_page(connect: Server) -> None:
    program = surface.block("connect-client", connect=connect.port)
    said = run(surface.tools("client") / "python", "-c", program)
    assert "|low|" in said
    assert "|  8|" in said


def test_configure_and_enable_on_a_client(connect: Server) -> None:
    """With our wheel in the environment of the client: what must be set on the server."""
    address = f"sc://127.0.0.1:{connect.port}"
    program = f"""
import match_recognize
from pyspark.sql import SparkSession
try:
    match_recognize.configure(SparkSession.builder.remote({address!r}))
    raise AssertionError("not refused")
except match_recognize.MatchRecognizeError as error:
    assert "start-connect-server.sh" in str(error), error
    assert "spark.sql.extensions=org.matchrecognize.spark.MatchRecognizeExtensions" in str(error)
spark = SparkSession.builder.remote({address!r}).getOrCreate()
assert match_recognize.enable(spark) is spark
"""
    run(sys.executable, "-c", program)


def test_a_server_without_the_extension(tmp_path: Path) -> None:
    port = surface.free_port()
    command = (
        f"start-connect-server.sh --wait --conf spark.connect.grpc.binding.port={port}"
        " --conf spark.connect.grpc.binding.address=127.0.0.1"
    )
    with surface.server(command, READY, tmp_path, port) as bare:
        said = client(
            bare,
            "import match_recognize\n"
            "try:\n"
            "    match_recognize.enable(spark)\n"
            "except match_recognize.MatchRecognizeError as error:\n"
            "    print(error)\n",
            Path(sys.executable),
        )
    assert "a client cannot add it" in said
    assert "start-connect-server.sh --jars" in said
    assert "PARSE_SYNTAX_ERROR" in said


EACH = """
for n in range(3, 8):
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW v AS SELECT id FROM RANGE({n})")
    found = spark.sql("SELECT n FROM v MATCH_RECOGNIZE (MEASURES COUNT(*) AS n PATTERN (A+))")
    assert found.collect() == [(n,)], found.collect()
"""


def test_many_clients(connect: Server) -> None:
    """Eight clients at once, each with a session and views of its own."""
    with ThreadPoolExecutor(8) as clients:
        list(clients.map(lambda _: client(connect, EACH), range(8)))
