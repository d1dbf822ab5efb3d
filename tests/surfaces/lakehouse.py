"""Prints the answers of statements in a session that another extension is in, too.

Usage: ``python lakehouse.py < given.json``: settings, statements. An error is its message.
"""

from __future__ import annotations

import json
import sys

from match_recognize import configure
from pyspark.sql import SparkSession

given = json.load(sys.stdin)
builder = SparkSession.builder.master("local[2]")
for name, value in given["settings"].items():
    builder = builder.config(name, value)
# Ours is put first by configure; a user may have written it last into spark-defaults.conf.
spark = (configure(builder) if given["configure"] else builder).getOrCreate()
answers = []
for statement in given["statements"]:
    text, parameters = (statement, None) if isinstance(statement, str) else statement
    try:
        rows = spark.sql(text, parameters).collect()
        answers.append([[str(value) for value in row] for row in rows])
    except Exception as error:
        answers.append(str(error))
print(json.dumps({"extensions": spark.conf.get("spark.sql.extensions"), "answers": answers}))
spark.stop()
