"""What pictures and explanations need to know of a query that the builder has made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame
    from typing_extensions import TypeGuard


class Query(Protocol):
    """A query of the builder: ``match(df)`` and what follows it."""

    def sql(self) -> str:
        """Returns the statement."""
        ...

    def to_df(self) -> DataFrame:
        """Returns the DataFrame of the query."""
        ...

    def _of_all_rows(self, measures: Mapping[str, str], unmatched: bool) -> Query:
        """Returns the query with ALL ROWS PER MATCH and further measures."""
        ...

    def _prepared(self) -> tuple[str, DataFrame]:
        """Returns the checked statement, and the frame that it names ``{input}``."""
        ...


def is_query(value: object) -> TypeGuard[Query]:
    """Says whether a value is a query of the builder.

    A DataFrame of Connect has every attribute, but its class has not.
    """
    return all(
        callable(getattr(type(value), name, None))
        for name in ("sql", "to_df", "_of_all_rows", "_prepared")
    )
