"""Tables of PyArrow as DataFrames of Spark."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def spark_frame(table: Any, spark: SparkSession) -> DataFrame:
    """Returns a table as a DataFrame of Spark. Times without a zone are TIMESTAMP_NTZ."""
    pyarrow: Any = import_module("pyarrow")
    fields = [field.with_type(_for_spark(field.type)) for field in table.schema]
    # Not safe: what is finer than a microsecond is cut off, as Spark itself does.
    table = table.cast(pyarrow.schema(fields), safe=False)
    schema_of: Any = import_module("pyspark.sql.pandas.types").from_arrow_schema
    schema = schema_of(table.schema, prefer_timestamp_ntz=True)
    if int(spark.version.split(".")[0]) >= 4:
        return spark.createDataFrame(table, schema)
    return _from_rows(table, schema, spark)


def _from_rows(table: Any, schema: Any, spark: SparkSession) -> DataFrame:
    """Makes the DataFrame that Spark 4.0 and later make of a table themselves.

    A frame of pandas would lose NULLs.
    """
    rows = list(zip(*(column.to_pylist() for column in table.columns)))
    return spark.createDataFrame(rows, schema)


def _for_spark(kind: Any) -> Any:
    """Returns the type of Arrow that Spark knows for one: it lacks the views of Polars."""
    pyarrow: Any = import_module("pyarrow")

    # By name: older PyArrows have no function that asks for them.
    views = {"string_view": pyarrow.large_string(), "binary_view": pyarrow.large_binary()}
    if str(kind) in views:
        return views[str(kind)]
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
