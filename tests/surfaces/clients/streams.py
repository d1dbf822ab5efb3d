"""Prints the answer of a streaming query over an outer source and sink, and of the batch query.

The streaming query is stopped after each batch, and goes on from its checkpoint.

Usage: ``python streams.py kafka ADDRESS FOLDER`` or ``python streams.py delta FOLDER``, with the
jars and settings of the source in ``spark-defaults.conf``. ``streamed.py`` is next to the tests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import streamed
from match_recognize import configure
from pyspark.sql import DataFrame, SparkSession


def kafka(spark: SparkSession, address: str, folder: str) -> list[Any]:
    """From a topic to a topic."""
    broker = {"kafka.bootstrap.servers": address}
    prices = f"from_json(CAST(value AS STRING), '{streamed.SCHEMA}') AS price"
    for batch in streamed.BATCHES:
        (
            spark.createDataFrame(batch, streamed.SCHEMA)
            .selectExpr("symbol AS key", "to_json(struct(*)) AS value")
            .write.format("kafka")
            .options(**broker, topic="prices")
            .save()
        )
        source = spark.readStream.format("kafka").options(**broker, subscribe="prices")
        source = source.option("startingOffsets", "earliest")
        create_stream(source.load().selectExpr(prices).select("price.*"))
        (
            spark.sql(streamed.LOWS.format(table="stream"))
            .selectExpr("symbol AS key", "to_json(struct(*)) AS value")
            .writeStream.format("kafka")
            .options(**broker, topic="lows", checkpointLocation=f"{folder}/checkpoint")
            .trigger(availableNow=True)
            .start()
            .awaitTermination()
        )
    lows = spark.read.format("kafka").options(**broker, subscribe="lows").load()
    lows = lows.selectExpr("from_json(CAST(value AS STRING), 'symbol STRING, low INT') AS low")
    table = spark.read.format("kafka").options(**broker, subscribe="prices").load()
    return [rows(lows.select("low.*")), batch_rows(table.selectExpr(prices).select("price.*"))]


def delta(spark: SparkSession, folder: str) -> list[Any]:
    """From a Delta table to a Delta table."""
    spark.sql(f"CREATE TABLE prices ({streamed.SCHEMA}) USING delta")
    for batch in streamed.BATCHES:
        frame = spark.createDataFrame(batch, streamed.SCHEMA)
        frame.write.format("delta").mode("append").saveAsTable("prices")
        create_stream(spark.readStream.table("prices"))
        (
            spark.sql(streamed.LOWS.format(table="stream"))
            .writeStream.format("delta")
            .option("checkpointLocation", f"{folder}/checkpoint")
            .trigger(availableNow=True)
            .toTable("lows")
            .awaitTermination()
        )
    return [rows(spark.table("lows")), batch_rows(spark.table("prices"))]


def create_stream(frame: DataFrame) -> None:
    """Makes the view ``stream``, with a watermark."""
    timed = frame.selectExpr("*", streamed.TIME).withWatermark("t", streamed.DELAY)
    timed.createOrReplaceTempView("stream")


def batch_rows(frame: DataFrame) -> list[list[Any]]:
    """The answer over all rows as a table."""
    frame.selectExpr("*", streamed.TIME).createOrReplaceTempView("all_prices")
    return rows(frame.sparkSession.sql(streamed.LOWS.format(table="all_prices")))


def rows(frame: DataFrame) -> list[list[Any]]:
    return sorted(list(row) for row in frame.collect())


if __name__ == "__main__":
    check, *words = sys.argv[1:]
    session = configure(SparkSession.builder).getOrCreate()
    print(json.dumps(globals()[check](session, *words)))
    session.stop()
