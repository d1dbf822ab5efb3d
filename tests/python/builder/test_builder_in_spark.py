"""The builder in Spark: literals, columns of PySpark, errors."""

from __future__ import annotations

import copy
import datetime
import importlib
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import needs_connect
from match_recognize import MatchRecognizeError, match, variables
from match_recognize import functions as mf
from match_recognize.builder.literals import literal
from match_recognize.plot import plot_matches
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

TICKS = (
    "SELECT * FROM VALUES ('ACME', 1, 20), ('ACME', 2, 17), ('ACME', 3, 14), ('ACME', 4, 18), "
    "('ACME', 5, 21), ('ACME', 6, 19) AS t(symbol, day, price)"
)
top, down, up = variables("TOP DOWN UP")
V_SHAPE = (top + down.one_or_more() + up.one_or_more(), down.price < mf.prev(down.price))


def test_literals_keep_value_and_type(spark: SparkSession) -> None:
    values: list[tuple[Any, str]] = [
        (True, "boolean"),
        (-(2**31), "int"),
        (2**63 - 1, "bigint"),
        (-(2**63), "bigint"),
        (0.1, "double"),
        (-1e300, "double"),
        (5e-324, "double"),
        (math.inf, "double"),
        (Decimal("-1.50"), "decimal(3,2)"),
        (Decimal("1E-30"), "decimal(30,30)"),
        (
            'it\'s "a" \\ \\n \\% \\_ `b` ${spark.app.name} {c} \n\r\t\b\0\x1a \u00e4\U0001f600',
            "string",
        ),
        ("-- no /* comment */", "string"),
        # Digits after a character that is written as a backslash and a digit.
        ("a\x0012b", "string"),
        (b"\x00\xff'", "binary"),
        (datetime.date(1, 2, 3), "date"),
        (datetime.timedelta(days=-3, microseconds=1), "interval day to second"),
        (datetime.timedelta(days=10**8), "interval day to second"),
    ]
    zone = datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))
    moment = datetime.datetime(2024, 2, 29, 23, 59, 59, 999999, zone)
    literals = [
        *(literal(value) for value, _ in values),
        f"CAST({literal(math.nan)} AS string)",
        f"unix_micros({literal(moment)})",
        f"date_format({literal(datetime.datetime(2024, 2, 29, 1, 2, 3))}, 'yyyy-MM-dd HH:mm:ss')",
    ]
    frame = spark.sql("SELECT " + ", ".join(f"{text} AS c{i}" for i, text in enumerate(literals)))
    row = frame.first()
    assert row is not None
    for i, (value, name) in enumerate(values):
        assert frame.schema[i].dataType.simpleString() == name, literals[i]
        assert row[i] == value, literals[i]
        # 0.0 equals -0.0, and True equals 1.
        assert type(row[i]) in (type(value), bytearray)
    micros = int(moment.timestamp()) * 1_000_000 + 999999
    assert list(row[len(values) :]) == ["NaN", micros, "2024-02-29 01:02:03"]


def test_scalars_of_numpy_and_pandas(spark: SparkSession) -> None:
    moment = datetime.datetime(2020, 1, 1, 1, 2, 3, 4)
    values: list[tuple[Any, str]] = [
        (np.datetime64("2020-01-01T01:02:03.000004567", "ns"), literal(moment)),
        (pd.DataFrame({"t": [moment]})["t"].to_numpy()[0], literal(moment)),
        (np.datetime64("2020-01-01", "D"), "DATE '2020-01-01'"),
        (np.timedelta64(1, "ns"), literal(datetime.timedelta(0))),
        (np.timedelta64(1500, "us"), literal(datetime.timedelta(microseconds=1500))),
        (np.datetime64("NaT"), "NULL"),
        (pd.Timestamp(moment), literal(moment)),
        (pd.Timedelta(microseconds=1500), literal(datetime.timedelta(microseconds=1500))),
        (pd.NaT, "NULL"),
        (pd.NA, "NULL"),
    ]
    for value, wanted in values:
        assert literal(value) == wanted, repr(value)
    for value in (np.timedelta64(1, "M"), np.datetime64("20000-01-01")):
        with pytest.raises(MatchRecognizeError, match="Python has no time for"):
            literal(value)
    df = spark.sql("SELECT 1 AS id, NULL AS x UNION ALL SELECT 2, 5")
    (a,) = variables("A")
    built = match(df).order_by("id").pattern("A+").within(np.int64(1))
    built = built.define(A=(a.id > 0) & np.bool_(True)).measures(n=mf.fn.coalesce(a.x, pd.NA, -1))
    assert [tuple(row) for row in built.to_df().collect()] == [(5,)]
    assert "WITHIN 1.5BD" in match(df).order_by("id").pattern("A").within(Decimal("1.5")).sql()
    with pytest.raises(MatchRecognizeError, match="never true in SQL"):
        _ = a.x == pd.NA


def test_a_picture_by_a_key_without_a_name(spark: SparkSession) -> None:
    df = spark.sql(
        "SELECT * FROM VALUES ('a', 1, 5), ('a', 2, 6), ('b', 1, 7) AS t(s, day, price)"
    )
    built = match(df).partition_by("upper(s)").order_by("day").pattern("A+")
    figure = plot_matches(built, y="price")
    assert [axes.get_title("left") for axes in figure.axes] == ["A", "B"]


