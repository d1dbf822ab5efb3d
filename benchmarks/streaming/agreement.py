"""Compares the rows of ours with Flink's, for each query. Measures nothing."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame

from benchmarks.data.tables import cache
from benchmarks.results import Cell
from benchmarks.streaming import events, flink_run, spark_run
from benchmarks.streaming.queries import QUERIES, Query
from benchmarks.streaming.sizes import Streams

DIALECT = "spark.sql.matchRecognize.dialect"

#: In the flink dialect a statement finds what it finds in Flink.
DIALECTS = ("standard", "flink")


def run(streams: Streams) -> list[str]:
    """Writes a cell for each query; nothing is wrong if Flink finds other rows."""
    for query in QUERIES.values():
        name = f"streaming/agreement/{query.name}/{streams.warm_up.rows}"
        streams.bench.cell(name, partial(_measure, streams, query))
    return []


def _measure(streams: Streams, query: Query) -> Cell:
    folder = events.provide(streams.warm_up)
    written = cache() / "found"
    shutil.rmtree(written, ignore_errors=True)
    # Flink's sink does not make it where it finds nothing.
    (written / "found_by_flink").mkdir(parents=True)
    ours = {name: _ours(streams, query, folder, written / name) for name in DIALECTS}
    counts = {name: frame.count() for name, frame in ours.items()}
    cell: Cell = {"rows": streams.warm_up.rows, "ours": counts}
    found = flink_run.run(query.text, folder, "heap", output=str(written / "found_by_flink"))
    if "refused" in found:
        return {**cell, **found}
    # What is not finished yet has a dot in front of its name, which Spark passes over.
    schema = ours["standard"].schema
    flink = streams.bench.spark.read.schema(schema).json(str(written / "found_by_flink"))
    return {
        **cell,
        "flink": flink.count(),
        "different": {name: _different(frame, flink) for name, frame in ours.items()},
    }


def _ours(streams: Streams, query: Query, folder: Path, output: Path) -> DataFrame:
    """The rows of ours, in a dialect that the last name of the folder says."""
    spark = streams.bench.spark
    spark.conf.set(DIALECT, output.name)
    try:
        frame = spark_run.ours(spark, folder / "spark", query)
        with spark_run.checkpoint() as checkpoint:
            spark_run.run(frame, checkpoint, "default", output)
    finally:
        spark.conf.unset(DIALECT)
    return spark.read.parquet(str(output))


def _different(a: DataFrame, b: DataFrame) -> int:
    """The number of rows that only one of the two has."""
    return a.exceptAll(b).count() + b.exceptAll(a).count()
