"""Two streaming queries over a folder of files, in a process that test_kills.py kills.

``python killed_stream.py FOLDER MASTER`` goes on from the checkpoints in the folder. It writes
the file ``running`` once the queries run, and ``done`` once all files are read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from match_recognize import configure
from pyspark.sql import DataFrame, SparkSession

SCHEMA = "k STRING, t TIMESTAMP, x INT"

#: Rows come out of order by less than this many seconds.
DELAY = 4

STATEMENT = """
    SELECT k, m, first_x, last_x, n, low, late FROM {table} MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t, x
      MEASURES MATCH_NUMBER() AS m, FIRST(x) AS first_x, LAST(x) AS last_x, COUNT(*) AS n,
        MIN(DOWN.x) AS low, MATCH_TIMED_OUT() AS late
      ONE ROW PER MATCH SHOW TIMEOUT MATCHES
      PATTERN (A DOWN+ UP+)
      WITHIN INTERVAL 8 SECONDS
      DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))
"""

STORES = "org.apache.spark.sql.execution.streaming.state"


def session(folder: Path, master: str) -> SparkSession:
    return (
        configure(SparkSession.builder)
        .master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )


def run(folder: Path, master: str) -> None:
    spark = session(folder, master)
    (
        spark.readStream.schema(SCHEMA)
        .option("maxFilesPerTrigger", 1)
        .json(str(folder / "input"))
        .withWatermark("t", f"{DELAY} seconds")
        .createOrReplaceTempView("events")
    )

    def write(batch: DataFrame, number: int) -> None:
        """A micro-batch that is written again replaces itself."""
        batch.write.mode("overwrite").parquet(str(folder / "batches" / f"number={number}"))

    found = spark.sql(STATEMENT.format(table="events"))
    (
        found.writeStream.format("parquet")
        .option("path", str(folder / "files"))
        .option("checkpointLocation", str(folder / "files-checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    spark.conf.set(
        "spark.sql.streaming.stateStore.providerClass", f"{STORES}.RocksDBStateStoreProvider"
    )
    (
        found.writeStream.foreachBatch(write)
        .option("checkpointLocation", str(folder / "batches-checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    (folder / "running").touch()
    for query in spark.streams.active:
        query.awaitTermination()
    (folder / "done").touch()
    spark.stop()


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2])
