"""Why a clause matches what it matches: the statement EXPLAIN MATCH_RECOGNIZE."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from match_recognize.explanations.explained_query import Lines, explained_lines
from match_recognize.tables import html_table

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.query import Query

PREFIX = "EXPLAIN MATCH_RECOGNIZE AS JSON "


class Condition(NamedTuple):
    """How often the condition of a variable was true of a row.

    Attributes:
        variable: its name.
        condition: the condition in DEFINE; None if it has none, and every row satisfies it.
        tested: how many rows were tested.
        true: for how many of them the condition is true.
        false: for how many it is false.
        null: for how many it is NULL.
        mapped: how many rows the matches map to the variable.
    """

    variable: str
    condition: str | None
    tested: int
    true: int
    false: int
    null: int
    mapped: int


class Partition(NamedTuple):
    """What was found in one partition.

    Attributes:
        keys: of PARTITION BY, as in ``symbol = 'X'``; empty without PARTITION BY.
        rows: how many rows it has.
        searched_rows: how many of them were searched, from the first on.
        matches: how many were found.
        timed_out_matches: how many partial matches WITHIN ended, if they are returned.
    """

    keys: str
    rows: int
    searched_rows: int
    matches: int
    timed_out_matches: int


# IPython would print the fields, and not the text.
@dataclass(frozen=True, repr=False)
class Explanation(Lines):
    """What the search of a clause came to: text for readers, and the same as values.

    Attributes:
        lines: the text.
        rows: how many rows the input has.
        searched_rows: how many of them were searched: all, or those of a sample.
        matches: how many matches were found.
        causes: what is wrong if nothing matches, as far as changed clauses show it.
        hints: what to look at, a sentence each or two; the causes come first.
        conditions: for each variable, how many rows were tested, and for how many it was true.
        partitions: the first ten partitions, with their rows and matches.
        furthest: the partial match with most rows, and where it ended, as lines of text.
    """

    rows: int
    searched_rows: int
    matches: int
    causes: tuple[str, ...]
    hints: tuple[str, ...]
    conditions: tuple[Condition, ...]
    partitions: tuple[Partition, ...]
    furthest: tuple[str, ...]

    def to_pandas(self) -> pandas.DataFrame:
        """The conditions with their counts.

        Example:
            >>> from match_recognize import match
            >>> days = spark.createDataFrame([(1, 5), (2, 4)], "day INT, price INT")
            >>> fall = match(days).order_by("day").measures(day="DOWN.day").pattern("DOWN")
            >>> fall.define(DOWN="price < PREV(price)").why().to_pandas()
              variable            condition  tested  true  false  null  mapped
            0     DOWN  price < PREV(price)       2     1      0     1       1

        Returns:
            A row a variable, with the fields of ``Condition`` as columns.
        """
        import pandas

        return pandas.DataFrame(self.conditions, columns=list(Condition._fields))

    def _repr_html_(self) -> str:
        first, *rest = self.lines[: self.lines.index("")] if "" in self.lines else self.lines
        parts = [f"<p><b>{escape(first)}</b></p>", *(f"<p>{escape(line)}</p>" for line in rest)]
        if self.partitions and self.partitions[0].keys:
            parts.append(html_table(Partition._fields, self.partitions))
        parts.append(html_table(Condition._fields, self.conditions))
        if self.furthest:
            parts.append(f"<pre>{escape(chr(10).join(self.furthest))}</pre>")
        if self.hints:
            items = "\n".join(f"<li>{escape(hint)}</li>" for hint in self.hints)
            parts.append(f"<p><b>What to look at:</b></p>\n<ul>\n{items}\n</ul>")
        return "\n".join(parts)


def why(
    query: str | Query | DataFrame,
    spark: SparkSession | None = None,
    args: dict[str, Any] | list[Any] | None = None,
    **frames: DataFrame,
) -> Explanation:
    """Says why a clause matches what it matches, or why nothing.

    It searches the input of the first clause of a statement, counts the tests of each condition,
    and finds the partial match that came furthest. Nothing else of the statement runs.

    Examples:
        >>> from match_recognize import why
        >>> explanation = why('''
        ...     SELECT * FROM VALUES (1, 5), (2, 5) AS ticks(day, price) MATCH_RECOGNIZE (
        ...       ORDER BY day MEASURES A.day AS day PATTERN (A DOWN)
        ...       DEFINE DOWN AS price < PREV(price))''', spark)
        >>> explanation.causes
        ('price < PREV(price) is false if both are equal. With <=, there is 1 match.',)

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
    (text,) = explained_lines("why", PREFIX, query, spark, args, frames)
    found: dict[str, Any] = json.loads(text)
    return Explanation(
        lines=tuple(found["lines"]),
        rows=found["rows"],
        searched_rows=found["searched_rows"],
        matches=found["matches"],
        causes=tuple(found["causes"]),
        hints=tuple(found["hints"]),
        conditions=tuple(Condition(**each) for each in found["conditions"]),
        partitions=tuple(Partition(**each) for each in found["first_partitions"]),
        furthest=tuple(found["furthest"]),
    )
