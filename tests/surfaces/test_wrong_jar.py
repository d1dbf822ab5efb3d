"""The jar for another Spark says which one is right, instead of a class that is missing."""

from __future__ import annotations

from pathlib import Path

import match_recognize
import pytest
import surface

JOB = """\
from pyspark.sql import SparkSession
SparkSession.builder.getOrCreate().sql("SELECT 1").collect()
"""


# Of another Scala, and of the Spark before.
@pytest.mark.parametrize("minor", ["3.5", "4.2"])
def test_the_jar_of_another_spark(minor: str, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    command = surface.block("spark-submit").replace("spark://127.0.0.1:7077", "'local[1]'")
    done = surface.shell(command.replace(" jar)", f" jar --spark {minor})"), tmp_path)
    # Where spark-submit puts what Python says.
    said = done.stdout
    assert done.returncode != 0
    wrong = f"This jar (spark-match-recognize-spark-{minor}_"
    assert f"[MATCH_RECOGNIZE.WRONG_SPARK] {wrong}" in said, said + done.stderr
    right = Path(match_recognize.jar_path()).name
    assert f"Use {right}, which `python -m match_recognize jar` prints." in said
    assert "NoClassDefFoundError" not in said
