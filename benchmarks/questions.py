"""The questions Q1 to Q13, and all ways to ask each: the files of ``queries``.

A way is a file ``queries/QUESTION/WAY.sql``; ``ours.sql`` is the one with MATCH_RECOGNIZE. A
first line may say how its answer relates to ours, which it otherwise must equal:

* ``-- reference``: it answers nothing, it is what the question cannot do without;
* ``-- differs: HOW``: it answers something else;
* ``-- equals: WAY``: it has the answer of that way;
* ``-- counts: COLUMN``: the sum of the column is the number of rows of ours.

In the text ``{TABLE}`` is the table of the lane, ``{as many}`` a filter that lets as many rows
pass as ours outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.data.tables import TABLES

QUERIES = Path(__file__).resolve().parent / "queries"

#: Rows as they come, or in the order that the question requires.
LANES = ("unsorted", "sorted")


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        folder: of its ways.
        table: that it is about.
        columns: of the table that it reads.
    """

    folder: str
    table: str
    columns: tuple[str, ...]

    @property
    def name(self) -> str:
        """``Q1`` for ``q01_v_shape``."""
        return "Q" + self.folder.split("_")[0][1:].lstrip("0")


QUESTIONS = {
    question.name: question
    for question in [
        Question("q01_v_shape", "ticks", ("symbol", "ts", "price")),
        Question("q02_w_shape_overlap", "ticks", ("symbol", "ts", "price")),
        Question("q03_rising_run", "ticks", ("symbol", "ts", "price")),
        Question("q04_avg_limited_run", "ticks", ("symbol", "ts", "volume")),
        Question("q05_funnel_1h", "clicks", ("user_id", "ts", "event", "amount")),
        Question("q05b_checkout_1h", "clicks", ("user_id", "ts", "event", "amount")),
        Question("q06_sessions", "clicks", ("user_id", "ts", "amount")),
        Question("q07_flapping_sensor", "sensors", ("device", "ts", "temp")),
        Question("q08_card_test_then_big", "cards", ("card", "ts", "amount")),
        Question("q09_crime_rbm", "crimes", ("id", "ts", "cat", "lat", "lon")),
        Question("q10_permute_login", "clicks", ("user_id", "ts", "event", "amount")),
        Question("q12_all_rows_exclusion", "ticks", ("symbol", "ts", "price")),
        Question("q12b_unmatched_rows", "ticks", ("symbol", "ts", "price")),
        Question("q13_dip_and_recovery", "ticks", ("symbol", "ts", "price")),
    ]
}


@dataclass(frozen=True)
class Way:
    """One way to ask a question.

    Attributes:
        name: ``ours``, or what the other way does.
        text: SQL, or for a function in Python its name.
        relation: ``same``, ``reference``, ``differs``, ``equals`` or ``counts``.
        remark: the text after the relation.
    """

    name: str
    text: str
    relation: str = "same"
    remark: str = ""


def ways(question: Question, lane: str) -> list[Way]:
    """All ways in SQL: ours first, then the references, then the others."""
    files = [
        _read(path, question, lane) for path in sorted((QUERIES / question.folder).iterdir())
    ]
    ours = [way for way in files if way.name == "ours"]
    others = [way for way in files if way.name != "ours"]
    return ours + references(question, lane) + others


def references(question: Question, lane: str) -> list[Way]:
    """The parts that any way has to do: reading, moving, sorting, looking at the row before."""
    table = TABLES[question.table]
    name = in_lane(question.table, lane)
    columns = ", ".join(question.columns)
    order = ", ".join(table.order)
    by_key = f"PARTITION BY {', '.join(table.keys)} " if table.keys else ""
    lag = (
        f"SELECT {columns}, LAG({question.columns[-1]}) OVER ({by_key}ORDER BY {order}) AS before"
    )
    texts = {"scan": f"SELECT {columns} FROM {name}", "lag": f"{lag} FROM {name}"}
    if lane == "unsorted":
        moved = (
            f"SELECT {columns} FROM {name} DISTRIBUTE BY {', '.join(table.keys)}"
            if table.keys
            else f"SELECT /*+ REPARTITION(1) */ {columns} FROM {name}"
        )
        texts["exchange"] = moved
        texts["exchange_sort"] = f"SELECT * FROM ({moved}) SORT BY {', '.join(table.sorted_by)}"
    return [Way(name, text, "reference") for name, text in texts.items()]


def in_lane(table: str, lane: str) -> str:
    """The name of a table's copy."""
    return f"{table}_sorted" if lane == "sorted" else table


def _read(path: Path, question: Question, lane: str) -> Way:
    text = path.read_text().strip()
    first = text.splitlines()[0].removeprefix("-- ")
    relation, _, remark = first.partition(": ")
    if relation not in ("reference", "differs", "equals", "counts"):
        relation, remark = "same", ""
    table = in_lane(question.table, lane)
    return Way(path.stem, text.replace(f"{{{question.table}}}", table), relation, remark)
