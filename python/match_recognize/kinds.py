"""Recognises values of other libraries, of which none needs to be installed.

The class decides, not the name of its module: pandas 3 has moved its classes to another module.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Union

from match_recognize.errors import MatchRecognizeError

if TYPE_CHECKING:
    import pandas
    from pyspark.pandas import DataFrame as PandasOnSpark
    from pyspark.sql import DataFrame


class ArrowStream(Protocol):
    """Data of Arrow: a table or reader of PyArrow, a frame of Polars, and the like."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the data as a stream of batches."""
        ...


Frame = Union["DataFrame", "pandas.DataFrame", "PandasOnSpark[Any]", ArrowStream]
"""Rows with named columns."""


def is_a(value: object, module: str, name: str) -> bool:
    """Says whether a value is of a class that a library exports.

    If the module of the library is not imported, there are no such values.
    """
    kind: Any = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


def is_spark(value: object) -> bool:
    """Says whether a value is a DataFrame of Spark, classic or Connect."""
    return callable(getattr(value, "createOrReplaceTempView", None))


def is_pandas_on_spark(value: object) -> bool:
    """Says whether a value is a DataFrame of the pandas API on Spark."""
    return is_a(value, "pyspark.pandas", "DataFrame")


def is_pandas(value: object) -> bool:
    """Says whether a value is a DataFrame of pandas."""
    return is_a(value, "pandas", "DataFrame")


def is_arrow(value: object) -> bool:
    """Says whether a value holds data of Arrow, such as a table of PyArrow or a frame of Polars.

    Some of these values are no tables, but single columns.
    """
    return (
        callable(getattr(value, "__arrow_c_stream__", None))
        # Those of PyArrow before 14 do not have it.
        or is_a(value, "pyarrow", "Table")
        or is_a(value, "pyarrow", "RecordBatch")
    )


def arrow_table(value: Any) -> Any:
    """Returns a value of Arrow as a table of PyArrow, or raises TypeError if it is no table."""
    try:
        pyarrow: Any = import_module("pyarrow")
    except ImportError:
        raise MatchRecognizeError(
            f"PyArrow must be installed to read {type_name(value)}. Run pip install pyarrow."
        ) from None

    if is_a(value, "pyarrow", "Table"):
        return value
    if is_a(value, "pyarrow", "RecordBatch"):
        return pyarrow.Table.from_batches([value])
    try:
        return pyarrow.table(value)
    except (TypeError, pyarrow.ArrowException) as error:
        raise TypeError(f"{type_name(value)} is no table: {error}") from error


def type_name(value: object) -> str:
    """Returns the name of a value's class with its module, for errors."""
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}"
