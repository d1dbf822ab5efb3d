"""The rows of a query, as a notebook and a shell show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import TYPE_CHECKING, Any

from match_recognize.tables import html_table, text_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Table:
    """The first rows of a query.

    Attributes:
        columns: their names.
        rows: the values, in the order of the columns.
        complete: whether the query has no more rows.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    complete: bool

    def __repr__(self) -> str:
        return "\n".join([*text_table(self.columns, map(_shown, self.rows)), self.footer])

    def _repr_html_(self) -> str:
        table = html_table(self.columns, map(_shown, self.rows))
        return f"{table}\n<p>{escape(self.footer)}</p>"

    @property
    def footer(self) -> str:
        """How many rows these are."""
        number = len(self.rows)
        if not self.complete:
            return f"The first {number:,} rows. --rows {number * 10} shows more."
        return "1 row" if number == 1 else f"{number:,} rows" if number else "no rows"


def read(frame: DataFrame, most: int) -> Table:
    """Runs a query and reads its first rows."""
    rows: list[tuple[Any, ...]] = [tuple(row) for row in frame.take(most + 1)]
    return Table(tuple(frame.columns), tuple(rows[:most]), len(rows) <= most)


def _shown(row: Sequence[Any]) -> list[Any]:
    # The text of a time has its seconds.
    values = (str(value) if isinstance(value, date) else value for value in row)
    return ["NULL" if value is None else value for value in values]
