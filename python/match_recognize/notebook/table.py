"""The rows of a query, as a notebook and a shell show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any

from match_recognize.text_table import text_table

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
        shown = [[_shown(value) for value in row] for row in self.rows]
        return "\n".join([*text_table(self.columns, shown), self.footer])

    def _repr_html_(self) -> str:
        right = [_is_number(column) for column in zip(*self.rows)] or [False] * len(self.columns)
        head = "".join(_cell("th", name, at) for name, at in zip(self.columns, right))
        body = "\n".join(
            "<tr>" + "".join(_cell("td", value, at) for value, at in zip(row, right)) + "</tr>"
            for row in self.rows
        )
        return (
            f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
            f"<p>{escape(self.footer)}</p>"
        )

    @property
    def footer(self) -> str:
        """How many rows these are."""
        number = len(self.rows)
        if not self.complete:
            return f"The first {number:,} rows. --rows {number * 10} shows more."
        return "1 row" if number == 1 else f"{number:,} rows" if number else "no rows"


def read(frame: DataFrame, most: int) -> Table:
    """Runs a query and reads its first rows.

    Args:
        frame: the query.
        most: the number of rows to keep.
    """
    rows: list[tuple[Any, ...]] = [tuple(row) for row in frame.take(most + 1)]
    return Table(tuple(frame.columns), tuple(rows[:most]), len(rows) <= most)


def _is_number(column: Sequence[Any]) -> bool:
    return any(
        isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
        for value in column
    )


def _shown(value: Any) -> Any:
    # The text of a time has its seconds.
    return "NULL" if value is None else str(value) if isinstance(value, date) else value


def _cell(tag: str, value: Any, right: bool) -> str:
    side = "right" if right else "left"
    return f'<{tag} style="text-align:{side}">{escape(str(_shown(value)))}</{tag}>'
