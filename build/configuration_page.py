"""Write docs/configuration.md from the settings that the extension registers.

Usage: ``.venv/bin/python build/configuration_page.py``. ``tests/python/test_pages.py`` looks
whether the page is up to date.
"""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

PAGE = Path(__file__).resolve().parents[1] / "docs" / "configuration.md"

HEAD = """\
# Configuration

<!-- Generated: .venv/bin/python build/configuration_page.py -->

Settings of a session: `SET name = value`, `spark.conf.set`, `--conf`, `spark-defaults.conf`.
`SET -v` lists them. A wrong value is refused when it is set. They are read when a query is
analyzed; a view keeps those that it was made under.

| setting | default | meaning |
|---|---|---|
"""


def page(spark: SparkSession) -> str:
    """The page, as Spark tells of the settings.

    Args:
        spark: a session in which none of them was set.
    """
    found = spark.sql("SET -v").filter("key LIKE 'spark.sql.matchRecognize.%'").orderBy("key")
    rows = [
        f"| `{row['key']}` | `{row['value']}` | {row['meaning']} |\n" for row in found.collect()
    ]
    assert rows, "the session does not have the extension"
    return HEAD + "".join(rows)


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PAGE.write_text(page(session))
    session.stop()
