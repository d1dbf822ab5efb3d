"""Draw docs/images/v_shape.svg: the deepest V-shape that the demo's query finds.

Usage: ``.venv/bin/python build/v_shape_picture.py``. ``tests/python/test_pages.py`` checks that
the picture is up to date.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from match_recognize.demo.__main__ import DATA
from match_recognize.demo.questions import SETUP, V_SHAPE
from pyspark.sql import Row, SparkSession
from svg import document, text

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "v_shape.svg"

#: Days that are shown before and after the match.
AROUND = 12

WIDTH, HEIGHT = 760, 350
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 70, 60
FALL, RISE, OTHER = "#c0392b", "#1e8449", "#888888"


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

    def line(begin: date, end: date, color: str, width: int) -> str:
        points = " ".join(f"{x(d):g},{y(p):g}" for d, p in prices if begin <= d <= end)
        return (
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="{width}"/>'
        )

    price_of = dict(prices)
    marks = [
        ("TOP", match.top_day, OTHER, -14),
        ("last DOWN", match.bottom_day, FALL, 24),
        ("last UP", match.end_day, RISE, -14),
    ]
    shapes = [
        text(
            LEFT,
            26,
            f"{match.symbol}, closing price: {match.fall} %, then +{match.rise} %",
            "bold",
        ),
        f'<rect x="{x(match.top_day):g}" y="{TOP}" '
        f'width="{x(match.end_day) - x(match.top_day):g}" height="{HEIGHT - TOP - BOTTOM}" '
        'fill="#f4f6f7"/>',
        line(first, last, OTHER, 1),
        line(match.top_day, match.bottom_day, FALL, 3),
        line(match.bottom_day, match.end_day, RISE, 3),
        text(LEFT - 8, y(high) + 5, f"{high:.0f} $", anchor="end"),
        text(LEFT - 8, y(low) + 5, f"{low:.0f} $", anchor="end"),
    ]
    for name, day, color, above in marks:
        shapes.append(f'<circle cx="{x(day):g}" cy="{y(price_of[day]):g}" r="5" fill="{color}"/>')
        shapes.append(text(x(day), y(price_of[day]) + above, name, color=color, anchor="middle"))
        shapes.append(text(x(day), HEIGHT - 14, str(day), anchor="middle"))
    return document(WIDTH, HEIGHT, shapes)


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PICTURE.write_text(picture(session))
    session.stop()
