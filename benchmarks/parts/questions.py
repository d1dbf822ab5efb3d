"""Q1 to Q12: ours and all other ways, in the two lanes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from pyspark.sql import DataFrame

from benchmarks import pandas_ways
from benchmarks.answers import Answer, answer, total
from benchmarks.data.tables import provide
from benchmarks.parts.options import Bench, reason
from benchmarks.parts.rounds import interleave
from benchmarks.questions import QUESTIONS, Question, Way, ways
from benchmarks.results import Cell
from benchmarks.stopwatch import TimeOverError, at_most

#: A prime that is close to no power of ten: a time modulo it is as good as drawn.
MODULUS = 786_433

MOVES = re.compile(r"^[^A-Za-z]*(Exchange|Sort) ", re.MULTILINE)


def run(bench: Bench, only: list[str]) -> list[str]:
    """Measures the questions named, or all.

    Returns:
        What is wrong: answers that are not equal, queries of ours that fail.
    """
    wrong: list[str] = []
    for question in QUESTIONS.values():
        if only and question.name not in only:
            continue
        provide(bench.spark, question.table, bench.options.rows)
        for lane in bench.options.lanes:
            name = f"questions/{question.name}/{lane}/{bench.options.rows}"
            bench.cell(name, _Cell(bench, question, lane, wrong).measure)
    return wrong


class _Cell:
    """One question in one lane."""

    def __init__(self, bench: Bench, question: Question, lane: str, wrong: list[str]) -> None:
        self.bench = bench
        self.question = question
        self.lane = lane
        self.wrong = wrong
        self.share = 1.0
        self.ways = ways(question, lane) + pandas_ways.pandas_ways(question)

    def measure(self) -> Cell:
        """Compares the answers, then runs all ways in rounds."""
        described = {way.name: self._describe(way) for way in self.ways}
        answers = self._answers(described)
        self._compare(answers, described)
        moves = self._moves() if "ours" in answers else []
        if self.lane == "sorted" and moves:
            self._complain("ours", f"moves what is in order: {moves}")
        if not self.bench.options.check:
            frames: dict[str, Callable[[], DataFrame]] = {
                way.name: partial(self._frame, way)
                for way in self.ways
                if set(described[way.name]).isdisjoint({"over", "error"})
            }
            for name, measured in interleave(self.bench, frames).items():
                described[name].update(measured)
        return {
            "rows": self.bench.options.rows,
            "out": answers["ours"].rows if "ours" in answers else None,
            "moves": moves,
            "ways": described,
        }

    def _describe(self, way: Way) -> dict[str, Any]:
        return {"relation": way.relation, "remark": way.remark}

    def _frame(self, way: Way) -> DataFrame:
        if way.name == "pandas":
            return pandas_ways.frame(self.bench.spark, self.question, self.lane)
        few = f"unix_micros(ts) % {MODULUS} < {round(self.share * MODULUS)}"
        return self.bench.spark.sql(way.text.replace("{as many}", few))

    def _answers(self, described: dict[str, dict[str, Any]]) -> dict[str, Answer]:
        """Each way's answer; what has none in time is not measured either."""
        found = {}
        for way in self.ways:
            try:
                with at_most(self.bench.spark, self.bench.options.limit):
                    if way.relation == "counts":
                        found[way.name] = Answer(total(self._frame(way), way.remark), 0)
                    elif way.relation != "reference" or way.name == "same_rows":
                        found[way.name] = answer(self._frame(way))
            except TimeOverError:
                described[way.name]["over"] = self.bench.options.limit
            except Exception as error:
                described[way.name]["error"] = reason(error)
                self._complain(way.name, reason(error))
            if way.name in found:
                described[way.name]["out"] = found[way.name].rows
            if way.name == "ours" and "ours" in found:
                self.share = found["ours"].rows / self.bench.options.rows
        return found

    def _compare(self, answers: dict[str, Answer], described: dict[str, dict[str, Any]]) -> None:
        """Whether they are equal where they have to be."""
        for way in self.ways:
            of = way.remark if way.relation == "equals" else "ours"
            if way.name not in answers or of not in answers or way.name == of:
                continue
            if way.relation in ("same", "equals"):
                equal = answers[way.name] == answers[of]
            elif way.relation == "counts":
                equal = answers[way.name].rows == answers[of].rows
            else:
                continue
            described[way.name]["equal"] = equal
            if not equal:
                self._complain(way.name, f"{answers[way.name]}, {of}: {answers[of]}")
        rows = ", ".join(f"{name} {found.rows}" for name, found in answers.items())
        print(f"{self.question.name} {self.lane}, rows returned: {rows}", flush=True)

    def _complain(self, way: str, what: str) -> None:
        self.wrong.append(f"{self.question.name}, {self.lane}, {way}: {what}")

    def _moves(self) -> list[str]:
        """Which of Exchange and Sort are in the physical plan of ours."""
        frame = self._frame(next(way for way in self.ways if way.name == "ours"))
        plan = frame._jdf.queryExecution().executedPlan().toString()
        return sorted(set(MOVES.findall(plan)))
