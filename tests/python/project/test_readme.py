"""The query of the README returns the table below it."""

from __future__ import annotations

import re

from conftest import ROOT
from pyspark.sql import SparkSession


def test_the_query_of_the_readme(spark: SparkSession) -> None:
    readme = (ROOT / "README.md").read_text()
    found = re.search(r"```sql\n(.*?)```\n\n((?:    [^\n]*\n)+)", readme, re.DOTALL)
    assert found is not None
    query, table = found.groups()
    lines = [line.split() for line in table.splitlines()]
    frame = spark.sql(query)
    assert frame.columns == lines[0]
    assert [[str(value) for value in row] for row in frame.collect()] == lines[1:]
