"""Checkpoints of earlier releases, which later ones must read.

``python kept_checkpoint.py`` runs the first files of the streams of this module and writes
``checkpoints/STORE-FORMAT-SPARK.zip``, with the state store, the format of the state and the
version of Spark in the name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pyspark
from match_recognize import configure
from pyspark.sql import SparkSession

FOLDER = Path(__file__).parent / "checkpoints"

#: Of the state, as the first byte of each of its values says.
FORMAT = 10

PROVIDER = "spark.sql.streaming.stateStore.providerClass"

#: State stores by name; the second is that of `TransformWithState`, from Spark 4.0 on.
STORES = {
    "default": "HDFSBackedStateStoreProvider",
    "rocksdb": "RocksDBStateStoreProvider",
}

#: Partial matches with aggregates and collected values, of the last matched row and of each.
STATEMENTS = {
    "one_row": """
        SELECT * FROM ticks MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY t
          MEASURES MATCH_NUMBER() AS m, FIRST(x) AS first, LAST(x) AS last, COUNT(*) AS n,
            MIN(DOWN.x) AS low, MATCH_TIMED_OUT() AS late
          ONE ROW PER MATCH SHOW TIMEOUT MATCHES
          PATTERN (A DOWN+ UP+) WITHIN INTERVAL 10 SECONDS
          DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""",
    "all_rows": """
        SELECT k, x, v, l FROM ticks MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY t
          MEASURES CLASSIFIER() AS v, COLLECT_LIST(x) AS l
          ALL ROWS PER MATCH
          PATTERN (A DOWN+ UP+) WITHIN INTERVAL 10 SECONDS
          DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""",
}


def row(k: str, second: float, x: int) -> dict[str, Any]:
    return {"k": k, "t": f"2026-01-05 00:00:0{second}" if second < 10 else END, "x": x}


END = "2026-01-05 00:01:00"

#: One file for each micro-batch. After the first two, the watermark is at second 3: two rows are
#: retained, and two wait for it.
BEFORE = [[row("a", 1, 9), row("a", 2, 5), row("a", 4, 8)], [row("b", 5, 1)]]

#: The first row comes out of order.
AFTER = [[row("a", 3.5, 7)], [row("end", 60, 0)]]


def run(folder: Path, store: str, files: list[list[dict[str, Any]]]) -> dict[str, list[Any]]:
    """Runs the streams over new files on from the checkpoints in the folder.

    Returns the rows by statement.
    """
    spark = (
        configure(SparkSession.builder)
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    source = Path(tempfile.mkdtemp(prefix="ticks"))
    for i, rows in enumerate(files):
        file = source / f"{i}.json"
        file.write_text("\n".join(map(json.dumps, rows)))
        os.utime(file, (1_000_000_000 + i, 1_000_000_000 + i))
    settings = {
        "spark.sql.shuffle.partitions": "1",
        PROVIDER: f"org.apache.spark.sql.execution.streaming.state.{STORES[store]}",
    }
    before = {name: spark.conf.get(name, None) for name in settings}
    found: dict[str, list[Any]] = {}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        (
            spark.readStream.schema("k STRING, t TIMESTAMP, x INT")
            .option("maxFilesPerTrigger", 1)
            .json(str(source))
            .withWatermark("t", "2 seconds")
            .createOrReplaceTempView("ticks")
        )
        for name, statement in STATEMENTS.items():
            rows_found = found.setdefault(name, [])
            query = (
                spark.sql(statement)
                .writeStream.foreachBatch(
                    lambda frame, _, into=rows_found: into.extend(map(tuple, frame.collect()))
                )
                .option("checkpointLocation", str(folder / name))
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()
    finally:
        for name, old in before.items():
            if old is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, old)
    return found


def write(store: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="checkpoint"))
    assert run(folder, store, BEFORE) == {name: [] for name in STATEMENTS}
    FOLDER.mkdir(exist_ok=True)
    name = f"{store}-{FORMAT}-{pyspark.__version__}"
    shutil.make_archive(str(FOLDER / name), "zip", folder)


def unpack(kept: Path, folder: Path) -> None:
    """Unpacks a checkpoint, so that the folder may be another than the one it was written in.

    Spark keeps the absolute paths of the schemas of TransformWithState's state.
    """
    shutil.unpack_archive(kept, folder)
    for name in STATEMENTS:
        for metadata in folder.glob(f"{name}/state/*/_metadata/v2/[0-9]*"):
            text = metadata.read_text()
            place = (folder / name).as_uri().replace("file://", "file:")
            metadata.write_text(re.sub(rf'"file:[^"]*/{name}(?=/state/)', f'"{place}', text))
            # The checksum of the text as it was, which Hadoop would compare.
            (metadata.parent / f".{metadata.name}.crc").unlink()


if __name__ == "__main__":
    for each in STORES if pyspark.__version__ >= "4" else ["default"]:
        write(each)
