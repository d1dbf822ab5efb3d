"""Streaming queries from Kafka to Kafka and from Delta to Delta, and the example applications."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import streamed
import surface
from test_lakehouse import DELTA, DELTA_JARS, DELTA_SETTINGS, jars

from examples.kafka.broker import broker
from examples.kafka.jars import jars as kafka_jars

#: The newest Spark that both have jars for.
SPARK = "4.2.1"

PROGRAM = surface.HERE / "clients" / "streams.py"


def run(folder: Path, *words: object, given: str = "", **settings: str) -> str:
    """What a program prints on that Spark.

    Args:
        folder: of the program; all that it writes goes there.
        words: the program and its arguments, as for Python.
        given: its standard input.
        settings: with ``__`` for a dot.
    """
    subprocess.run(
        [surface.ROOT / "build" / "venv", SPARK], check=True, stdout=subprocess.DEVNULL
    )
    python = surface.ROOT / "target" / "compat" / SPARK / "bin" / "python"
    environment = surface.home(folder, **settings)
    del environment["SPARK_HOME"]
    environment["PYSPARK_PYTHON"] = str(python)
    environment["PYTHONPATH"] = f"{surface.ROOT}:{surface.ROOT / 'python'}"
    process = subprocess.Popen(
        [python, *map(str, words)],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, errors = process.communicate(given, timeout=400)
    finally:
        surface.stop(process)
    assert process.returncode == 0, out[-3000:] + errors[-3000:]
    return out


def last_line(out: str) -> Any:
    return json.loads(out.splitlines()[-1])


def test_abandoned_checkouts(tmp_path: Path) -> None:
    """The program itself compares what it found with plain Python."""
    out = run(tmp_path, "-m", "examples.abandoned_checkouts", "--hours", "0.5")
    assert re.search(r"^abandoned-checkouts +\d+ ", out, re.MULTILINE), out
    assert re.search(r"^completed-checkouts +\d+ ", out, re.MULTILINE), out
    assert re.search(r"^[1-9]\d* late events were dropped", out, re.MULTILINE), out


def test_account_takeover(tmp_path: Path) -> None:
    out = run(tmp_path, "-m", "examples.account_takeover", "--hours", "0.5")
    assert re.search(r"^takeover-alerts +\d+ ", out, re.MULTILINE), out
    assert re.search(r"^[1-9]\d* late events were dropped", out, re.MULTILINE), out


def test_kafka_to_kafka(tmp_path: Path) -> None:
    settings = {"spark__jars": ",".join(map(str, kafka_jars("connector")))}
    with broker() as address:
        out = run(tmp_path, PROGRAM, "kafka", address, tmp_path, **settings)
    found, batch = last_line(out)
    assert found == batch == streamed.ANSWER


def test_delta_to_delta(tmp_path: Path) -> None:
    files = ",".join(jars(*DELTA_JARS))
    settings = {**DELTA_SETTINGS, "spark.sql.extensions": DELTA, "spark.jars": files}
    out = run(tmp_path, PROGRAM, "delta", tmp_path, **settings)
    found, batch = last_line(out)
    assert found == batch == streamed.ANSWER
