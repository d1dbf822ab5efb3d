"""What Spark's way to write checkpoint files costs.

``python -m benchmarks.streaming.checkpoint_files`` runs a query with Spark's default class for
these files, and then with Spark's other one, in one session. The default uses Hadoop's
FileContext. On a local disk, without Hadoop's native library, that starts a process for each
permission and each link. What counts is the ratio within a pair: of the medians of the times that
the micro-batches take.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from statistics import median

import pyspark
from pyspark.sql import SparkSession

from benchmarks.session import start

SETTING = "spark.sql.streaming.checkpointFileManagerClass"

OTHER = (
    "org.apache.spark.sql.execution.streaming"
    + (".checkpointing" if [*map(int, pyspark.__version__.split(".")[:2])] >= [4, 1] else "")
    + ".FileSystemBasedCheckpointFileManager"
)

#: Micro-batches of a query, of one file each; the first ones are not counted.
FILES, WARM_UPS, ROWS = 40, 5, 100

CLAUSE = """SELECT * FROM walk MATCH_RECOGNIZE (PARTITION BY key ORDER BY ts
  MEASURES LAST(ts) AS t AFTER MATCH SKIP PAST LAST ROW PATTERN (A B+) WITHIN INTERVAL 1 HOUR
  DEFINE B AS price < PREV(price))"""


def provide(spark: SparkSession, folder: str) -> None:
    """Writes the files, one for each batch."""
    for number in range(FILES):
        spark.range(number * ROWS, (number + 1) * ROWS, 1, 1).selectExpr(
            "id % 10 AS key", "timestamp_seconds(1700000000 + id) AS ts", "id % 7 AS price"
        ).write.mode("append").parquet(folder)


def milliseconds(spark: SparkSession, folder: str, manager: str | None) -> float:
    """The median time of a batch, with this class for checkpoint files."""
    if manager is None:
        spark.conf.unset(SETTING)
    else:
        spark.conf.set(SETTING, manager)
    schema = spark.read.parquet(folder).schema
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(folder)
    stream.withWatermark("ts", "1 second").createOrReplaceTempView("walk")
    checkpoint = tempfile.mkdtemp()
    writer = spark.sql(CLAUSE).writeStream.format("noop").option("checkpointLocation", checkpoint)
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination()
    shutil.rmtree(checkpoint)
    batches = query.recentProgress[WARM_UPS:]
    return median(float(batch["durationMs"]["triggerExecution"]) for batch in batches)


def main() -> None:
    """Prints the two times and their ratio, a line for each pair."""
    words = argparse.ArgumentParser(
        prog="python -m benchmarks.streaming.checkpoint_files", description=__doc__
    )
    words.add_argument("--pairs", type=int, default=7, help="of queries")
    pairs = words.parse_args().pairs
    spark = start()
    folder = tempfile.mkdtemp()
    provide(spark, folder)
    milliseconds(spark, folder, None)
    ratios: list[float] = []
    for _ in range(pairs):
        default = milliseconds(spark, folder, None)
        other = milliseconds(spark, folder, OTHER)
        ratios.append(default / other)
        print(f"default {default:.0f} ms, other {other:.0f} ms, ratio {ratios[-1]:.2f}")
    print(f"median {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
