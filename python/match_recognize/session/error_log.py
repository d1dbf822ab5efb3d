"""Keeps the errors that PySpark raises out of the log that it writes of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_error_log() -> Generator[None, None, None]:
    """Mutes what PySpark logs of the errors that this thread raises inside.

    From Spark 4.0 on, PySpark writes each error over a statement to standard error as well: its
    message and the stack of Python, in one line of JSON. Whoever gets the exception has both.
    """
    # A filter of its own for each call: calls may overlap, and end in any order.
    thread = threading.get_ident()

    def is_of_another(record: logging.LogRecord) -> bool:
        return record.thread != thread

    logger = _logger()
    if logger is None:
        yield
        return
    logger.addFilter(is_of_another)
    try:
        yield
    finally:
        logger.removeFilter(is_of_another)


def _logger() -> logging.Logger | None:
    try:
        from pyspark.logger import PySparkLogger
    except ImportError:
        # Spark 3.5 does not have it.
        return None
    # A logger that logging itself makes does not take the arguments of PySpark.
    return PySparkLogger.getLogger("SQLQueryContextLogger")
