"""Draw docs/images/contiguity.svg from the answers to the queries of docs/event-patterns.md.

Usage: ``.venv/bin/python build/contiguity_picture.py``. ``tests/python/project/test_pages.py``
checks that the picture is up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

from match_recognize.plot.shapes import document, dot, line, text
from pyspark.sql import SparkSession

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "event-patterns.md"
PICTURE = DOCS / "images" / "contiguity.svg"

WIDTH, LEFT, STEP, LINE, RADIUS = 620, 250, 60, 26, 8
KINDS = {"a": "mark", "b": "note"}


def answers(spark: SparkSession) -> tuple[list[str], list[tuple[str, str, list[list[str]]]]]:
    """Run the page's first queries.

    Args:
        spark: a session with the extension.

    Returns:
        The names of the events in order; and by way of following, its title, its pattern, and for
        each match the names of its rows.
    """
    section = PAGE.read_text().split("\n## Contiguity\n")[1].split("\n## ")[0]
    create = re.findall(r"```sql\n(.*?)```", section, re.DOTALL)[0]
    spark.sql(create)
    events = [row["name"] for row in spark.sql("SELECT name FROM events ORDER BY o").collect()]
    ways = []
    for part in section.split("\n### ")[1:]:
        query = re.findall(r"```sql\n(.*?)```", part, re.DOTALL)[0]
        pattern = re.findall(r"PATTERN \((.*)\)", query)[0]
        if "NO SKIP" in query:
            pattern += ", NO SKIP"
        matches = [list(row) for row in spark.sql(query).collect()]
        ways.append((part.splitlines()[0], pattern, matches))
    return events, ways


def picture(spark: SparkSession) -> str:
    """The picture as SVG: a line a match, its rows as dots below the events."""
    events, ways = answers(spark)
    x = {name: LEFT + STEP * i for i, name in enumerate(events)}
    y = 24
    shapes = []
    for title, pattern, matches in ways:
        shapes.append(text(16, y, title, anchor="start", weight="bold"))
        shapes.append(text(16, y + 18, pattern, anchor="start"))
        shapes += [text(x[name], y, name, KINDS[name[0]]) for name in events]
        for match in matches:
            y += LINE
            shapes.append(line(f"M{x[match[0]]},{y} H{x[match[-1]]}"))
            shapes += [dot(x[name], y, RADIUS, KINDS[name[0]]) for name in match]
        if not matches:
            y += LINE
            shapes.append(text(LEFT - 8, y, "no match", anchor="start"))
        y += 2 * LINE
    height = y - LINE // 2
    return document(WIDTH, height, shapes, "Matches of each pattern among the six events")


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PICTURE.write_text(picture(session))
    session.stop()
