"""What a Spark Connect client without a Spark sees; each word of the command line is a check.

Usage: ``python connect.py sc://127.0.0.1:15002 CHECK``. ``ticks.py`` and
``streamed.py`` are next to the tests.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import threading
import time
from contextlib import redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pyspark
import streamed
import ticks
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession

ANSWER = [tuple(row) for row in ticks.ANSWER]


def rows(spark: SparkSession) -> None:
    assert not (Path(pyspark.__file__).parent / "jars").exists(), "this client has a Spark"
    frame = spark.sql(ticks.LOWS)
    assert frame.columns == ["symbol", "low"]
    assert [tuple(row) for row in frame.collect()] == ANSWER
    # The server makes the plan; the next operators are added there.
    assert frame.filter("low < 3").select("symbol").collect() == [("b",)]
    assert frame.toPandas()["low"].tolist() == [3, 2]


def parameters(spark: SparkSession) -> None:
    text = ticks.LOWS.replace("PREV(price)", "PREV(price) AND price >= {least}")
    named = spark.sql(text.replace("{least}", ":least"), args={"least": 3})
    assert named.collect() == [("a", 3)]
    marked = text.replace("{least}", "?").replace("DOWN+", "DOWN+? B??")
    assert spark.sql(marked, args=[3]).collect() == [("a", 3)]
    bounds = ticks.LOWS.replace("DOWN+", "DOWN{:n,:m}")
    assert spark.sql(bounds, args={"n": 2, "m": 2}).collect() == []


def views(spark: SparkSession) -> None:
    spark.sql(f"CREATE TEMPORARY VIEW lows AS {ticks.LOWS}")
    assert spark.table("lows").filter("symbol = 'a'").collect() == [("a", 3)]
    spark.sql(ticks.LOWS).createOrReplaceTempView("again")
    assert spark.sql("SELECT MAX(low) FROM again").collect() == [(3,)]
    spark.sql(f"CREATE VIEW stored_lows AS {ticks.LOWS}")
    assert [tuple(row) for row in spark.table("stored_lows").collect()] == ANSWER
    spark.sql("DROP VIEW stored_lows")


def explain(spark: SparkSession) -> None:
    said = io.StringIO()
    with redirect_stdout(said):
        spark.sql(ticks.LOWS).explain("formatted")
    assert "MatchRecognize" in said.getvalue(), said.getvalue()


def errors(spark: SparkSession) -> None:
    for text, condition, state, kind in (
        (
            ticks.LOWS.replace("DOWN+", "DOWN+*"),
            "MATCH_RECOGNIZE.SECOND_QUANTIFIER",
            "42601",
            ParseException,
        ),
        (
            ticks.LOWS.replace("DOWN.price", "DOWN.prise"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            "42703",
            AnalysisException,
        ),
        (ticks.FAILING, ticks.FAILING_CONDITION, ticks.FAILING_STATE, PySparkException),
    ):
        try:
            spark.sql(text).collect()
        except PySparkException as error:
            assert isinstance(error, kind), type(error)
            assert error.getCondition() == condition, error.getCondition()
            assert error.getSqlState() == state, error.getSqlState()
            assert f"[{condition}]" in str(error)
        else:
            raise AssertionError(f"{condition} was not raised")


def interrupt(spark: SparkSession) -> None:
    failed = []

    def search() -> None:
        try:
            spark.sql(ticks.ENDLESS).collect()
        except PySparkException as error:
            failed.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    end = time.monotonic() + 60
    while thread.is_alive() and time.monotonic() < end:
        time.sleep(2)
        spark.interruptAll()
    assert not thread.is_alive(), "it searches on"
    assert "OPERATION_CANCELED" in str(failed[0]), failed
    assert [tuple(row) for row in spark.sql(ticks.LOWS).collect()] == ANSWER


def streams(spark: SparkSession) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "prices").mkdir()
        for i, batch in enumerate(streamed.BATCHES):
            lines = [
                json.dumps({"symbol": symbol, "minute": minute, "price": price})
                for symbol, minute, price in batch
            ]
            file = Path(folder) / "prices" / f"{i}.json"
            file.write_text("\n".join(lines))
            read = spark.readStream.schema(streamed.SCHEMA).json(str(file.parent))
            timed = read.selectExpr("*", streamed.TIME).withWatermark("t", streamed.DELAY)
            timed.createOrReplaceTempView("prices_now")
            query = (
                spark.sql(streamed.LOWS.format(table="prices_now"))
                .writeStream.option("checkpointLocation", f"{folder}/checkpoint")
                .trigger(availableNow=True)
                .toTable("lows_now")
            )
            assert query.awaitTermination(120)
        found = spark.table("lows_now").collect()
        assert sorted(list(row) for row in found) == streamed.ANSWER
        spark.sql("DROP TABLE lows_now")


if __name__ == "__main__":
    address, check = sys.argv[1:]
    session = SparkSession.builder.remote(address).getOrCreate()
    globals()[check](session)
    session.stop()
