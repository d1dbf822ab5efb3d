"""What ``match`` searches: a DataFrame of Spark, or a frame or table that becomes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from match_recognize.builder.places import refusal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def spark_frame(frame: Any, spark: SparkSession | None) -> DataFrame:
    """Returns a frame as a DataFrame of Spark.

    Args:
        frame: a DataFrame of Spark, pandas or the pandas API on Spark, a table of Arrow, or the
            name of a table.
        spark: the session, for all but DataFrames of Spark.

    Raises:
        MatchRecognizeError: it is something else, or there is no session.
    """
    kind = cast("type[object]", type(frame))
    module = kind.__module__
    if callable(getattr(frame, "createOrReplaceTempView", None)):
        return frame  # type: ignore[no-any-return]
    if module.startswith("pyspark.pandas."):
        return frame.to_spark()  # type: ignore[no-any-return]
    if isinstance(frame, str):
        return _session(spark).table(frame)
    if module.startswith("pandas.") and hasattr(frame, "columns"):
        return _session(spark).createDataFrame(frame)
    if module.startswith("pyarrow.") and hasattr(frame, "to_pandas"):
        return _from_arrow(frame, _session(spark))
    raise refusal(
        f"match() needs a DataFrame, not {module}.{kind.__qualname__}. Give a DataFrame of Spark "
        "or pandas, a table of Arrow, or the name of a table."
    )


def _from_arrow(table: Any, spark: SparkSession) -> DataFrame:
    if int(spark.version.split(".")[0]) >= 4:
        return spark.createDataFrame(table)
    return spark.createDataFrame(table.to_pandas())


def _session(spark: SparkSession | None) -> SparkSession:
    from pyspark.sql import SparkSession as Sessions

    session = spark or Sessions.getActiveSession()
    if session is None:
        raise refusal(
            "There is no Spark session to search this in. Write match(frame, spark=spark), with "
            "spark = match_recognize.configure(SparkSession.builder).getOrCreate()."
        )
    return session
