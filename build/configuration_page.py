"""Write docs/configuration.md from the settings that the extension registers.

Usage: ``.venv/bin/python build/configuration_page.py``. ``tests/python/project/test_pages.py``
checks that the page is up to date.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from pyspark.sql import Row, SparkSession

PAGE = Path(__file__).resolve().parents[1] / "docs" / "configuration.md"

HEAD = """\
# Configuration

<!-- Generated: .venv/bin/python build/configuration_page.py -->

These settings belong to a session. Set one with `SET name = value` or `spark.conf.set`.
To set it for every session, use `--conf name=value` or `spark-defaults.conf`.
`SET -v` lists them with their values.

* Spark rejects an invalid value when you set it.
* A query reads the settings when Spark analyzes it. A later change does not affect it.
* A view keeps the values that were set when the view was created.
* Settings with `ranges` are read later, when Spark plans the query.
"""

#: By the last part of a setting: its values, and when to change it.
ADVICE = {
    "dialect": (
        "`standard`, `flink`",
        "Set it to `flink` for queries that were written for Flink SQL or VVR. See [Migration "
        "from Flink SQL and VVR](migration/flink.md).",
    ),
    "invalidSkip": (
        "`error`, `nextRow`",
        "Set it to `nextRow` if such a match is no mistake in the pattern. See [After a "
        "match](semantics.md#after-a-match).",
    ),
    "matcher": (
        "`auto`, `fused`, `automaton`, `threads`",
        "Set it to `fused` to learn why a clause does not get this matcher. See "
        "[Matchers](matchers.md).",
    ),
    "maxMatchesPerStart": (
        "1 or more",
        "Raise it if a query is meant to return more matches. First check that the loops of its "
        "pattern have bounds.",
    ),
    "maxSteps": (
        "1 or more",
        "Raise it if a query fails with `TOO_MANY_STEPS` and its conditions cannot be changed. "
        "See [Conditions that take more time](limitations.md#conditions-that-take-more-time).",
    ),
    "partitions": (
        "`true`, `false`",
        "Set it to `true` if one task runs much longer than the others. See [One key with most "
        "of the rows](performance.md#one-key-with-most-of-the-rows).",
    ),
    "minBytes": (
        "a size such as `64m`",
        "Set it to `1p` so that one task searches all rows. See [One partition on all "
        "cores](performance.md#one-partition-on-all-cores).",
    ),
    "spillThreshold": (
        "1 or more",
        "Lower it to limit the memory of a search to a number of rows. See "
        "[Memory](performance.md#memory).",
    ),
}


def page(spark: SparkSession) -> str:
    """The page, as Spark tells of the settings.

    Each has a heading of its own, since the site's search ranks what a heading says first.

    Args:
        spark: a session in which none of them was set.
    """
    found = spark.sql("SET -v").filter("key LIKE 'spark.sql.matchRecognize.%'").orderBy("key")
    rows = found.collect()
    assert rows, "the session does not have the extension"
    return HEAD + "".join(map(entry, rows))


def entry(row: Row) -> str:
    """One setting: its name, its default and what it means.

    Args:
        row: of the answer to SET -v.
    """
    meaning = textwrap.fill(row["meaning"], 100)
    values, advice = ADVICE[row["key"].rpartition(".")[2]]
    return (
        f"\n## {row['key']}\n\nDefault: `{row['value']}`. Values: {values}.\n\n{meaning}\n\n"
        f"{textwrap.fill(advice, 100)}\n"
    )


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PAGE.write_text(page(session))
    session.stop()
