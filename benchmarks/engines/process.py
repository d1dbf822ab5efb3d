"""A warm process of one engine, which answers one question again and again.

It runs in the Python of ``target/tools/engines``: ``process.py ENGINE QUESTION FOLDER CORES``.
It reads a line for each run, ``run`` or ``answer FILE``, and prints a line of JSON after it. A
run holds the whole answer in memory, then drops it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: The columns that the questions read, in Trino's types.
TRINO_COLUMNS = {
    "ticks": "symbol varchar, ts timestamp(6), price double",
    "clicks": "user_id bigint, ts timestamp(6), event varchar, amount double",
}

#: What runs the question, into a file if that is named; and the process whose memory counts.
Started = tuple[Callable[[str], object], int]


def statement(question: str) -> str:
    """The window formulation: that of Spark for Q1, which DuckDB takes as it is."""
    engines = Path(__file__).parent
    own = engines / "sql" / f"{question}.sql"
    if own.exists():
        return own.read_text()
    of_spark = engines.parent / "queries" / question / "gaps_and_islands.sql"
    return of_spark.read_text().replace("{ticks}", "rows")


def duckdb_engine(question: str, folder: str, cores: int) -> Started:
    """Runs the statement of the question, into a temporary table or a file."""
    import duckdb  # type: ignore[import-not-found]

    text = statement(question)
    connection = duckdb.connect(config={"threads": cores})
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE VIEW rows AS SELECT * FROM read_parquet('{folder}/*.parquet')")

    def run(file: str) -> object:
        if file:
            return connection.execute(f"COPY ({text}) TO '{file}' (FORMAT parquet)")
        connection.execute(f"CREATE TEMP TABLE answer AS {text}")
        return connection.execute("DROP TABLE answer")

    return run, os.getpid()


def polars_engine(question: str, folder: str, cores: int) -> Started:
    """Collects the frame of ``polars_frames``."""
    # Polars reads it when it is imported.
    os.environ["POLARS_MAX_THREADS"] = str(cores)
    import polars as pl
    from polars_frames import FRAMES  # type: ignore[import-not-found]

    frame = FRAMES[question](pl.scan_parquet(f"{folder}/*.parquet"))

    def run(file: str) -> object:
        answer = frame.collect()
        return answer.write_parquet(file) if file else answer

    return run, os.getpid()


def trino_engine(question: str, folder: str, cores: int) -> Started:
    """Runs our own statement in a server; its rows go into memory, or files."""
    from trino import server  # type: ignore[import-not-found]

    own = Path(__file__).parents[1] / "queries" / question / "ours.sql"
    table = Path(folder).name.partition("-")[0]
    text = own.read_text().replace(f"{{{table}}}", f"hive.default.{table}")
    trino = server.Server(cores)
    trino.run("CREATE SCHEMA IF NOT EXISTS hive.default")
    trino.run(
        f"CREATE TABLE hive.default.{table} ({TRINO_COLUMNS[table]}) "
        f"WITH (format = 'PARQUET', external_location = 'local://{folder}')"
    )

    def run(file: str) -> None:
        into = f"{'hive' if file else 'memory'}.default.answer"
        trino.run(f"CREATE TABLE {into} AS {text}")
        if file:
            shutil.copytree(server.FOLDER / "metastore" / "default" / "answer", file)
        trino.run(f"DROP TABLE {into}")

    return run, trino.process.pid


ENGINES = {"duckdb": duckdb_engine, "polars": polars_engine, "trino": trino_engine}


def peak_resident(process: int) -> int | None:
    """The most memory that a process has had at once, in bytes, if Linux reports it."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    found = (int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return next((kilobytes * 1024 for kilobytes in found), None)


def main() -> None:
    """Answers line by line, until there are no more."""
    engine, question, folder, cores = sys.argv[1:]
    run, process = ENGINES[engine](question, folder, int(cores))
    for line in sys.stdin:
        _, _, file = line.strip().partition(" ")
        start = time.perf_counter()
        run(file)
        found: dict[str, Any] = {
            "seconds": time.perf_counter() - start,
            "memory": peak_resident(process),
        }
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
