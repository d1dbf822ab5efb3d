"""Draw docs/images/v_shape.svg with `plot_matches`: the deepest V-shape that the demo finds.

Usage: ``.venv/bin/python build/v_shape_picture.py``. ``tests/python/plot/test_picture_pages.py``
checks that the picture is up to date.
"""

from __future__ import annotations

from pathlib import Path

from figures import svg_text
from match_recognize import match
from match_recognize.demo.__main__ import DATA
from match_recognize.demo.questions import SETUP, V_SHAPE
from match_recognize.plot import plot_matches
from pyspark.sql import SparkSession

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "v_shape.svg"

#: Days that are shown before and after the match.
AROUND = 12


def picture(spark: SparkSession) -> str:
    """The picture as SVG.

    Args:
        spark: a session with the extension.
    """
    for statement in SETUP:
        spark.sql(statement.format(data=DATA))
    deepest = spark.sql(V_SHAPE.sql).first()
    assert deepest is not None
    prices = spark.sql(
        f"""SELECT day, price FROM stocks
            WHERE symbol = '{deepest.symbol}'
              AND day BETWEEN DATE '{deepest.top_day}' - {AROUND}
                          AND DATE '{deepest.end_day}' + {AROUND}"""
    )
    shape = (
        match(prices)
        .order_by("day")
        .pattern("TOP DOWN{4,} UP{4,}")
        .define(DOWN="price < PREV(price)", UP="price > PREV(price)")
    )
    figure = plot_matches(shape, y="price")
    axes = figure.axes[0]
    axes.set_title(
        f"{deepest.symbol}: {deepest.fall} %, then +{deepest.rise} %", loc="left", weight="bold"
    )
    axes.set(xlabel="", ylabel="closing price, US dollars")
    return svg_text(figure)


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    PICTURE.write_text(picture(session))
    session.stop()
