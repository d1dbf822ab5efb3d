"""What ``match`` searches: a DataFrame of Spark, or a frame or table that becomes one."""

from __future__ import annotations

from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, Union, cast

from match_recognize import kinds
from match_recognize.builder.places import refusal

if TYPE_CHECKING:
    from pyspark.pandas import DataFrame as PandasOnSpark
    from pyspark.sql import DataFrame, SparkSession

    from match_recognize.errors import MatchRecognizeError


IntoFrame = Union[str, kinds.Frame]
"""What ``match`` searches. A text is the name of a table."""


#: What Spark says of a look at the columns in a pipeline's definition, which it analyzes later.
TOO_EARLY = "ATTEMPT_ANALYSIS_IN_PIPELINE_QUERY_FUNCTION"


#: Settings with which Spark converts by Arrow, or says why it cannot.
ARROW = {
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.pyspark.fallback.enabled": "false",
}

#: Two threads that set these and set them back would leave one thread's values to the session.
_SETTINGS_LOCK = Lock()


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
        return _from_pandas(frame, _session(spark))
    if kinds.is_arrow(frame):
        return _from_arrow(frame, _session(spark))
    raise _no_frame(frame)


def _from_pandas(frame: Any, spark: SparkSession) -> DataFrame:
    """Returns a frame of pandas as a DataFrame of Spark.

    For a missing text, NaN, Spark 4.1.4 has the text "nan" if it converts without Arrow, and some
    PyArrows give Spark 3.5.9 no texts of the type that pandas 3 has. So texts become objects of
    Python. A column of that type without any text keeps it, and Arrow converts it.
    """
    missing, keys = frame.isna(), {}
    for i, kind in enumerate(map(str, frame.dtypes)):
        if kind == "str" and missing.iloc[:, i].all():
            keys = ARROW
        elif kind in ("object", "str"):
            column = frame.iloc[:, i].astype(object).where(~missing.iloc[:, i], None)
            frame = frame.copy(deep=False)
            frame.isetitem(i, column)
    with _SETTINGS_LOCK:
        before: dict[str, Any] = {key: spark.conf.get(key) for key in keys}
        try:
            for key, value in keys.items():
                spark.conf.set(key, value)
            return spark.createDataFrame(frame)
        finally:
            for key, value in before.items():
                spark.conf.set(key, value)


def _no_frame(value: object) -> MatchRecognizeError:
    lazy = ", after its collect()" if type(value).__name__ == "LazyFrame" else ""
    return refusal(
        f"match() needs a DataFrame, not {kinds.type_name(value)}. Give a DataFrame of Spark, "
        f"pandas or Polars{lazy}, a table of Arrow, or the name of a table."
    )


def _from_arrow(frame: object, spark: SparkSession) -> DataFrame:
    """Returns a table as a DataFrame of Spark. Times without a zone are TIMESTAMP_NTZ."""
    try:
        table = kinds.arrow_table(frame)
    except TypeError:
        raise _no_frame(frame) from None
    pyarrow: Any = import_module("pyarrow")
    fields = [field.with_type(_for_spark(field.type)) for field in table.schema]
    # Not safe: what is finer than a microsecond is cut off, as Spark itself does.
    table = table.cast(pyarrow.schema(fields), safe=False)
    schema_of: Any = import_module("pyspark.sql.pandas.types").from_arrow_schema
    schema = schema_of(table.schema, prefer_timestamp_ntz=True)
    if int(spark.version.split(".")[0]) >= 4:
        return spark.createDataFrame(table, schema)
    # As Spark 4.0 and later do it; a frame of pandas would lose NULLs.
    rows = list(zip(*(column.to_pylist() for column in table.columns)))
    return spark.createDataFrame(rows, schema)


#: By type of Arrow that Spark lacks, the next one that it has.
_WIDER = {
    "date64[ms]": "date32",
    "halffloat": "float32",
    "uint8": "int16",
    "uint16": "int32",
    "uint32": "int64",
}


def _for_spark(kind: Any) -> Any:
    """Returns the type of Arrow that Spark knows for one: it lacks views and unsigned numbers."""
    pyarrow: Any = import_module("pyarrow")

    # By name: older PyArrows have no function that asks for them.
    views = {"string_view": pyarrow.large_string(), "binary_view": pyarrow.large_binary()}
    if str(kind) in views:
        return views[str(kind)]
    if str(kind) in _WIDER:
        return getattr(pyarrow, _WIDER[str(kind)])()
    if str(kind) == "uint64":
        return pyarrow.decimal128(20)
    if pyarrow.types.is_duration(kind):
        return pyarrow.duration("us")
    if pyarrow.types.is_dictionary(kind):
        # Categories of pandas and Polars.
        return _for_spark(kind.value_type)
    if pyarrow.types.is_timestamp(kind):
        return pyarrow.timestamp("us", kind.tz)
    if str(kind).partition("<")[0] in ("list", "large_list", "fixed_size_list"):
        return pyarrow.list_(_for_spark(kind.value_type))
    if pyarrow.types.is_struct(kind):
        fields = (kind.field(i) for i in range(kind.num_fields))
        return pyarrow.struct([field.with_type(_for_spark(field.type)) for field in fields])
    if pyarrow.types.is_map(kind):
        return pyarrow.map_(_for_spark(kind.key_type), _for_spark(kind.item_type))
    return kind


def _session(spark: SparkSession | None) -> SparkSession:
    from pyspark.sql import SparkSession as Sessions

    session = spark or Sessions.getActiveSession()
    if session is None:
        raise refusal(
            "There is no Spark session to search this in. Write match(frame, spark=spark), with "
            "spark = match_recognize.configure(SparkSession.builder).getOrCreate()."
        )
    return session
