"""The demo's answers, worked out a second time in plain Python, without any row patterns.

Falls and rises are found as runs of signs of the daily change, dips and rebounds by loops over
indexes: if engine and loop agree on the data, the numbers that the demo prints are right.
"""

from __future__ import annotations

import csv
import gzip
import importlib
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest
from conftest import ROOT
from java_options import java_options
from match_recognize.demo import questions
from match_recognize.demo.__main__ import DATA, create_views
from match_recognize.tables import text_table
from pyspark.sql import SparkSession

Row = tuple[object, ...]
Reading = tuple[datetime, Decimal]


class Close(NamedTuple):
    day: date
    price: Decimal


class Run(NamedTuple):
    """Days that all change in one direction: ``sign`` is it, ``last`` is the last of them.

    ``first`` is the day before the first change: a run's ``first`` is the ``last`` of the run
    before it.
    """

    sign: int
    first: Close
    last: Close
    days: int


def round_half_up(number: Fraction | Decimal, digits: int) -> Decimal:
    exact = (
        Decimal(number.numerator) / number.denominator if isinstance(number, Fraction) else number
    )
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def percent(later: Decimal, earlier: Decimal) -> Decimal:
    return round_half_up(100 * (Fraction(later) / Fraction(earlier) - 1), 1)


@pytest.fixture(scope="module")
def closes() -> dict[str, list[Close]]:
    shares: dict[str, list[Close]] = {}
    with gzip.open(DATA / "stocks.csv.gz", "rt") as file:
        for line in csv.DictReader(file):
            price = round_half_up(Decimal(line["Adj Close"]), 4)
            close = Close(date.fromisoformat(line["Date"]), price)
            shares.setdefault(line["Ticker"], []).append(close)
    return {symbol: sorted(rows) for symbol, rows in sorted(shares.items())}


@pytest.fixture(scope="module")
def readings() -> list[Reading]:
    with gzip.open(DATA / "refrigerator.csv.gz", "rt") as file:
        return [
            (datetime.fromisoformat(line["time"]), Decimal(line["celsius"]))
            for line in csv.DictReader(file)
        ]


def runs(rows: list[Close]) -> list[Run]:
    signs = [(b.price > a.price) - (b.price < a.price) for a, b in itertools.pairwise(rows)]
    found = []
    start = 0
    for sign, group in itertools.groupby(signs):
        days = len(list(group))
        found.append(Run(sign, rows[start], rows[start + days], days))
        start += days
    return found


def v_shapes(closes: dict[str, list[Close]]) -> list[Row]:
    found = [
        (
            symbol,
            fall.first.day,
            fall.last.day,
            rise.last.day,
            percent(fall.last.price, fall.first.price),
            percent(rise.last.price, fall.last.price),
        )
        for symbol, rows in closes.items()
        for fall, rise in itertools.pairwise(runs(rows))
        if (fall.sign, rise.sign) == (-1, 1) and fall.days >= 4 and rise.days >= 4
    ]
    return sorted(found, key=lambda row: (row[4], row[1]))[:5]


def double_bottoms(closes: dict[str, list[Close]]) -> list[Row]:
    found = []
    for symbol, rows in closes.items():
        each = runs(rows)
        # A W's last rise cannot be part of the next one, but its last day can be its top.
        free_from = 0
        for i in range(len(each) - 3):
            down, _up, down_again, up_again = four = each[i : i + 4]
            near = abs(
                Fraction(down_again.last.price) / Fraction(down.last.price) - 1
            ) < Fraction(2, 100)
            if (
                i >= free_from
                and [run.sign for run in four] == [-1, 1, -1, 1]
                and min(run.days for run in four) >= 3
                and near
            ):
                found.append(
                    (
                        symbol,
                        down.first.day,
                        down.last.day,
                        down_again.last.day,
                        up_again.last.day,
                        round_half_up(down.last.price, 2),
                        round_half_up(down_again.last.price, 2),
                    )
                )
                free_from = i + 4
    return sorted(found, key=lambda row: row[1])


def longest_rises(closes: dict[str, list[Close]]) -> list[Row]:
    found = [
        (symbol, run.first.day, run.last.day, run.days, percent(run.last.price, run.first.price))
        for symbol, rows in closes.items()
        for run in runs(rows)
        if run.sign == 1
    ]
    return sorted(found, key=lambda row: (-row[3], row[1]))[:5]


def dips(rows: list[Close]) -> Iterator[tuple[int, int]]:
    """First and last index of each dip of more than 10 % that is made good within 30 rows."""
    peak = 0
    while peak < len(rows):
        top = rows[peak].price
        back = next(
            (i for i in range(peak + 1, min(peak + 31, len(rows))) if rows[i].price >= top), None
        )
        between = [row.price for row in rows[peak + 1 : back]] if back else []
        if back and between and min(between) < Decimal("0.9") * top:
            yield peak, back
            peak = back + 1
        else:
            peak += 1


def dip_summary(closes: dict[str, list[Close]]) -> list[Row]:
    summary = []
    for symbol, rows in closes.items():
        found = list(dips(rows))
        if found:
            depths = [
                percent(min(row.price for row in rows[peak:back]), rows[peak].price)
                for peak, back in found
            ]
            days = sum(back - peak for peak, back in found)
            average = float(round_half_up(Fraction(days, len(found)), 1))
            summary.append((symbol, len(found), min(depths), average))
    return summary


