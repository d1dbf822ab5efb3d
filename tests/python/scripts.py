"""Runs a Python text in a process of its own, for what one process can do only once.

A process starts one JVM, and its class path, its extensions and whether it speaks Connect are
decided then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

from conftest import ROOT
from java_options import java_options


def run(script: str, **environment: str) -> str:
    """Runs a script and gives what it printed.

    It fails the test if the script fails. The environment has none of the variables that Spark
    reads but those given, and the options for the JVM.
    """
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=300,
        env={
            **inherited,
            # Spark would start its workers with whatever python3 is first in the path.
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_SUBMIT_OPTS": java_options(),
            **environment,
        },
        cwd=ROOT,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


PRELUDE = """\
import match_recognize
from match_recognize import MatchRecognizeError, configure, enable, jar_path
from match_recognize.session import probe
from pyspark.sql import SparkSession

def builder(master="local[2]"):
    builder = SparkSession.builder if master is None else SparkSession.builder.master(master)
    return builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")

def refusal(action):
    try:
        action()
    except MatchRecognizeError as error:
        return str(error)
    raise AssertionError("not refused")

"""
