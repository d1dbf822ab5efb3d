"""Runs statements, and prints their rows as text, sorted.

Usage: ``python statements.py SERVER < statements.json``, where SERVER is the address of a Connect
server, or a master such as ``local[1]``.
"""

from __future__ import annotations

import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

server = sys.argv[1]
builder = SparkSession.builder
builder = builder.remote(server) if server.startswith("sc:") else builder.master(server)
spark = builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")
answers = []
for statement in json.load(sys.stdin):
    frame = spark.sql(statement)
    # Timestamps in the zone of the session, whatever that of this process is.
    rows = frame.select([col(name).cast("string") for name in frame.columns]).collect()
    answers.append(sorted([list(row) for row in rows]))
print(json.dumps(answers))
spark.stop()
