"""The worked examples of other engines' documentation, as streams: the same rows."""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import SPARK
from documented import CASES, DIALECT, answer, bag, matches, query
from pyspark.sql import SparkSession
from pyspark.sql.types import TimestampType
from seeds import turn

EPOCH = datetime.datetime(1970, 1, 1)

#: After all rows of the cases.
FAR = EPOCH.replace(year=2100)

STREAMED = [case for case in CASES if case.get("streaming") in (True, "flink")]

#: How many rows come with each micro-batch.
SIZES = [1, 3, 100]


def sizes(case: dict[str, Any]) -> list[int]:
    """The sizes of a case: by turns, or all of them nightly on the newest Spark.

    Cuts matter to our code, which is the same on all Sparks, and each micro-batch takes long.
    """
    every = os.environ.get("GOLDEN_PATHS") == "all" and SPARK >= (4, 3)
    return SIZES if every else [SIZES[turn(case["name"], len(SIZES))]]


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    return new_session()


def order_column(case: dict[str, Any]) -> str:
    found = re.search(r"ORDER BY (\w+)", query(case))
    assert found is not None
    return found.group(1)


def event_time(value: Any) -> datetime.datetime:
    """A number counts seconds since 1970, a time without a date is of that day."""
    if isinstance(value, int):
        return EPOCH + datetime.timedelta(seconds=value)
    text = str(value)
    return datetime.datetime.fromisoformat(text if "-" in text else f"1970-01-01 {text}")


class Input:
    """The table of a case: columns by name and type, and rows."""

    def __init__(self, case: dict[str, Any]) -> None:
        if "sequence" in case:
            self.columns = [("o", "int"), ("name", "string"), ("type", "string")]
            self.rows = [[i, name, name[0]] for i, name in enumerate(case["sequence"], 1)]
        else:
            self.columns = [
                (name, kind)
                for name, kind in (
                    column.split() for column in case["table"]["schema"].split(",")
                )
            ]
            self.rows = [list(row) for row in case["table"]["rows"]]
        self.order = order_column(case)
        at = [name for name, _ in self.columns].index(self.order)
        self.columns[at] = (self.order, "timestamp")
        for row in self.rows:
            row[at] = event_time(row[at])
        self.rows.sort(key=lambda row: row[at])
        self.at = at

    def batches(self, size: int) -> list[list[list[Any]]]:
        """Micro-batches of about so many rows, never cut between rows of one time."""
        found: list[list[list[Any]]] = [[]]
        for i, row in enumerate(self.rows):
            is_cut = i > 0 and row[self.at] != self.rows[i - 1][self.at]
            if len(found[-1]) >= size and is_cut:
                found.append([])
            found[-1].append(row)
        # A row that the clause does not read moves the watermark past all others.
        end = [None] * len(self.columns)
        end[self.at] = FAR
        return [*found, [end]]


def write(rows: list[list[Any]], columns: list[tuple[str, str]], file: Path) -> None:
    with file.open("w") as out:
        for row in rows:
            line = {
                name: value.isoformat() if isinstance(value, datetime.datetime) else value
                for (name, _), value in zip(columns, row)
                if value is not None
            }
            out.write(json.dumps(line, default=str) + "\n")


@pytest.mark.seeds
@pytest.mark.parametrize(
    ("case", "size"),
    [
        pytest.param(case, size, id=f"{case['name']}-batches_of_{size}")
        for case in STREAMED
        for size in sizes(case)
    ],
)
def test_documented_example_as_a_stream(
    case: dict[str, Any], size: int, session: SparkSession, tmp_path: Path
) -> None:
    dialect = "flink" if case["streaming"] == "flink" else case.get("dialect", "standard")
    session.conf.set(DIALECT, dialect)
    source = Input(case)
    folder = tmp_path / "input"
    folder.mkdir()
    for i, rows in enumerate(source.batches(size)):
        file = folder / f"{i}.json"
        write(rows, source.columns, file)
        os.utime(file, (1_000_000_000 + i, 1_000_000_000 + i))
    schema = ", ".join(f"{name} {kind}" for name, kind in source.columns)
    (
        session.readStream.schema(schema)
        .option("maxFilesPerTrigger", 1)
        .json(str(folder))
        .withWatermark(source.order, "0 seconds")
        .where(f"{source.order} < TIMESTAMP '2099-01-01'")
        .createOrReplaceTempView("t")
    )
    found = session.sql(query(case))
    run = (
        found.writeStream.format("memory")
        .queryName("found")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    run.awaitTermination()
    frame = session.table("found")
    if "expect_matches" in case:
        assert sorted(matches(frame)) == sorted(case["expect_matches"])
    else:
        assert bag(answer(frame)) == bag(expected(session, case, frame.columns, source.order))


def expected(
    session: SparkSession, case: dict[str, Any], columns: list[str], order: str
) -> list[list[Any]]:
    """What the case expects; of columns that are now times, as they are cast."""
    kinds = {field.name: field.dataType for field in session.table("found").schema.fields}
    return [
        [
            event_time(value).strftime("%Y-%m-%d %H:%M:%S")
            if value is not None and isinstance(kinds[name], TimestampType)
            else value
            for name, value in zip(columns, row)
        ]
        for row in case["expect"]
    ]
