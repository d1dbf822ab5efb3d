"""Why a clause matches what it matches: the statement EXPLAIN MATCH_RECOGNIZE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from match_recognize.explanations.explained_query import Lines, explained_lines
from match_recognize.explanations.explanation_html import CONDITIONS, HINTS, explanation_html

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.query import Query

PREFIX = "EXPLAIN MATCH_RECOGNIZE "

PARTITIONS = "Partitions:"
FURTHEST = "Furthest partial match:"


class Explanation(Lines):
    """What the search of a clause came to, in words.

    Attributes:
        lines: the rows of the statement.
    """

    @property
    def partitions(self) -> tuple[str, ...]:
        """The first partitions, with their rows and matches."""
        return self._part(PARTITIONS)

    @property
    def conditions(self) -> tuple[str, ...]:
        """For each variable, how many rows were tested, and for how many it was true."""
        return self._part(CONDITIONS)

    @property
    def furthest(self) -> tuple[str, ...]:
        """The partial match with most rows, and where it ended."""
        return self._part(FURTHEST)

    @property
    def hints(self) -> tuple[str, ...]:
        """What to look at, a sentence each or two."""
        return tuple(line[2:] for line in self._part(HINTS))

    def _part(self, title: str) -> tuple[str, ...]:
        """The lines below a title, up to the next blank line."""
        found: list[str] = []
        inside = False
        for line in self.lines:
            if line.startswith(title):
                inside = True
            elif not line:
                inside = False
            elif inside:
                found.append(line[2:])
        return tuple(found)

    def _repr_html_(self) -> str:
        return explanation_html(self.lines)


def why(
    query: str | Query | DataFrame,
    spark: SparkSession | None = None,
    args: dict[str, Any] | list[Any] | None = None,
    **frames: DataFrame,
) -> Explanation:
    """Says why a clause matches what it matches, or why nothing.

    It searches the input of the first clause of a statement, counts the tests of each condition,
    and finds the partial match that came furthest. Nothing else of the statement runs.

    Example:
        >>> from match_recognize import why
        >>> explanation = why('''
        ...     SELECT * FROM VALUES (1, 5), (2, 4) AS ticks(day, price) MATCH_RECOGNIZE (
        ...       ORDER BY day MEASURES A.day AS day PATTERN (A DOWN UP)
        ...       DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))''', spark)
        >>> "DOWN" in str(explanation)
        True

    Args:
        query: what ``match(df)`` has built, the SQL text with the clause, or a DataFrame that was
            made with a clause: by ``to_df()``, ``match_recognize.sql`` or ``spark.sql``.
        spark: the session to run a text in, classic or Connect.
        args: values of parameter markers, as in ``spark.sql``.
        **frames: DataFrames that the text names as ``{name}``, as in ``match_recognize.sql``.

    Returns:
        The explanation. ``print`` shows it, and so does a notebook.

    Raises:
        MatchRecognizeError: a text without a session, a DataFrame without a clause, or something
            that is no query.
        pyspark.errors.PySparkException: what Spark says against the text, for example that it
            has no clause (``MATCH_RECOGNIZE.EXPLAIN_WITHOUT_CLAUSE``).
    """
    return Explanation(explained_lines("why", PREFIX, query, spark, args, frames))
