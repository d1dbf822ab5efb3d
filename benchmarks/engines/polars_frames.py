"""Q1, Q5 and Q6 as lazy expressions of Polars, over rows sorted by key and time.

It runs in the Python of ``target/tools/engines``.
"""

from __future__ import annotations

from typing import Any

import polars as pl

#: mypy does not see Polars.
Frame = Any


def v_shapes(ticks: Frame) -> Frame:
    """Q1: islands of falling and rising prices, as in ``gaps_and_islands.sql``."""
    col = pl.col
    first = col("symbol") != col("symbol").shift()
    steps = ticks.sort("symbol", "ts").select(
        "symbol",
        "ts",
        "price",
        ts_before=col("ts").shift(),
        price_before=col("price").shift(),
        direction=pl.when(~first).then((col("price") - col("price").shift()).sign()),
    )
    islands = (
        steps.with_columns(island=pl.struct("symbol", "direction").rle_id())
        .filter(col("direction") != 0)
        .group_by("island", maintain_order=True)
        .agg(
            col("symbol").first(),
            col("direction").first(),
            steps=pl.len(),
            before_ts=col("ts_before").first(),
            before_price=col("price_before").first(),
            first_ts=col("ts").first(),
            first_price=col("price").first(),
            last_ts=col("ts").last(),
            last_price=col("price").last(),
        )
    )
    # The islands are numbered through all symbols: of two symbols they are never adjacent, since
    # the first row of a symbol, which has no direction, is an island of its own.
    shapes = (
        islands.with_columns(
            rise=col("island").shift(-1),
            rises=col("direction").shift(-1),
            t1=col("last_ts").shift(-1),
            p1=col("last_price").shift(-1),
        )
        .filter(
            (col("direction") == -1) & (col("rises") == 1) & (col("rise") == col("island") + 1)
        )
        .with_columns(
            adjacent=(col("island").shift() + 2 == col("island")).fill_null(False),
            number=pl.int_range(pl.len()),
        )
    )
    chain = pl.when((col("steps") > 1) | ~col("adjacent")).then(col("number"))
    return (
        shapes.with_columns(place=(col("number") - chain.forward_fill()) % 2)
        .with_columns(late=col("adjacent") & (col("place").shift() == 0))
        .filter(col("place") == 0)
        .select(
            "symbol",
            t0=pl.when("late").then("first_ts").otherwise("before_ts"),
            tlow="last_ts",
            t1="t1",
            p0=pl.when("late").then("first_price").otherwise("before_price"),
            plow="last_price",
            p1="p1",
        )
    )


def funnels(clicks: Frame) -> Frame:
    """Q5: from each view to the nearest cart and purchase that follow, then a walk over these."""
    col = pl.col

    def nearest(event: str, column: str) -> Any:
        """A column of the next row of an event, after this row."""
        of_event = pl.when(col("event") == event).then(col(column))
        return of_event.backward_fill().shift(-1).over("user_id")

    return (
        clicks.select("user_id", "ts", "event", "amount")
        .sort("user_id", "ts")
        .with_columns(buy=nearest("purchase", "ts"), amt=nearest("purchase", "amount"))
        .with_columns(
            t_cart=nearest("cart", "ts"),
            t_buy=nearest("cart", "buy"),
            amt=nearest("cart", "amt"),
        )
        .filter((col("event") == "view") & (col("t_buy") <= col("ts") + pl.duration(hours=1)))
        .select("user_id", col("ts").alias("t_view"), "t_cart", "t_buy", "amt")
        .map_batches(_past_last_row)
    )


def _past_last_row(views: Any) -> Any:
    """The views that are not within a match that was taken before."""
    kept, before, end = [], None, None
    for user, start, buy in views.select("user_id", "t_view", "t_buy").iter_rows():
        kept.append(user != before or start > end)
        if kept[-1]:
            before, end = user, buy
    return views.filter(pl.Series(kept, dtype=pl.Boolean))


def sessions(clicks: Frame) -> Frame:
    """Q6: a session begins with another user or after a gap."""
    col = pl.col
    begins = (col("user_id") != col("user_id").shift()) | (
        col("ts") > col("ts").shift() + pl.duration(minutes=30)
    )
    return (
        clicks.select("user_id", "ts", "amount")
        .sort("user_id", "ts")
        .with_columns(session=begins.fill_null(True).cum_sum())
        .group_by("session")
        .agg(
            col("user_id").first(),
            t0=col("ts").first(),
            t1=col("ts").last(),
            n=pl.len(),
            amt=col("amount").sum(),
        )
        .drop("session")
    )


#: By the folder of the question.
FRAMES = {"q01_v_shape": v_shapes, "q05_funnel_1h": funnels, "q06_sessions": sessions}
