"""Q1, Q5 and Q6 in engines of one machine, which read the same Parquet files.

These engines do not know that a table is sorted, so this is the lane ``unsorted`` only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as sql

from benchmarks.answers import answer
from benchmarks.data.tables import cache, provide
from benchmarks.engines.engine import PYTHON, Engine, EngineError, engines
from benchmarks.parts.options import Bench
from benchmarks.parts.rounds import in_turn, spark_run
from benchmarks.questions import QUESTIONS, Question, ways
from benchmarks.results import Cell
from benchmarks.stopwatch import Run, TimeOverError

ASKED = ("Q1", "Q5", "Q6")


def run(bench: Bench) -> list[str]:
    """Compares the answers, then measures.

    Returns:
        What is wrong: answers that are not equal, and processes that fail.

    Raises:
        FileNotFoundError: the engines are not installed.
    """
    if not PYTHON.exists():
        raise FileNotFoundError(f"{PYTHON} is missing: run build/tools engines")
    wrong: list[str] = []
    for name in ASKED:
        question = QUESTIONS[name]
        provide(bench.spark, question.table, bench.options.rows)
        bench.cell(
            f"engines/{name}/{bench.options.rows}", partial(_measure, bench, question, wrong)
        )
    return wrong


def _measure(bench: Bench, question: Question, wrong: list[str]) -> Cell:
    text = next(way.text for way in ways(question, "unsorted") if way.name == "ours")
    ours = partial(bench.spark.sql, text)
    ways_of: dict[str, Cell] = {"ours": {"relation": "same", "remark": ""}}
    expected = answer(ours())
    ways_of["ours"]["out"] = expected.rows
    runs: dict[str, Callable[[], Run]] = {"ours": spark_run(bench, ours)}
    with ExitStack() as open_engines:
        for name in engines():
            folder = cache() / f"{question.table}-{bench.options.rows}"
            engine = Engine(name, question.folder, folder, bench.options.limit)
            open_engines.enter_context(engine)
            way: Cell = {"relation": "same", "remark": ""}
            ways_of[name] = way
            try:
                with tempfile.TemporaryDirectory() as temporary:
                    file = Path(temporary) / "answer.parquet"
                    engine.answer(file)
                    found = answer(_as_ours(bench.spark.read.parquet(str(file)), ours()))
            except TimeOverError:
                way["over"] = bench.options.limit
                continue
            except EngineError as error:
                way["error"] = str(error)[:200]
                wrong.append(f"{question.name}, {name}: {error}")
                continue
            way["out"], way["equal"] = found.rows, found == expected
            if not way["equal"]:
                wrong.append(f"{question.name}, {name}: {found}, ours: {expected}")
            runs[name] = engine.run
        if not bench.options.check:
            for name, measured in in_turn(bench, runs).items():
                ways_of[name].update(measured)
    return {"rows": bench.options.rows, "out": expected.rows, "ways": ways_of}


def _as_ours(frame: DataFrame, ours: DataFrame) -> DataFrame:
    """The columns with the types of ours: a hash depends on them."""
    return frame.select(
        *(sql.col(field.name).cast(field.dataType).alias(field.name) for field in ours.schema)
    )
