"""Streams go on from the checkpoints of earlier releases, also after an upgrade of Spark."""

from __future__ import annotations

from pathlib import Path

import kept_checkpoint
import pyspark
import pytest
from pyspark.sql import SparkSession

KEPT = sorted(kept_checkpoint.FOLDER.glob("*.zip"))

#: By hand: a goes down from 9 to 5 and up to 7 and 8; b waits in vain for a row to go down to.
ANSWERS = {
    "one_row": [("a", 1, 9, 8, 4, 5, False), ("b", 1, 1, 1, 1, None, True)],
    "all_rows": [
        ("a", 5, "DOWN", [9, 5]),
        ("a", 7, "UP", [9, 5, 7]),
        ("a", 8, "UP", [9, 5, 7, 8]),
        ("a", 9, "A", [9]),
    ],
}


def versions(text: str) -> list[int]:
    return [int(part) for part in text.split(".")[:2]]


def test_there_are_checkpoints_of_this_format() -> None:
    stores = {
        kept.name.split("-")[0] for kept in KEPT if f"-{kept_checkpoint.FORMAT}-" in kept.name
    }
    assert stores == set(kept_checkpoint.STORES)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_a_stream_goes_on(kept: Path, spark: SparkSession, tmp_path: Path) -> None:
    store, _, written = kept.stem.split("-")
    if versions(pyspark.__version__) < versions(written):
        pytest.skip("Spark does not read checkpoints of later versions")
    kept_checkpoint.unpack(kept, tmp_path)
    found = kept_checkpoint.run(tmp_path, store, kept_checkpoint.AFTER)
    assert {name: sorted(rows, key=repr) for name, rows in found.items()} == ANSWERS
