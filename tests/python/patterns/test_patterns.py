"""The ready-made patterns, with answers worked out by hand: ties, NULLs, and two keys."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from match_recognize import Match, MatchRecognizeError, match, patterns
from pyspark.sql import SparkSession

Rows = list[tuple[Any, ...]]


def found(made: Match) -> Rows:
    return sorted((tuple(row) for row in made.to_df().collect()), key=repr)


@pytest.fixture
def by_key(spark: SparkSession) -> Callable[[Rows, str], Match]:
    """Rows in the order of ``at``, divided by the column ``k``."""

    def make(rows: Rows, columns: str) -> Match:
        frame = spark.createDataFrame(rows, f"k STRING, at INT, {columns}")
        return match(frame).partition_by("k").order_by("at")

    return make


def test_sessions(by_key: Callable[[Rows, str], Match]) -> None:
    # 9 is exactly 5 after 4; 15 is 6 after 9. Two rows are at 4. Key q has a row without a time.
    times = [("p", t, 0) for t in (1, 4, 4, 9, 15, 16)] + [("q", None, 0), ("q", 9, 0)]
    rows = by_key(times, "x INT")
    assert found(rows.pipe(patterns.sessions, gap=5)) == [
        ("p", 1, 9, 4),
        ("p", 15, 16, 2),
        ("q", 9, 9, 1),
        ("q", None, None, 1),
    ]
    # 9 is 8 after 1, more than 7: it begins a session, which 15 does not belong to.
    assert found(rows.pipe(patterns.sessions, gap=5, at_most=7)) == [
        ("p", 1, 4, 3),
        ("p", 15, 16, 2),
        ("p", 9, 9, 1),
        ("q", 9, 9, 1),
    ]


def test_sessions_by_time(spark: SparkSession) -> None:
    at = spark.sql(
        "SELECT TIMESTAMP '2026-01-01 10:00:00' + x * INTERVAL 1 MINUTE AS t FROM "
        "VALUES (0), (30), (61) AS v(x)"
    )
    half_hour = datetime.timedelta(minutes=30)
    for gap in (half_hour, "INTERVAL 30 MINUTES"):
        made = patterns.sessions(match(at).order_by("t"), gap).measures(minute="MINUTE(LAST(t))")
        assert [row[2:] for row in found(made)] == [(2, 30), (1, 1)]


def test_streaks(by_key: Callable[[Rows, str], Match]) -> None:
    results = ["won", "won", "lost", None, None, "won"]
    rows = by_key([("p", i, r) for i, r in enumerate(results)] + [("q", 7, "won")], "r STRING")
    assert found(rows.pipe(patterns.streaks, by="r")) == [
        ("p", "lost", 2, 2, 1),
        ("p", "won", 0, 1, 2),
        ("p", "won", 5, 5, 1),
        ("p", None, 3, 4, 2),
        ("q", "won", 7, 7, 1),
    ]


def test_streaks_of_a_column_with_a_name_of_the_result(
    by_key: Callable[[Rows, str], Match],
) -> None:
    rows = by_key([("p", 1, 2)], "Length INT")
    with pytest.raises(MatchRecognizeError, match="returns a column Length of its own; rename"):
        rows.pipe(patterns.streaks, by="Length")


def test_streaks_of_several_values(by_key: Callable[[Rows, str], Match]) -> None:
    rows = [(1, "Bonn", 1), (2, "Bonn", 1), (3, "Bonn", None), (4, "Bonn", None), (5, None, None)]
    made = by_key([("p", *row) for row in rows], "city STRING, level INT")
    assert found(made.pipe(patterns.streaks, by=["city", "level"])) == [
        ("p", "Bonn", 1, 1, 2, 2),
        ("p", "Bonn", None, 3, 4, 2),
        ("p", None, None, 5, 5, 1),
    ]


def test_funnel(by_key: Callable[[Rows, str], Match]) -> None:
    pages = ["view", "help", "cart", None, "pay"]
    rows = by_key(
        [("p", i, page) for i, page in enumerate(pages, 1)]
        # q views twice and puts nothing into the cart; its payment is no step before that.
        + [("q", 1, "view"), ("q", 2, "pay"), ("q", 2, "view")],
        "page STRING",
    )
    steps = {"viewed": "page = 'view'", "added": "page = 'cart'", "paid": "page = 'pay'"}
    assert found(rows.pipe(patterns.funnel, steps)) == [
        ("p", 1, 3, 5, 3),
        ("q", 1, None, None, 1),
        ("q", 2, None, None, 1),
    ]
    # The payment comes 4 after the view, the cart 2 after it.
    assert found(rows.pipe(patterns.funnel, steps, within=3))[0] == ("p", 1, 3, None, 2)
    # A page of help follows the view.
    assert found(rows.pipe(patterns.funnel, steps, strict=True))[0] == ("p", 1, None, None, 1)
    assert [row[1] for row in found(rows.pipe(patterns.funnel, steps))] == [1, 1, 2]


def test_each_row_of_the_first_step_has_its_own_funnel(
    by_key: Callable[[Rows, str], Match],
) -> None:
    pages = [("p", 0, "view"), ("p", 50, "view"), ("p", 55, "cart"), ("p", 90, "pay")]
    steps = {"viewed": "page = 'view'", "added": "page = 'cart'", "paid": "page = 'pay'"}
    # The payment is 90 after the first view, and 40 after the second.
    assert found(by_key(pages, "page STRING").pipe(patterns.funnel, steps, within=60)) == [
        ("p", 0, 55, None, 2),
        ("p", 50, 55, 90, 3),
    ]


def test_rises(by_key: Callable[[Rows, str], Match]) -> None:
    # A tie and a NULL end a series.
    values = [1, 2, 3, 3, 4, 5, None, 6, 7]
    rows = by_key(
        [("p", i, v) for i, v in enumerate(values)] + [("q", 0, 9), ("q", 1, 10)], "v INT"
    )
    assert found(rows.pipe(patterns.rises, "v", at_least=2)) == [
        ("p", 0, 2, 1, 3, 2),
        ("p", 3, 5, 3, 5, 2),
    ]


def test_v_shape(by_key: Callable[[Rows, str], Match]) -> None:
    # The top at 3 ends one V and begins the next. The tie at 7 and 8 ends a rise; 9 only falls.
    values = [9, 5, 6, 8, 4, 3, 7, 7, 1]
    rows = by_key(
        [("p", i, v) for i, v in enumerate(values)] + [("q", 0, 2), ("q", 1, 1)], "v INT"
    )
    assert found(rows.pipe(patterns.v_shape, "v")) == [
        ("p", 0, 1, 3, 9, 5, 8),
        ("p", 3, 5, 6, 8, 3, 7),
    ]


def test_outages(by_key: Callable[[Rows, str], Match]) -> None:
    # 3 after the row before is no outage. A row without a time is before no other.
    times = [("p", t, 0) for t in (1, 4, 8, 8, 12)] + [("q", None, 0), ("q", 50, 0)]
    assert found(by_key(times, "x INT").pipe(patterns.outages, longer_than=3)) == [
        ("p", 4, 8),
        ("p", 8, 12),
    ]


def test_absence(by_key: Callable[[Rows, str], Match]) -> None:
    # Paid exactly at the end of the time, and one after it; a payment of another key is none.
    p = [("p", 1, "order"), ("p", 2, "order"), ("p", 6, "paid")]
    q = [("q", 1, "order"), ("q", 2, None)]
    r = [("r", 1, "paid"), ("r", 1, "order"), ("r", 1, "paid")]
    rows = by_key([*p, *q, *r], "e STRING").order_by("at", "e")
    late = rows.pipe(patterns.absence, of="e = 'paid'", after="e = 'order'", within=4)
    # The rows of r have one time: its order comes before both payments.
    assert found(late) == [("p", 1), ("q", 1)]


@pytest.mark.parametrize("order", [[], ["at DESC"], ["at + 1"]])
def test_the_order_must_be_a_column(order: list[str], spark: SparkSession) -> None:
    rows = match(spark.sql("SELECT 1 AS at"))
    ordered = rows.order_by(*order) if order else rows
    with pytest.raises(MatchRecognizeError, match="needs an ascending order by a column"):
        patterns.sessions(ordered, 5)


@pytest.mark.parametrize("kind", ["TIMESTAMP", "TIMESTAMP_NTZ"])
def test_a_number_is_no_distance_between_times(kind: str, spark: SparkSession) -> None:
    rows = match(spark.sql(f"SELECT {kind} '2026-01-01 10:00:00' AS At")).order_by("at")
    for made in (
        lambda: patterns.sessions(rows, gap=30),
        lambda: patterns.sessions(rows, gap=datetime.timedelta(1), at_most=30),
        lambda: patterns.outages(rows, longer_than=30),
        lambda: patterns.absence(rows, of="true", after="true", within=30),
        lambda: patterns.funnel(rows, {"a": "true", "b": "true"}, within=30),
    ):
        with pytest.raises(
            MatchRecognizeError, match=r"=30 has no unit, and at is a time\. Write"
        ):
            made()
    days = match(spark.sql("SELECT DATE '2026-01-01' + x AS d FROM VALUES (0), (1), (3) AS t(x)"))
    # A number counts the days between dates.
    assert [row[2] for row in found(patterns.sessions(days.order_by("d"), gap=1))] == [2, 1]


def test_other_mistakes(spark: SparkSession) -> None:
    rows = match(spark.sql("SELECT 1 AS at")).order_by("at")
    with pytest.raises(MatchRecognizeError, match=r"needs match\(df\).order_by"):
        patterns.rises(spark.sql("SELECT 1 AS at"), "at", 2)  # type: ignore[arg-type]
    with pytest.raises(MatchRecognizeError, match='Write gap="INTERVAL 30 MINUTES"'):
        patterns.sessions(rows, "30 minutes")
    with pytest.raises(MatchRecognizeError, match="gap needs a timedelta"):
        patterns.sessions(rows, None)  # type: ignore[arg-type]
    with pytest.raises(MatchRecognizeError, match="needs the name of a column, as in by="):
        patterns.streaks(rows, 3)  # type: ignore[arg-type]
    for columns in ([], [3]):
        with pytest.raises(MatchRecognizeError, match="needs the name of a column, as in by="):
            patterns.streaks(rows, columns)  # type: ignore[arg-type]
    with pytest.raises(MatchRecognizeError, match=r"longer_than needs a timedelta.*, not \[1\]"):
        patterns.outages(rows, longer_than=[1])  # type: ignore[arg-type]
    with pytest.raises(MatchRecognizeError, match="needs a dict of conditions"):
        patterns.funnel(rows, ["at > 1"])  # type: ignore[arg-type]
    with pytest.raises(MatchRecognizeError, match="two steps or more"):
        patterns.funnel(rows, {"seen": "at > 1"})
