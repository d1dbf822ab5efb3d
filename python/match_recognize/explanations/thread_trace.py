"""What each thread of a search does: the statement EXPLAIN MATCH_RECOGNIZE TRACE."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from match_recognize.explanations.explained_query import Lines, explained_lines

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.query import Query

PREFIX = "EXPLAIN MATCH_RECOGNIZE TRACE "


class Trace(Lines):
    """What the threads of a search did in one partition, in words.

    Attributes:
        lines: the rows of the statement.
    """

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def trace(
    query: str | Query | DataFrame,
    spark: SparkSession | None = None,
    args: dict[str, Any] | list[Any] | None = None,
    **frames: DataFrame,
) -> Trace:
    """Shows row by row what each thread of a search does.

    It searches the input of the first clause of a statement: the first partition, which is the
    one with the smallest keys. To trace another, filter the input, as in
    ``trace(match(df.where("symbol = 'BOLT'"))...)``. Nothing else of the statement runs.

    Examples:
        >>> from match_recognize import trace
        >>> print(trace('''
        ...     SELECT * FROM VALUES (1, 5), (2, 4) AS ticks(day, price) MATCH_RECOGNIZE (
        ...       ORDER BY day MEASURES A.day AS day PATTERN (A DOWN)
        ...       DEFINE DOWN AS price < PREV(price))''', spark).lines[7])
        Start row 1 (day = 1): a thread waits for A.

    Args:
        query: what ``match(df)`` has built, the SQL text with the clause, or a DataFrame that was
            made with a clause, as in ``why``.
        spark: the session to run a text in, classic or Connect.
        args: values of parameter markers, as in ``spark.sql``.
        **frames: DataFrames that the text names as ``{name}``, as in ``match_recognize.sql``.

    Returns:
        The trace. ``print`` shows it, and so does a notebook. It is bounded: a sentence says
        where it ends early.

    Raises:
        MatchRecognizeError: a text without a session, a DataFrame without a clause, or something
            that is no query.
        pyspark.errors.PySparkException: what Spark says against the text, for example that it
            has no clause (``MATCH_RECOGNIZE.EXPLAIN_WITHOUT_CLAUSE``).
    """
    return Trace(explained_lines("trace", PREFIX, query, spark, args, frames))
