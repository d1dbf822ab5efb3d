"""Runs the demo."""

from __future__ import annotations

import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from match_recognize.demo.questions import PARTS, SETUP, Question
from match_recognize.errors import MatchRecognizeError
from match_recognize.session.extension import configure
from match_recognize.session.jars import installed_spark
from match_recognize.session.probe import first_lines
from match_recognize.session.quiet import jvm_log
from match_recognize.tables import text_table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DATA = Path(__file__).resolve().parent / "data"
WIDTH = 96

NEXT = """\
What to try next

  * Your own data: from match_recognize import configure
                   spark = configure(SparkSession.builder).getOrCreate()
                   spark.sql("SELECT * FROM ... MATCH_RECOGNIZE ( ... )")
    In a notebook that has a session already: spark = match_recognize.enable(spark)
  * Change a question: they are in {questions}.
    Make UP{{4,}} in the first UP{{4,}}? and see the matches stop at the fourth rising day.
  * The plan: spark.sql("...").explain() shows the operator MatchRecognize.
  * If something does not work: python -m match_recognize doctor"""


def main() -> int:
    """Asks every question, prints the answers and returns the exit code."""
    began = time.monotonic()
    print("MATCH_RECOGNIZE in Apache Spark SQL, on real prices and made temperatures")
    with jvm_log() as log:
        try:
            spark = start()
        except Exception as error:
            print(f"\nSpark does not start: {first_lines(error)}")
            if not isinstance(error, MatchRecognizeError):
                print("python -m match_recognize doctor says more.")
            return 1
        finally:
            # The JVM keeps writing to it; Windows does not remove a file that is open.
            with suppress(OSError):
                log.unlink()
    try:
        print(f"Spark {installed_spark()}, ready after {time.monotonic() - began:.0f} s")
        number = 0
        for data, questions in PARTS:
            print(f"\n\n{data}\n{'=' * len(data)}")
            for question in questions:
                number += 1
                ask(spark, number, question)
        print(f"\n\n{NEXT.format(questions=DATA.parent / 'questions.py')}")
        print(f"\n{number} questions in {time.monotonic() - began:.0f} s, start included.")
    finally:
        spark.stop()
    return 0


def start() -> SparkSession:
    """A small Spark on this machine, with the demo's views.

    Returns:
        The session.

    Raises:
        MatchRecognizeError: MATCH_RECOGNIZE cannot be set up here.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("match_recognize demo")
    builder.config(
        map={
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
            # The times in the data have no zone; UTC has no hour that is missing or comes twice.
            "spark.sql.session.timeZone": "UTC",
        }
    )
    spark = configure(builder).getOrCreate()
    create_views(spark)
    return spark


def create_views(spark: SparkSession) -> None:
    """Creates the views that the questions read, and keeps their rows in memory."""
    for statement in SETUP:
        spark.sql(statement.replace("{data}", str(DATA)))
    for table in ("stocks", "readings"):
        spark.sql(f"CACHE TABLE {table}")


def ask(spark: SparkSession, number: int, question: Question) -> None:
    """Runs one query and prints question, query and answer."""
    print(f"\n{number}. {question.title}")
    print(textwrap.indent(textwrap.fill(question.words, WIDTH), "   "))
    print(f"\n{textwrap.indent(question.sql, '      ')}\n", flush=True)
    began = time.monotonic()
    frame = spark.sql(question.sql)
    rows = frame.collect()
    seconds = time.monotonic() - began
    print(textwrap.indent("\n".join(text_table(frame.columns, rows)), "   "))
    print(f"   ({len(rows)} rows, {seconds:.1f} s)\n")
    print(textwrap.indent(textwrap.fill(question.reading, WIDTH), "   "))


if __name__ == "__main__":
    sys.exit(main())
