"""The Python functions in classic sessions and over Spark Connect."""

from __future__ import annotations

import datetime
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from match_recognize import MatchRecognizeError, cep, match, variables, why
from match_recognize import functions as mf
from match_recognize.builder import Match
from match_recognize.plot import diagram, plot_matches
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

#: The price falls to day 3 and rises to day 5; the fall to day 6 has no rise after it.
PRICES = pd.DataFrame({"day": [1, 2, 3, 4, 5, 6], "price": [20, 17, 14, 18, 21, 19]})
TICKS = (
    "SELECT * FROM VALUES (1, 20), (2, 17), (3, 14), (4, 18), (5, 21), (6, 19) AS t(day, price)"
)

top, down, up = variables("top down up")


@pytest.fixture(params=["classic", "connect"])
def session(
    request: pytest.FixtureRequest, new_session: Callable[[], SparkSession]
) -> SparkSession:
    classic = request.param == "classic"
    return new_session() if classic else request.getfixturevalue("connect")


def shape(frame: Any, spark: SparkSession | None = None) -> Match:
    return (
        match(frame, spark)
        .order_by("day")
        .pattern(top + down.one_or_more() + up.one_or_more())
        .define(down=down.price < mf.prev(down.price), up=up.price > mf.prev(up.price))
        .measures(start=top.day, end=mf.last(up.day), low=mf.min_(down.price))
    )


def test_pandas_in_and_out(session: SparkSession) -> None:
    found = shape(PRICES, session).to_pandas()
    assert found.to_dict("list") == {"start": [1], "end": [5], "low": [14]}


def test_arrow_in(session: SparkSession) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = shape(pyarrow.Table.from_pandas(PRICES), session).to_df()
    assert [tuple(row) for row in found.collect()] == [(1, 5, 14)]


def test_a_table_by_its_name(session: SparkSession) -> None:
    session.sql(TICKS).createOrReplaceTempView("ticks_by_name")
    assert shape("ticks_by_name", session).to_df().count() == 1


def test_parameters_and_frames(session: SparkSession) -> None:
    ticks = session.sql(TICKS)
    other = session.sql("SELECT 17 AS price")
    built = (
        match(ticks)
        .order_by(ticks["day"].desc())
        .pattern("A+")
        .define(A="price < :most AND price NOT IN (SELECT price FROM {other})")
        .measures(n="COUNT(*)", last="LAST(day)", twice=ticks["price"] * 2)
    )
    # In descending order: 19 and 21 do not count, nor does 17; 18 and 14 are one match.
    found = built.to_df({"most": 19}, other=other)
    assert [tuple(row) for row in found.collect()] == [(2, 3, 28)]


def test_why_and_pictures(session: SparkSession) -> None:
    built = shape(session.sql(TICKS))
    assert why(built).lines[1] == "1 match in 6 rows of 1 partition."
    assert str(diagram(built)).startswith("<svg")
    assert "PATTERN" in built._repr_html_()
    pytest.importorskip("matplotlib")
    (axes,) = plot_matches(built, y="price").axes
    assert [(each.get_x(), each.get_x() + each.get_width()) for each in axes.patches] == [(1, 5)]


def test_the_order_that_is_missing(session: SparkSession) -> None:
    built = match(session.sql(TICKS)).pattern("A").measures(x="A.day")
    with pytest.warns(UserWarning, match=r"has no order_by\(\)") as warned:
        built.to_df()
    assert warned[0].filename == __file__


def test_a_result_of_keys_alone(session: SparkSession) -> None:
    keyed = match(session.sql(TICKS)).partition_by("price").order_by("day").pattern("A")
    variants = (
        keyed,
        keyed.rows("one"),
        keyed.define(A="price > 1"),
        keyed.after_match("next row"),
    )
    for built in (*variants, keyed.rows("one", timeouts=True).within(3)):
        with pytest.warns(UserWarning, match=r"only the keys of partition_by\(\)\.") as warned:
            built.to_df()
        assert [each.filename for each in warned] == [__file__]
        # It says what to call.
        assert '.measures(name=...) for values of the match, or .rows("all")' in str(
            warned[0].message
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for built in (
            keyed.measures(x="A.day"),
            keyed.rows("all"),
            keyed.rows("all", unmatched=True),
        ):
            built.to_df()


def test_mistakes_that_spark_sees(session: SparkSession) -> None:
    ticks, other = session.sql(TICKS), session.sql("SELECT 1 AS day, 2 AS volume")
    base = match(ticks).order_by("day").pattern("A B").measures(x="A.day")
    with pytest.raises(AnalysisException) as raised:
        base.define(B="prise < PREV(price)").to_df()
    said = str(raised.value)
    assert "B AS prise < PREV(price)\n         ^^^^^\n" in said
    assert f'The condition of B was written here:\n  File "{__file__}"' in said
    with pytest.raises(MatchRecognizeError, match=r"a column of another DataFrame(.|\n)*File"):
        base.define(B=other["volume"] > 1).to_df()
    with pytest.raises(MatchRecognizeError, match=r"belongs to another DataFrame(.|\n)*File"):
        match(ticks).order_by(other["day"]).pattern("A").measures(x="A.day").to_df()


def answer(query: DataFrame, name: str, folder: Path) -> list[tuple[Any, ...]]:
    """The rows that a streaming query writes until its input ends."""
    started = (
        query.writeStream.format("memory")
        .queryName(name)
        .option("checkpointLocation", str(folder / name))
        .trigger(availableNow=True)
        .start()
    )
    started.awaitTermination()
    return sorted(tuple(row) for row in query.sparkSession.table(name).collect())


def events(session: SparkSession, folder: Path) -> DataFrame:
    """Orders 1 and 2 are paid; 1 is shipped in time, and the last event is long after both."""
    source = folder / "input"
    source.mkdir()
    lines = [(1, "01", "paid"), (2, "01", "paid"), (1, "02", "shipped"), (3, "09", "end")]
    for i, (order, day, what) in enumerate(lines):
        line = {"id": order, "at": f"2024-03-{day}", "what": what}
        (source / f"{i}.json").write_text(json.dumps(line))
    reader = session.readStream.schema("id INT, at TIMESTAMP, what STRING")
    return reader.json(str(source)).withWatermark("at", "0 seconds")


def test_streams(session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    paid, shipped = variables("paid shipped")
    built = (
        match(events(session, tmp_path))
        .partition_by("id")
        .order_by("at")
        .pattern(paid + shipped)
        .define(paid=paid.what == "paid", shipped=shipped.what == "shipped")
        .within(datetime.timedelta(days=2))
        .measures(days=mf.fn.datediff(shipped.at, paid.at))
    )
    assert built.to_df().isStreaming
    name = f"built_{request.node.callspec.id}"
    assert answer(built.to_df(), name, tmp_path) == [(1, 1)]


def test_streams_of_cep(
    session: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    session.conf.set("spark.sql.matchRecognize.dialect", "flink")
    pattern = (
        cep.Pattern.begin("paid")
        .where("what = 'paid'")
        .followed_by("shipped")
        .where("what = 'shipped'")
        .within(datetime.timedelta(days=2))
    )
    found = cep.matches(
        events(session, tmp_path),
        pattern,
        partition_by="id",
        order_by="at",
        measures={"paid": "DAY(paid.at)", "shipped": "DAY(shipped.at)"},
    )
    name = f"cep_{request.node.callspec.id}"
    assert answer(found.matched, f"{name}_matched", tmp_path) == [(1, 1, 2)]
    assert answer(found.timed_out, f"{name}_timed_out", tmp_path) == [(2, 1, None)]
