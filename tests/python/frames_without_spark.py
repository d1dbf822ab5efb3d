"""A frame for the builder where nothing runs."""

from __future__ import annotations


class Frame:
    """What the builder asks of a DataFrame before to_df()."""

    def __init__(self, *columns: str) -> None:
        self.columns = list(columns) or ["symbol", "day", "price", "my column"]

    def createOrReplaceTempView(self, name: str) -> None: ...  # noqa: N802