def day_by_day(closes: dict[str, list[Close]]) -> list[Row]:
    rows = [row for row in closes["AAPL"] if date(2008, 9, 25) <= row.day <= date(2008, 10, 20)]
    table: list[Row] = []
    for peak, back in dips(rows):
        for i in range(peak, back + 1):
            below = [row.price for row in rows[peak + 1 : min(i + 1, back)]]
            table.append(
                (
                    rows[i].day,
                    round_half_up(rows[i].price, 2),
                    {peak: "PEAK", back: "BACK"}.get(i, "BELOW"),
                    percent(rows[i].price, rows[peak].price),
                    round_half_up(min(below), 2) if below else None,
                )
            )
    return table


def rebounds(readings: list[Reading]) -> list[Row]:
    found = []
    end = -1
    for is_cold, group in itertools.groupby(range(len(readings)), lambda i: readings[i][1] < 2):
        cold = [i for i in group if i > end]
        if not is_cold or not cold:
            continue
        warm = next((i for i in range(cold[-1] + 1, len(readings)) if readings[i][1] > 8), None)
        if warm is None or not 2 <= warm - cold[-1] <= 19:
            continue
        after = readings[cold[-1] : warm + 1]
        steady = all(b[0] - a[0] <= timedelta(minutes=10) for a, b in itertools.pairwise(after))
        if steady and all(celsius >= 2 for _, celsius in after[1:]):
            end = warm
            minutes = (readings[warm][0] - after[0][0]) // timedelta(minutes=1)
            coldest = min(readings[i][1] for i in cold)
            found.append((readings[cold[0]][0], coldest, after[0][0], *readings[warm], minutes))
    return sorted(found, key=lambda row: (row[5], row[0]))[:5]


@pytest.fixture(scope="module")
def demo_session(spark: SparkSession) -> SparkSession:
    session = spark.newSession()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    session.conf.set("spark.sql.session.timeZone", "UTC")
    create_views(session)
    return session


def test_the_data_are_what_the_note_says(
    closes: dict[str, list[Close]], readings: list[Reading]
) -> None:
    assert {symbol: len(rows) for symbol, rows in closes.items()} == {
        "AAPL": 3270,
        "FB": 196,
        "GOOG": 2148,
        "IBM": 3270,
        "MSFT": 3270,
    }
    assert len(readings) == 22_900


def test_the_readings_are_what_the_program_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module("demo_readings")
    # Libraries differ in how they compress.
    assert gzip.decompress(made.FILE.read_bytes()).decode() == made.text()


def test_answers(
    demo_session: SparkSession,
    closes: dict[str, list[Close]],
    readings: list[Reading],
    subtests: pytest.Subtests,
) -> None:
    expected = {
        "v_shape": v_shapes(closes),
        "double_bottom": double_bottoms(closes),
        "longest_rise": longest_rises(closes),
        "dip": dip_summary(closes),
        "day_by_day": day_by_day(closes),
        "rebound": rebounds(readings),
    }
    assert set(expected) == {question.name for question in questions.QUESTIONS}
    for question in questions.QUESTIONS:
        with subtests.test(question.name):
            answer = [tuple(row) for row in demo_session.sql(question.sql).collect()]
            assert answer == expected[question.name]
            assert answer, "a question without an answer shows nothing"


def test_the_plain_answers_are_not_trivial(
    closes: dict[str, list[Close]], readings: list[Reading]
) -> None:
    # What the files gave when the demo was written: a check of the second way itself.
    assert v_shapes(closes)[0][:4] == (
        "IBM",
        date(2005, 3, 31),
        date(2005, 4, 20),
        date(2005, 4, 27),
    )
    assert [row[0] for row in double_bottoms(closes)] == ["MSFT", "GOOG", "MSFT"]
    assert longest_rises(closes)[0][:4] == ("AAPL", date(2003, 4, 25), date(2003, 5, 13), 12)
    assert sum(row[1] for row in dip_summary(closes)) == 77
    assert len(day_by_day(closes)) == 9
    assert [row[5] for row in rebounds(readings)] == [20, 35, 45, 50, 65]


def test_make_demo_prints_it() -> None:
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("SPARK_", "PYSPARK_"))
    }
    environment["SPARK_SUBMIT_OPTS"] = java_options()
    done = subprocess.run(
        [sys.executable, "-m", "match_recognize.demo"],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    for question in questions.QUESTIONS:
        assert question.title in done.stdout
    assert "2005-04-20" in done.stdout
    assert "What to try next" in done.stdout
    assert "WARN" not in done.stdout


def test_text_table() -> None:
    rows = [("a", 1, Decimal("1.50"), None), ("bcd", 20, None, datetime(2020, 1, 2, 3, 4))]
    assert text_table(["name", "n", "x", "at"], rows) == [
        "name   n     x  at",
        "----  --  ----  ----------------",
        "a      1  1.50",
        "bcd   20        2020-01-02 03:04",
    ]
