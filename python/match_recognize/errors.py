"""The error of this package."""

from __future__ import annotations


class MatchRecognizeError(RuntimeError):
    """MATCH_RECOGNIZE cannot be set up or used here; the message says why and what to do.

    What Spark has to say about a query (a syntax error, an unknown column) comes as Spark's own
    ``pyspark.errors.PySparkException``, with a condition and an SQLSTATE.
    """
