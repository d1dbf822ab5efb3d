"""Runs a streaming query from Kafka to Kafka while simulated events are sent to it."""

from __future__ import annotations

import json
import tempfile
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone

import pyspark
from match_recognize import configure
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from examples.events import DELAY, SCHEMA, Event
from examples.kafka.jars import SPARK, jars
from examples.results import Result

#: Of the producers, in milliseconds. A broker on a busy machine can take minutes to answer.
PATIENCE = {
    "kafka.max.block.ms": "600000",
    "kafka.request.timeout.ms": "300000",
    "kafka.delivery.timeout.ms": "900000",
}


@contextmanager
def spark_session() -> Iterator[SparkSession]:
    """Starts a Spark on this machine, with the clause and the connector for Kafka.

    Yields:
        The session, which ends with the block.

    Raises:
        RuntimeError: the connector is for another Spark.
    """
    if not pyspark.__version__.startswith(f"{SPARK}."):
        raise RuntimeError(
            f"The connector is for Spark {SPARK}, and this is pyspark {pyspark.__version__}. "
            "`make example-checkouts` uses the right one."
        )
    builder = SparkSession.builder.master("local[2]").config(
        map={
            "spark.jars": ",".join(map(str, jars("connector"))),
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.session.timeZone": "UTC",
            # Watermarks are read from the progress of all micro-batches.
            "spark.sql.streaming.numRecentProgressUpdates": "10000",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
    )
    spark = configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


def replay(
    spark: SparkSession,
    kafka: str,
    topic: str,
    waves: list[list[Event]],
    sql: str,
    sinks: list[str],
) -> tuple[list[Result], int]:
    """Sends events to a topic wave by wave, while a query reads them.

    Args:
        spark: the session.
        kafka: the address of the broker.
        topic: the topic of the events, and the name of the streaming table.
        waves: the events.
        sql: the query. It returns the columns ``topic``, ``key`` and ``value``.
        sinks: the topics that it writes.

    Returns:
        What the query sent to them, and how many late events it dropped.
    """
    send(spark, kafka, topic, waves[0])
    print(f"Wave 1 of {len(waves)} is sent.", flush=True)
    streaming_table(spark, kafka, topic).createOrReplaceTempView(topic)
    with tempfile.TemporaryDirectory(prefix="checkpoint-") as checkpoint:
        query = (
            spark.sql(sql)
            .writeStream.format("kafka")
            .option("kafka.bootstrap.servers", kafka)
            .options(**PATIENCE)
            .option("checkpointLocation", checkpoint)
            .start()
        )
        try:
            query.processAllAvailable()
            for number, wave in enumerate(waves[1:], start=2):
                send(spark, kafka, topic, wave)
                query.processAllAvailable()
                print(f"Wave {number} of {len(waves)} is searched.", flush=True)
        finally:
            query.stop()
        return results(spark, kafka, query, sinks), dropped(query)


def streaming_table(spark: SparkSession, kafka: str, topic: str) -> DataFrame:
    """Returns the events of a topic as a streaming table with a watermark.

    Args:
        spark: the session.
        kafka: the address of the broker.
        topic: the topic.
    """
    return (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", kafka)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .load()
        .selectExpr(f"from_json(CAST(value AS STRING), '{SCHEMA}') AS event")
        .select("event.*")
        .withWatermark("at", f"{DELAY.seconds} seconds")
    )


def send(spark: SparkSession, kafka: str, topic: str, events: list[Event]) -> None:
    """Writes events to a topic.

    Args:
        spark: the session.
        kafka: the address of the broker.
        topic: the topic.
        events: in the order in which they are sent.
    """
    rows = [(event.key, json.dumps(event.columns())) for event in events]
    (
        spark.createDataFrame(rows, "key STRING, value STRING")
        .write.format("kafka")
        .option("kafka.bootstrap.servers", kafka)
        .options(**PATIENCE)
        .option("topic", topic)
        .save()
    )


def results(
    spark: SparkSession, kafka: str, query: StreamingQuery, topics: list[str]
) -> list[Result]:
    """Reads results from topics, and finds the watermark with which each of them came out.

    Args:
        spark: the session.
        kafka: the address of the broker.
        query: the query that wrote them.
        topics: the topics.
    """
    rows = (
        spark.read.format("kafka")
        .option("kafka.bootstrap.servers", kafka)
        .option("subscribe", ",".join(topics))
        .load()
        .selectExpr("topic", "CAST(value AS STRING) AS value", "unix_millis(timestamp) AS ms")
        .collect()
    )
    progress = [
        (millis(update["timestamp"]), update["eventTime"]["watermark"])
        for update in query.recentProgress
        if update["eventTime"]
    ]
    starts = [start for start, _ in progress]
    return [
        Result(
            row.topic,
            json.loads(row.value),
            # The last micro-batch that had begun when the broker's client made the record.
            moment(progress[bisect_right(starts, row.ms) - 1][1]),
        )
        for row in rows
    ]


def dropped(query: StreamingQuery) -> int:
    """Returns how many late rows a query has dropped.

    Args:
        query: the query.
    """
    return sum(
        operator["numRowsDroppedByWatermark"]
        for update in query.recentProgress
        for operator in update["stateOperators"]
    )


def moment(text: str) -> datetime:
    """Returns a time that Spark wrote as JSON, in UTC.

    Args:
        text: such as ``2026-03-02T09:00:00.000Z``.
    """
    return datetime.fromisoformat(text.replace("Z", ""))


def millis(text: str) -> int:
    """Returns a time that Spark wrote as JSON, in milliseconds since 1970.

    Args:
        text: such as ``2026-03-02T09:00:00.000Z``.
    """
    return round(moment(text).replace(tzinfo=timezone.utc).timestamp() * 1000)
