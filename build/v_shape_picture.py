"""Draw docs/images/v_shape.svg: the deepest V-shape that the demo's query finds.

Usage: ``.venv/bin/python build/v_shape_picture.py``. ``tests/python/test_pages.py`` checks that
the picture is up to date.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from match_recognize.demo.__main__ import DATA
from match_recognize.demo.questions import SETUP, V_SHAPE
from match_recognize.pictures.shapes import box, document, dot, line, point, text
from pyspark.sql import Row, SparkSession

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "v_shape.svg"

#: Days that are shown before and after the match.
AROUND = 12

WIDTH, HEIGHT = 760, 350
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 70, 60
FALL, RISE, OTHER = "note", "mark", "dim"


def answers(spark: SparkSession) -> tuple[Row, list[tuple[date, float]]]:
    """Run the demo's query.

    Args:
        spark: a session with the extension.

    Returns:
        The match with the deepest fall, and the closing prices around it, in US dollars.
    """
    for statement in SETUP:
        spark.sql(statement.format(data=DATA))
    deepest = spark.sql(V_SHAPE.sql).first()
    assert deepest is not None
    prices = spark.sql(
        f"""SELECT day, CAST(price AS DOUBLE) AS price FROM stocks
            WHERE symbol = '{deepest.symbol}'
              AND day BETWEEN DATE '{deepest.top_day}' - {AROUND}
                          AND DATE '{deepest.end_day}' + {AROUND}
            ORDER BY day"""
    ).collect()
    return deepest, [(row.day, row.price) for row in prices]


def picture(spark: SparkSession) -> str:
    """The picture as SVG: the prices as a line, the fall and the rise of the match in colour."""
    match, prices = answers(spark)
    low = min(price for _, price in prices)
    high = max(price for _, price in prices)
    first, last = prices[0][0], prices[-1][0]

    def x(day: date) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (day - first).days / (last - first).days, 1)

    def y(price: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - price) / (high - low), 1)

    def prices_of(begin: date, end: date, kind: str) -> str:
        points = [point(x(d), y(p)) for d, p in prices if begin <= d <= end]
        return line(f"M{' L'.join(points)}", kind=kind)

    price_of = dict(prices)
    marks = [
        ("TOP", match.top_day, OTHER, -14),
        ("last DOWN", match.bottom_day, FALL, 24),
        ("last UP", match.end_day, RISE, -14),
    ]
    title = f"{match.symbol}, closing price: {match.fall} %, then +{match.rise} %"
    left, right = x(match.top_day), x(match.end_day)
    shapes = [
        text(LEFT, 26, title, anchor="start", weight="bold"),
        box(left, TOP, right - left, HEIGHT - TOP - BOTTOM, "shade", 0),
        prices_of(first, last, "line"),
        prices_of(match.top_day, match.bottom_day, f"{FALL}-line"),
        prices_of(match.bottom_day, match.end_day, f"{RISE}-line"),
        text(LEFT - 8, y(high) + 5, f"{high:.0f} $", anchor="end"),
        text(LEFT - 8, y(low) + 5, f"{low:.0f} $", anchor="end"),
    ]
    for name, day, kind, above in marks:
        shapes.append(dot(x(day), y(price_of[day]), 5, kind))
        shapes.append(text(x(day), y(price_of[day]) + above, name, kind))
        shapes.append(text(x(day), HEIGHT - 14, str(day)))
    return document(WIDTH, HEIGHT, shapes, title)


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PICTURE.write_text(picture(session))
    session.stop()
