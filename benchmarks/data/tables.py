"""Tables on disk: made once, then taken from there.

Each has two copies. ``NAME`` has rows in the order of time, ``NAME_sorted`` is bucketed by the
key and sorted by key and time with one file a bucket, which is when Spark knows of the order.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from benchmarks.data.cards import cards
from benchmarks.data.clicks import clicks
from benchmarks.data.columns import SEED
from benchmarks.data.crimes import crimes
from benchmarks.data.sensors import sensors
from benchmarks.data.ticks import ticks

FILES = 8


@dataclass(frozen=True)
class Table:
    """How one table is made and sorted.

    Attributes:
        make: rows and random numbers to columns.
        keys: what the questions partition by; nothing where they do not.
        order: what they order by.
        bucket_by: the column whose hash says in which file of the sorted copy a row is.
        buckets: number of those files.
    """

    name: str
    make: Callable[[int, np.random.Generator], pa.Table]
    keys: tuple[str, ...]
    order: tuple[str, ...]
    bucket_by: str
    buckets: int = FILES

    @property
    def sorted_by(self) -> tuple[str, ...]:
        """The order of the sorted copy, within a file."""
        return self.keys + self.order


TABLES = {
    table.name: table
    for table in [
        Table("ticks", ticks, ("symbol",), ("ts",), "symbol"),
        Table("clicks", clicks, ("user_id",), ("ts",), "user_id"),
        Table("sensors", sensors, ("device",), ("ts",), "device"),
        Table("cards", cards, ("card",), ("ts",), "card"),
        # No key: one partition, one file.
        Table("crimes", crimes, (), ("ts", "id"), "id", buckets=1),
    ]
}


def cache() -> Path:
    """The folder of all tables: ``$BENCH_DATA``, or one that git does not see."""
    default = Path(__file__).resolve().parents[2] / "target" / "bench-data"
    return Path(os.environ.get("BENCH_DATA", default)).absolute()


def provide(spark: SparkSession, name: str, rows: int) -> None:
    """Makes both copies of a table, where they are not there yet, and Spark know of them."""
    table = TABLES[name]
    folder = cache() / f"{name}-{rows}"
    if not folder.is_dir():
        _generate(table, rows, folder)
    spark.read.parquet(str(folder)).createOrReplaceTempView(name)
    sorted_folder = cache() / f"{name}-{rows}-sorted"
    if not (sorted_folder / "_SUCCESS").exists():
        shutil.rmtree(sorted_folder, ignore_errors=True)
        _sort(spark, table, sorted_folder)
    _register_sorted(spark, table, sorted_folder)


def _generate(table: Table, rows: int, folder: Path) -> None:
    print(f"making {folder}", flush=True)
    unfinished = folder.with_name(folder.name + "-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    columns = table.make(rows, np.random.default_rng(SEED))
    size = -(-rows // FILES)
    for i in range(FILES):
        pq.write_table(columns.slice(i * size, size), unfinished / f"part-{i:05}.snappy.parquet")
    unfinished.rename(folder)


def _sort(spark: SparkSession, table: Table, folder: Path) -> None:
    print(f"making {folder}", flush=True)
    copy = f"{table.name}_unregistered"
    spark.sql(f"DROP TABLE IF EXISTS {copy}")
    # With each bucket in a task of its own, each becomes one file.
    rows = spark.table(table.name).repartition(table.buckets, table.bucket_by)
    writer = rows.write.format("parquet").option("path", str(folder))
    writer.bucketBy(table.buckets, table.bucket_by).sortBy(*table.sorted_by).saveAsTable(copy)
    spark.sql(f"DROP TABLE {copy}")


def _register_sorted(spark: SparkSession, table: Table, folder: Path) -> None:
    fields = spark.read.parquet(str(folder)).schema.fields
    columns = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in fields)
    spark.sql(f"DROP TABLE IF EXISTS {table.name}_sorted")
    spark.sql(
        f"CREATE TABLE {table.name}_sorted ({columns}) USING parquet "
        f"CLUSTERED BY ({table.bucket_by}) SORTED BY ({', '.join(table.sorted_by)}) "
        f"INTO {table.buckets} BUCKETS LOCATION '{folder}'"
    )
