"""What match() searches: frames of other libraries, whatever module their classes are in."""

from __future__ import annotations

import datetime
import math
import sys
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from match_recognize import MatchRecognizeError, match
from match_recognize.builder.inputs import ARROW, spark_frame
from pyspark.sql import SparkSession

pa = pytest.importorskip("pyarrow", reason="PyArrow is not installed")

AT = datetime.datetime(2024, 2, 28, 1)

#: Day 2 has no price and no note; the price of day 3 is below that of day 1.
DAYS: dict[str, list[Any]] = {
    "day": [1, 2, 3],
    "price": [7, None, 4],
    "note": ["a", None, "c"],
    "on": [datetime.date(2024, 2, day) for day in (28, 29, 1)],
    "at": [AT, None, None],
    "tags": [["x", None], [], ["z"]],
    # By name: PyArrow 18 sorts the fields of dictionaries.
    "who": [{"keys": [b"1"], "name": "ann"}, None, {"keys": [], "name": None}],
}

#: As Polars passes text and lists on.
VIEWS = pa.schema(
    [
        ("day", pa.int64()),
        ("price", pa.int64()),
        ("note", pa.string_view()),
        ("on", pa.date32()),
        ("at", pa.timestamp("ns")),
        ("tags", pa.large_list(pa.string_view())),
        ("who", pa.struct([("keys", pa.list_(pa.binary_view())), ("name", pa.string_view())])),
    ]
)


class Prices(pd.DataFrame):
    """A frame of pandas whose class is in a module of another name."""