def key_columns(F: Any) -> list[tuple[Any, str]]:  # noqa: N803
    """Keys as columns of PySpark, and the names that the output has for them."""
    return [
        (F.col("day").cast("string"), "CAST(day AS STRING)"),
        (
            F.when(F.col("s") == " AS x", "1").otherwise("2"),
            "CASE WHEN (s = ' AS x') THEN 1 ELSE 2 END",
        ),
        (F.col("s").alias("x AS y"), "x AS y"),
        (F.upper("s").alias("q`q"), "q`q"),
        (F.col("s").alias("plain"), "plain"),
        (F.col("`a.b`"), "a.b"),
        (F.col("`my col`"), "my col"),
    ]


@pytest.mark.parametrize("kind", ["spark", pytest.param("connect", marks=needs_connect)])
def test_names_of_keys(kind: str, request: pytest.FixtureRequest) -> None:
    session = request.getfixturevalue(kind)
    functions = F if kind == "spark" else importlib.import_module("pyspark.sql.connect.functions")
    df = session.sql("SELECT 1 AS day, 's' AS s, 2 AS `a.b`, 3 AS `my col`")
    for column, name in key_columns(functions):
        built = match(df).partition_by(column).order_by("day").pattern("A").measures(n="COUNT(*)")
        shown = built.to_df().columns
        assert shown[1:] == ["n"], shown
        if "CASE" not in name:
            assert shown[0] == name
        rows = built.rows("all").to_df()
        assert rows.columns.count(shown[0]) == 1


def test_columns_of_pyspark(spark: SparkSession) -> None:
    df = spark.sql(TICKS)
    built = (
        match(df)
        .partition_by(df["symbol"], (F.col("day") < 100).alias("early"))
        .order_by(F.col("day").asc())
        .measures(twice=F.col("price") * 2, half=up[F.col("price") / 2], n=mf.count(down))
        .pattern(V_SHAPE[0])
        .define(DOWN=V_SHAPE[1], UP=(up.price > mf.prev(up.price)) & (F.col("price") > 0))
        .rows("all")
    )
    answer = built.to_df()
    # day and price are the input's; no helper column shows.
    assert answer.columns == ["symbol", "early", "day", "twice", "half", "n", "price"]
    assert [tuple(row)[2:] for row in answer.collect()] == [
        (1, 40, None, 0, 20),
        (2, 34, None, 1, 17),
        (3, 28, None, 2, 14),
        (4, 36, 9.0, 2, 18),
        (5, 42, 10.5, 2, 21),
    ]
    last_first = match(df).order_by(F.desc("day")).pattern("A").measures(d=mf.last(mf.col("day")))
    assert "ORDER BY day DESC NULLS LAST" in last_first.sql()
    other = spark.sql("SELECT 1 AS day")
    with pytest.raises(MatchRecognizeError, match=r"(?s)belongs to another DataFrame.*File"):
        match(df).order_by(other["day"]).pattern("A").measures(x="1").to_df()
    for column in (F.sum("price"), F.max("A.price"), F.col("A.price")):
        with pytest.raises(MatchRecognizeError) as refused:
            match(df).order_by("day").pattern("A").measures(s=column).to_df()
        said = " ".join(str(refused.value).split())
        assert "is not an expression over one row of the input" in said
        assert 'write variable("B").price' in said
        assert "test_builder_in_spark.py" in said


def test_pandas_frames_and_errors_of_spark(spark: SparkSession) -> None:
    frame = pd.DataFrame({"day": [1, 2, 3], "price": [5, 4, 6]})
    built = match(frame, spark=spark).order_by("day").pattern("TOP DOWN UP")
    answer = built.measures(low="DOWN.price").define(DOWN="price < PREV(price)")
    assert answer.to_pandas().to_dict("list") == {"low": [4]}
    with pytest.raises(PySparkException) as raised:
        built.pattern("TOP DOWN{3,2}").measures(x="1").to_df()
    assert "BOUNDS_REVERSED" in str(raised.value)
    assert "The PATTERN was written here:\n  File" in str(raised.value)
    with pytest.raises(AnalysisException, match=r"(?s)nowhere.*The measure x was written here"):
        built.measures(x="nowhere(day)").to_df()
    with pytest.raises(MatchRecognizeError, match=r'conf.set\("spark.sql.*dialect", "flink"\)'):
        built.measures(x="1").dialect("flink").to_df()


def test_connect(connect: SparkSession) -> None:
    df = connect.sql(TICKS)
    pattern, falls = V_SHAPE
    built = (
        match(df)
        .partition_by(df["symbol"])
        .order_by(df["day"].asc_nulls_last())
        .measures(low=mf.min_(down.price), twice=df["price"] * 2)
        .pattern(pattern)
        .define(DOWN=falls, UP="price > PREV(price)")
    )
    assert "PARTITION BY symbol\n  ORDER BY day ASC NULLS LAST\n" in built.sql()
    assert [tuple(row) for row in built.to_df().collect()] == [("ACME", 14, 42)]
    with pytest.raises(AnalysisException, match=r"(?s)nowhere.*The measure x was written here"):
        built.measures(x="nowhere(day)").to_df()
    with pytest.raises(MatchRecognizeError, match=r"Did you mean price\?"):
        built.measures(y=down.prize).to_df()


def test_copies_search_the_same_frame(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, 5), (2, 4)], "day INT, price INT")
    found = match(frame).order_by("day").pattern("A B").measures(fall=frame.price + 1)
    found = found.define(B=frame.price < 5)
    for copied in (copy.copy(found), copy.deepcopy(found), copy.deepcopy({"m": found})["m"]):
        assert copied.sql() == found.sql()
        assert [tuple(row) for row in copied.to_df().collect()] == [(5,)]
        assert copied.within(2).sql() != found.sql()
