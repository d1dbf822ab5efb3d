"""What ``match`` searches: a DataFrame of Spark, or a frame or table that becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union, cast

from match_recognize import kinds
from match_recognize.builder import arrow_tables
from match_recognize.builder.places import refusal

if TYPE_CHECKING:
    import pandas
    from pyspark.pandas import DataFrame as PandasOnSpark
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.errors import MatchRecognizeError


IntoFrame = Union[str, kinds.Frame]
"""What ``match`` searches. A text is the name of a table."""


#: What Spark says of a look at the columns in a pipeline's definition, which it analyzes later.
TOO_EARLY = "ATTEMPT_ANALYSIS_IN_PIPELINE_QUERY_FUNCTION"


def columns_of(frame: DataFrame) -> list[str] | None:
    """Returns the names of a frame's columns; None where Spark does not know them yet.

    A frame of Connect is analyzed here.
    """
    from pyspark.errors import PySparkException

    try:
        return frame.columns
    except PySparkException as error:
        if TOO_EARLY in str(error):
            return None
        raise


class Source:
    """The input of a clause, as it was given and as a DataFrame of Spark."""

    def __init__(self, given: IntoFrame, spark: SparkSession | None) -> None:
        self._given = given
        self._frame: DataFrame | None = spark_frame(given, spark)

    @property
    def frame(self) -> DataFrame:
        """The DataFrame; made again in the active session, where pickle has lost it."""
        if self._frame is None:
            self._frame = spark_frame(self._given, None)
        return self._frame

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Source):
            return NotImplemented
        same_table = isinstance(self._given, str) and self._given == other._given
        return same_table or self._given is other._given

    def __hash__(self) -> int:
        return hash(self._given) if isinstance(self._given, str) else id(self._given)

    def __getstate__(self) -> dict[str, object]:
        if kinds.is_spark(self._given) or kinds.is_pandas_on_spark(self._given):
            raise refusal(
                "A DataFrame of Spark belongs to its session and cannot be pickled. Give match() "
                "the name of a table, or a frame of another library."
            )
        return {"_given": self._given, "_frame": None}


def spark_frame(frame: IntoFrame, spark: SparkSession | None) -> DataFrame:
    """Returns a frame as a DataFrame of Spark.

    Args:
        frame: a DataFrame of Spark, pandas or the pandas API on Spark, a table of Arrow or what
            becomes one, such as a frame of Polars, or the name of a table.
        spark: the session, for all but DataFrames of Spark.

    Raises:
        MatchRecognizeError: it is something else, or there is no session.
    """
    if kinds.is_spark(frame):
        return cast("DataFrame", frame)
    if kinds.is_pandas_on_spark(frame):
        return cast("PandasOnSpark[Any]", frame).to_spark()
    if isinstance(frame, str):
        return _session(spark).table(frame)
    if kinds.is_pandas(frame):
        return _session(spark).createDataFrame(cast("pandas.DataFrame", frame))
    if kinds.is_arrow(frame):
        return _from_arrow(frame, _session(spark))
    raise _no_frame(frame)


def _no_frame(value: object) -> MatchRecognizeError:
    lazy = ", after its collect()" if type(value).__name__ == "LazyFrame" else ""
    return refusal(
        f"match() needs a DataFrame, not {kinds.type_name(value)}. Give a DataFrame of Spark, "
        f"pandas or Polars{lazy}, a table of Arrow, or the name of a table."
    )


def _from_arrow(frame: object, spark: SparkSession) -> DataFrame:
    try:
        table = kinds.arrow_table(frame)
    except TypeError:
        raise _no_frame(frame) from None
    return arrow_tables.spark_frame(table, spark)


def _session(spark: SparkSession | None) -> SparkSession:
    from pyspark.sql import SparkSession as Sessions

    session = spark or Sessions.getActiveSession()
    if session is None:
        raise refusal(
            "There is no Spark session to search this in. Write match(frame, spark=spark), with "
            "spark = match_recognize.configure(SparkSession.builder).getOrCreate()."
        )
    return session
