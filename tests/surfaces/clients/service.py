"""Sends events to the program of docs/streaming-service.md, and prints what it has written.

Usage: ``python service.py send ADDRESS``, or ``python service.py read ADDRESS`` with the block of
the page that drops copies as the standard input.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from pyspark.sql import SparkSession

EVENTS = [
    ("ann", "10:00", "start"),
    ("ann", "10:01", "look"),
    ("bob", "10:01", "start"),
    ("ann", "10:04", "pay"),
    ("bob", "10:20", "look"),
    ("cid", "10:40", "start"),
    ("cid", "no time", "pay"),
]


def send(spark: SparkSession, broker: dict[str, str]) -> None:
    names = ("customer", "at", "step")
    rows = [
        (customer, json.dumps(dict(zip(names, (customer, f"2026-01-05T{at}:00Z", step)))))
        for customer, at, step in EVENTS
    ]
    frame = spark.createDataFrame(rows, "key STRING, value STRING")
    frame.write.format("kafka").options(**broker, topic="events").save()


def read(spark: SparkSession, broker: dict[str, str]) -> list[list[Any]]:
    """How many rows there are for each checkout, and each checkout once."""
    topic = spark.read.format("kafka").options(**broker, subscribe="checkouts").load()
    counts = topic.groupBy("value").count().selectExpr("count")
    names: dict[str, Any] = {"spark": spark, "kafka": broker}
    exec(sys.stdin.read(), names)
    to = names["once"].writeStream.format("memory").queryName("once").trigger(availableNow=True)
    to.start().awaitTermination()
    once = spark.sql("SELECT customer, CAST(paid AS STRING) FROM once ORDER BY customer")
    return [[row[0] for row in counts.collect()], [list(row) for row in once.collect()]]


if __name__ == "__main__":
    check, address = sys.argv[1:]
    session = SparkSession.builder.getOrCreate()
    print(json.dumps(globals()[check](session, {"kafka.bootstrap.servers": address})))
    session.stop()
