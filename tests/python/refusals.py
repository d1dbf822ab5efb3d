"""What Spark says of a statement that it refuses, in whichever way its version says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conftest import SPARK
from py4j.java_gateway import is_instance_of
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException

#: The Python exceptions that an error becomes. PySpark 3.5 leaves that of a running task in the
#: exception of the job that it ended.
EXCEPTIONS: tuple[type[Exception], ...] = (
    (PySparkException, Py4JJavaError) if SPARK < (4, 0) else (PySparkException,)
)


@dataclass(frozen=True)
class Refusal:
    """An error; the condition is what Spark 3.5 calls the error class."""

    condition: str | None
    sql_state: str | None
    message: str


def refusal(error: Exception) -> Refusal:
    """Reads one of EXCEPTIONS."""
    if isinstance(error, PySparkException):
        get = getattr(error, "getCondition", None) or error.getErrorClass
        return Refusal(get(), error.getSqlState(), str(error))
    assert isinstance(error, Py4JJavaError)
    cause: Any = error.java_exception
    while cause is not None:
        spark_says = is_instance_of(
            SparkContext._gateway, cause, "org.apache.spark.SparkThrowable"
        )
        if spark_says and cause.getErrorClass() is not None:
            return Refusal(cause.getErrorClass(), cause.getSqlState(), cause.getMessage())
        cause = cause.getCause()
    raise AssertionError(f"no condition: {error}")
