"""Checkpoints of each Spark and state store, which later releases must read.

``python kept_checkpoint.py`` runs the first files of the streams of this module on the Spark of
this Python, and writes ``checkpoints/RELEASE/STORE-SPARK.tar.xz``. ``make checkpoints`` does so
for each Spark. Those of a published release are never written again and never deleted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyspark
from match_recognize import configure
from pyspark.sql import SparkSession

FOLDER = Path(__file__).parent / "checkpoints"
ROOT = Path(__file__).parents[2]
RELEASE = (ROOT / "VERSION").read_text().strip()

#: A fifth of the size of a zip, which compresses each of the many small files by itself.
ENDING = ".tar.xz"

PROVIDER = "spark.sql.streaming.stateStore.providerClass"

#: State stores by name; with the second, the operator is `TransformWithState` from Spark 4.0 on.
STORES = {
    "default": "HDFSBackedStateStoreProvider",
    "rocksdb": "RocksDBStateStoreProvider",
}

#: Partial matches with aggregates and collected values, of the last matched row and of each; and
#: expressions that the versions of Spark write as different texts.
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
    # Other texts from Spark 3.5 to 4.0.
    "texts": """
        SELECT * FROM (SELECT *, x BETWEEN 5 AND 9 AS some FROM ticks) MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY t
          MEASURES FIRST(x) AS first, COUNT(*) FILTER (WHERE encode(k, 'utf-8') = X'61') AS n
          PATTERN (A DOWN+ UP+) WITHIN INTERVAL 10 SECONDS
          DEFINE DOWN AS some AND x < PREV(x) AND url_decode(k) = 'a',
            UP AS x > PREV(x) AND array_append(array(x), 1) IS NOT NULL)""",
    # Other texts from Spark 4.1 to 4.2. Spark 3.5 has no variants.
    "variants": """
        SELECT * FROM ticks MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY t
          MEASURES FIRST(x) AS first, COUNT(*) AS n
          PATTERN (A DOWN+ UP+) WITHIN INTERVAL 10 SECONDS
          DEFINE DOWN AS x < PREV(x) AND variant_get(parse_json(string(x)), '$', 'int') = x,
            UP AS x > PREV(x))""",
}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@dataclass(frozen=True)
class Kept:
    """A checkpoint that is kept.

    Attributes:
        release: of the library that wrote it.
        store: the state store, a name of ``STORES``.
        spark: the version of Spark.
    """

    release: str
    store: str
    spark: str

    @property
    def file(self) -> Path:
        return FOLDER / self.release / f"{self.store}-{self.spark}{ENDING}"

    @property
    def statements(self) -> list[str]:
        """The names of its statements."""
        return [name for name in STATEMENTS if name != "variants" or numbers(self.spark) >= (4,)]


def published() -> set[str]:
    """The releases that the changelog has."""
    changelog = (ROOT / "CHANGELOG.md").read_text()
    return set(re.findall(r"^## \[(\d[\d.]*)\]", changelog, re.MULTILINE))


def kept() -> list[Kept]:
    """All that there are, of the oldest release first."""
    files = sorted(
        FOLDER.glob(f"*/*{ENDING}"), key=lambda file: (numbers(file.parent.name), file)
    )
    return [Kept(file.parent.name, *file.name[: -len(ENDING)].split("-")) for file in files]


def row(k: str, second: float, x: int) -> dict[str, Any]:
    return {"k": k, "t": f"2026-01-05 00:00:0{second}" if second < 10 else END, "x": x}


END = "2026-01-05 00:01:00"

#: One file for each micro-batch. After the first two, the watermark is at second 3: two rows are
#: retained, and two wait for it.
BEFORE = [[row("a", 1, 9), row("a", 2, 5), row("a", 4, 8)], [row("b", 5, 1)]]

#: The first row comes out of order.
AFTER = [[row("a", 3.5, 7)], [row("end", 60, 0)]]


def run(
    folder: Path, checkpoint: Kept, files: list[list[dict[str, Any]]]
) -> dict[str, list[Any]]:
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
    provider = STORES[checkpoint.store]
    settings = {
        "spark.sql.shuffle.partitions": "1",
        PROVIDER: f"org.apache.spark.sql.execution.streaming.state.{provider}",
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
        for name in checkpoint.statements:
            rows_found = found.setdefault(name, [])
            query = (
                spark.sql(STATEMENTS[name])
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
        shutil.rmtree(source)
    return found


def write(checkpoint: Kept) -> None:
    """Writes a checkpoint, in the place of an older one of the same release."""
    if checkpoint.file.exists() and checkpoint.release in published():
        raise SystemExit(f"{checkpoint.file} is of a published release, and stays as it is.")
    with tempfile.TemporaryDirectory(prefix="checkpoint") as name:
        folder = Path(name)
        found = run(folder, checkpoint, BEFORE)
        assert found == {statement: [] for statement in checkpoint.statements}
        archive = str(checkpoint.file)[: -len(ENDING)]
        shutil.make_archive(archive, "xztar", folder)


def unpack(checkpoint: Kept, folder: Path) -> None:
    """Unpacks a checkpoint, so that the folder may be another than the one it was written in.

    Spark keeps the absolute paths of the schemas of TransformWithState's state.
    """
    shutil.unpack_archive(checkpoint.file, folder)
    for name in checkpoint.statements:
        for metadata in folder.glob(f"{name}/state/*/_metadata/v2/[0-9]*"):
            text = metadata.read_text()
            place = (folder / name).as_uri().replace("file://", "file:")
            metadata.write_text(re.sub(rf'"file:[^"]*/{name}(?=/state/)', f'"{place}', text))
            # The checksum of the text as it was, which Hadoop would compare.
            (metadata.parent / f".{metadata.name}.crc").unlink()


if __name__ == "__main__":
    for each in STORES:
        write(Kept(RELEASE, each, pyspark.__version__))
