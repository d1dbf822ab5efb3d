"""What ``match`` searches: a DataFrame of Spark, or a frame or table that becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from match_recognize import kinds
from match_recognize.builder import arrow_tables
from match_recognize.builder.places import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.errors import MatchRecognizeError


def spark_frame(frame: Any, spark: SparkSession | None) -> DataFrame:
    """Returns a frame as a DataFrame of Spark.

    Args:
        frame: a DataFrame of Spark, pandas or the pandas API on Spark, a table of Arrow or what
            becomes one, such as a frame of Polars, or the name of a table.
        spark: the session, for all but DataFrames of Spark.

    Raises:
        MatchRecognizeError: it is something else, or there is no session.
    """
    if kinds.is_spark(frame):
        return frame  # type: ignore[no-any-return]
    if kinds.is_pandas_on_spark(frame):
        return frame.to_spark()  # type: ignore[no-any-return]
    if isinstance(frame, str):
        return _session(spark).table(frame)
    if kinds.is_pandas(frame):
        return _session(spark).createDataFrame(frame)
    if kinds.is_arrow(frame):
        return _from_arrow(frame, _session(spark))
    raise _no_frame(frame)


def _no_frame(value: object) -> MatchRecognizeError:
    return refusal(
        f"match() needs a DataFrame, not {kinds.type_name(value)}. Give a DataFrame of Spark or "
        "pandas, a table of Arrow, or the name of a table."
    )


def _from_arrow(frame: Any, spark: SparkSession) -> DataFrame:
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
