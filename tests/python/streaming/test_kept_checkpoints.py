"""Streams go on from the checkpoints of earlier releases, also after an upgrade of Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kept_checkpoint
import pyspark
import pytest
from kept_checkpoint import RELEASE, Kept, numbers
from match_recognize.session.jars import SUPPORTED
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

SPARK = numbers(pyspark.__version__)[:2]

#: By hand: a goes down from 9 to 5 and up to 7 and 8; b waits in vain for a row to go down to.
ANSWERS = {
    "one_row": [("a", 1, 9, 8, 4, 5, False), ("b", 1, 1, 1, 1, None, True)],
    "all_rows": [
        ("a", 5, "DOWN", [9, 5]),
        ("a", 7, "UP", [9, 5, 7]),
        ("a", 8, "UP", [9, 5, 7, 8]),
        ("a", 9, "A", [9]),
    ],
    "texts": [("a", 9, 4)],
    "variants": [("a", 9, 4)],
}


KEPT = kept_checkpoint.kept()


def minor(kept: Kept) -> tuple[int, ...]:
    return numbers(kept.spark)[:2]


def is_refused(kept: Kept) -> bool:
    """From Spark 4.0 on, the operator over RocksDB is another one."""
    return kept.store == "rocksdb" and minor(kept) < (4, 0) <= SPARK


def parameters(some: list[Kept]) -> list[Any]:
    """Those of this Spark for each run, those of earlier ones for the nightly run.

    Spark does not read checkpoints of later versions.
    """
    return [
        pytest.param(
            kept,
            id=f"{kept.release}-{kept.store}-{kept.spark}",
            marks=[] if minor(kept) == SPARK else pytest.mark.nightly,
        )
        for kept in some
        if minor(kept) <= SPARK
    ]


@pytest.mark.parametrize("kept", parameters([k for k in KEPT if not is_refused(k)]))
def test_a_stream_goes_on(kept: Kept, spark: SparkSession, tmp_path: Path) -> None:
    kept_checkpoint.unpack(kept, tmp_path)
    found = kept_checkpoint.run(tmp_path, kept, kept_checkpoint.AFTER)
    assert {name: sorted(rows, key=repr) for name, rows in found.items()} == {
        name: ANSWERS[name] for name in kept.statements
    }


@pytest.mark.parametrize("kept", parameters([k for k in KEPT if is_refused(k)]))
def test_spark_refuses(kept: Kept, spark: SparkSession, tmp_path: Path) -> None:
    """The error is Spark's own: the checkpoint has no metadata of an operator."""
    kept_checkpoint.unpack(kept, tmp_path)
    with pytest.raises(StreamingQueryException, match="STDS_FAILED_TO_READ_OPERATOR_METADATA"):
        kept_checkpoint.run(tmp_path, kept, kept_checkpoint.AFTER)


def test_each_release_has_them() -> None:
    """The next release has them for each Spark and store, and published ones keep theirs."""
    here = {(kept.store, minor(kept)) for kept in KEPT if kept.release == RELEASE}
    wanted = {(store, numbers(spark)) for spark in SUPPORTED for store in kept_checkpoint.STORES}
    assert here == wanted, "make checkpoints"
    assert kept_checkpoint.published() <= {kept.release for kept in KEPT}
