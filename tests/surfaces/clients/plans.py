"""Prints the plans of statements, and what a session leaves in its process.

Usage: ``python plans.py FOLDER < statements.json``. The settings come from SPARK_CONF_DIR, so the
same program runs with the extension and without.
"""

from __future__ import annotations

import json
import re
import sys

from pyspark.sql import SparkSession

given = json.load(sys.stdin)
spark = SparkSession.builder.getOrCreate()
for name, columns in given["tables"].items():
    spark.sql(f"CREATE TABLE {name} {columns} USING parquet LOCATION '{sys.argv[1]}/{name}'")
plans = {}
for name, text in given["statements"].items():
    try:
        plans[name] = spark.sql(f"EXPLAIN EXTENDED {text}").head()[0]
    except Exception as error:  # an error is as good as a plan, if it is the same
        plans[name] = str(error)
answers = [[str(row) for row in spark.sql(text).collect()] for text in given["run"]]
threads = spark._jvm.java.lang.Thread.getAllStackTraces()
names = {re.sub(r"\d+", "", thread.getName()) for thread in threads.keySet()}
ours = [
    thread.getName()
    for thread in threads.keySet()
    if any("matchrecognize" in frame.getClassName().lower() for frame in threads.get(thread))
]
spark.stop()
print(json.dumps({"plans": plans, "answers": answers, "threads": sorted(names), "ours": ours}))
