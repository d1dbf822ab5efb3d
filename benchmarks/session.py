"""The one warm JVM that everything runs in."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from match_recognize import configure
from pyspark.sql import SparkSession

from benchmarks.data.tables import cache

CORES = 2

EXTENSIONS = "org.matchrecognize.spark.MatchRecognizeExtensions"

SETTINGS = {
    "spark.master": f"local[{CORES}]",
    "spark.driver.memory": "8g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "8",
    # Samples of the memory that tasks have (stopwatch.peak_memory).
    "spark.executor.metrics.pollingInterval": "50ms",
    # A bucketed file is sorted as the table says; Spark uses that only with these settings.
    "spark.sql.sources.bucketing.enabled": "true",
    "spark.sql.legacy.bucketedTableScan.outputOrdering": "true",
    # Otherwise a plan that has no use for the buckets reads the files in other pieces than ours.
    "spark.sql.sources.bucketing.autoBucketedScan.enabled": "false",
}


def start(jar: Path | None = None, **settings: str) -> SparkSession:
    """A session with MATCH_RECOGNIZE.

    Args:
        jar: to take instead of the package's own.
        settings: replace or extend SETTINGS, with ``_`` for the dots of their names.
    """
    # Python workers are of this Python, and find this package as we do.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    root = str(Path(__file__).resolve().parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    builder = SparkSession.builder.appName("benchmarks")
    chosen = {**SETTINGS, **{name.replace("_", "."): value for name, value in settings.items()}}
    chosen["spark.sql.warehouse.dir"] = str(cache() / "warehouse")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    if jar is None:
        return configure(builder).getOrCreate()
    builder = builder.config("spark.sql.extensions", EXTENSIONS)
    return builder.config("spark.jars", str(jar)).getOrCreate()
