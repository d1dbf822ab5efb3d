"""The statements that explain a clause, of a text, of what a builder has, or of a DataFrame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from match_recognize import kinds
from match_recognize.errors import MatchRecognizeError
from match_recognize.query import Query, is_query
from match_recognize.session.error_log import without_error_log
from match_recognize.session.frames import sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: The condition of the error about a query without a clause.
WITHOUT_CLAUSE = "MATCH_RECOGNIZE.EXPLAIN_WITHOUT_CLAUSE"


@dataclass(frozen=True)
class Lines:
    """What a statement says of a query.

    Attributes:
        lines: the rows of the statement.
    """

    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # What IPython prints in a terminal.
        printer.text(str(self))


def explained_lines(
    function: str,
    prefix: str,
    query: str | Query | DataFrame,
    spark: SparkSession | None,
    args: dict[str, Any] | list[Any] | None,
    frames: dict[str, DataFrame],
) -> tuple[str, ...]:
    """Runs the statement that a prefix makes of a query, and returns its lines.

    Errors of this package name the caller by `function`; those of Spark are Spark's.
    """
    from pyspark.errors import AnalysisException

    if isinstance(query, str):
        text = query
    elif is_query(query):
        text, frame = query._prepared()
        spark, frames = frame.sparkSession, {**frames, "input": frame}
    elif kinds.is_spark(query):
        # Spark explains the clause of a view: this one has the plan of the DataFrame.
        frame = cast("DataFrame", query)
        text, spark, frames = "SELECT * FROM {query}", frame.sparkSession, {"query": frame}
    else:
        raise MatchRecognizeError(
            f"{function}() explains match(df)..., the text of a query, or a DataFrame with a "
            f"clause, not {type(query).__name__}. Write "
            f"{function}('SELECT ... MATCH_RECOGNIZE (...)', spark)."
        )
    if spark is None:
        raise MatchRecognizeError(
            f"{function}() needs the session of the text. Write {function}('SELECT ...', spark)."
        )
    try:
        with without_error_log():
            return tuple(row[0] for row in sql(spark, prefix + text, args, **frames).collect())
    except AnalysisException as error:
        if isinstance(query, str) or is_query(query) or WITHOUT_CLAUSE not in str(error):
            raise
        raise MatchRecognizeError(
            "The DataFrame has no MATCH_RECOGNIZE clause: it is not the result of one, or it was "
            f"read again from a table, a file or a checkpoint. Pass {function}() what "
            "match(df)...to_df(), match_recognize.sql(...) or spark.sql(...) returned, "
            "match(df)... itself, or the text of the query and its session."
        ) from error