class Stream:
    """What is not of PyArrow, but passes its data on as PyArrow does."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def polars(table: Any) -> Any:
    return pytest.importorskip("polars", reason="Polars is not installed").from_arrow(table)


FRAMES: dict[str, Callable[[Any], Any]] = {
    "table": lambda table: table,
    "batch": lambda table: table.to_batches()[0],
    "reader": lambda table: table.to_reader(),
    "stream": Stream,
    "views": lambda table: table.cast(VIEWS),
    "polars": polars,
    "categories": lambda table: pa.table(
        {
            name: column.dictionary_encode() if pa.types.is_string(column.type) else column
            for name, column in zip(table.column_names, table.columns)
        }
    ),
}


@pytest.mark.parametrize("made", FRAMES)
def test_arrow(new_session: Callable[[], SparkSession], made: str) -> None:
    spark = new_session()
    # A time without a zone has none in Spark either, whatever the session's is.
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    frame = FRAMES[made](pa.table(DAYS))
    found = match(frame, spark).order_by("day").pattern("A B C").measures(
        first="A.price",
        missing="B.price",
        note="C.note",
        no_note="B.note IS NULL",
        day="A.on",
        tags="CONCAT_WS(',', A.tags, C.tags)",
        keys="CAST(A.who.keys[0] AS STRING)",
        name="A.who.name",
        at="A.at",
    )  # fmt: skip
    answer = found.to_df()
    types = [field.dataType.simpleString() for field in answer.schema]
    assert types == [
        "bigint",
        "bigint",
        "string",
        "boolean",
        "date",
        *["string"] * 3,
        "timestamp_ntz",
    ]
    assert [tuple(row) for row in answer.collect()] == [
        (7, None, "c", True, datetime.date(2024, 2, 28), "x,z", "1", "ann", AT)
    ]


def test_types_of_arrow_that_spark_lacks(spark: SparkSession) -> None:
    columns = {
        "day": pa.array([1, 255], pa.uint8()),
        "a": pa.array([1, 2**16 - 1], pa.uint16()),
        "b": pa.array([1, 2**32 - 1], pa.uint32()),
        "c": pa.array([None, 2**64 - 1], pa.uint64()),
        "d": pa.array([np.float16(1.5), None], pa.float16()),
        "e": pa.array([0, 86_400_000], pa.date64()),
        "f": pa.array([1500, None], pa.duration("ns")),
    }
    found = spark_frame(pa.table(columns), spark)
    assert [tuple(row) for row in found.orderBy("day").collect()] == [
        (1, 1, 1, None, 1.5, datetime.date(1970, 1, 1), datetime.timedelta(microseconds=1)),
        (255, 65535, 4294967295, Decimal(2**64 - 1), None, datetime.date(1970, 1, 2), None),
    ]


def test_polars_in_and_out(new_session: Callable[[], SparkSession]) -> None:
    pl = pytest.importorskip("polars", reason="Polars is not installed")
    session = new_session()
    if session.version < "4":
        pytest.skip("Spark 3.5 makes no table of Arrow")
    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    times = pl.DataFrame({"at": [AT, AT.replace(hour=2)]})
    zoned = times.select(at=pl.col("at").dt.replace_time_zone("UTC"))
    for frame, zone in ((times, None), (zoned, "UTC")):
        found = (
            match(frame, session).order_by("at").pattern("A B").measures(at="B.at").to_polars()
        )
        assert found.schema["at"] == pl.Datetime("us", zone)
        assert found["at"][0].replace(tzinfo=None) == AT.replace(hour=2)


@pytest.mark.parametrize("kind", [pd.DataFrame, Prices])
def test_pandas(spark: SparkSession, kind: type[pd.DataFrame]) -> None:
    frame = kind({"day": [1, 2, 3], "note": ["a", None, "c"], "at": pd.Timestamp("2024-02-29")})
    found = match(frame, spark).order_by("day").pattern("A B C").measures(
        first="A.note", missing="B.note", days="COUNT(*)", hour="HOUR(A.at)"
    )  # fmt: skip
    answer = found.to_df()
    assert answer.schema["first"].dataType.simpleString() == "string"
    assert [tuple(row) for row in answer.collect()] == [("a", None, 3, 0)]


def test_missing_texts_of_pandas(spark: SparkSession) -> None:
    # As pandas 3 has them by default.
    with pd.option_context("future.infer_string", True):
        none = pd.Series([None, None], dtype="str")
        frame = pd.DataFrame({"day": [1, 2], "note": ["a", None], "none": none})
    assert [str(kind) for kind in frame.dtypes] == ["int64", "str", "str"]
    before = [spark.conf.get(key) for key in ARROW]
    found = spark_frame(frame, spark)
    assert found.dtypes == [("day", "bigint"), ("note", "string"), ("none", "string")]
    assert [tuple(row) for row in found.collect()] == [(1, "a", None), (2, None, None)]
    assert [spark.conf.get(key) for key in ARROW] == before


@pytest.mark.parametrize("arrow", ["true", "false"])
def test_missing_values_of_objects(new_session: Callable[[], SparkSession], arrow: str) -> None:
    session = new_session()
    session.conf.set("spark.sql.execution.arrow.pyspark.enabled", arrow)
    columns = {"day": [1, 2], "note": ["a", math.nan], "n": [Decimal(1), pd.NA]}
    frame = pd.DataFrame(columns, dtype=object).astype({"day": "int64"})
    found = spark_frame(frame, session)
    assert [tuple(row) for row in found.collect()] == [(1, "a", Decimal(1)), (2, None, None)]
    # The frame itself is as it was.
    assert frame["note"].isna().tolist() == [False, True] and frame["note"][1] is not None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (pd.Series([1]), "Series"),
        (pa.chunked_array([[1]]), "ChunkedArray"),
        (Stream(pa.chunked_array([[1]])), "Stream"),
        ({"day": [1]}, "builtins.dict"),
        (None, "builtins.NoneType"),
    ],
)
def test_what_is_no_frame(spark: SparkSession, value: object, name: str) -> None:
    with pytest.raises(MatchRecognizeError, match=rf"needs a DataFrame, not \S*{name}\. Give"):
        match(value, spark)


def test_pyarrow_is_missing(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = Stream(pa.table(DAYS))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MatchRecognizeError, match=r"PyArrow must .*Stream. Run pip install pyarr"
    ):
        match(frame, spark)
