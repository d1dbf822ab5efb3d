"""The dialect ``spark_match_recognize`` of sqlglot: Spark SQL with the clause.

It is registered by the entry point of this package in the group ``sqlglot.dialects``. Importing
this module has the same effect.
"""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.spark import Spark

from match_recognize.editors.sqlglot_generator import ClauseGenerator
from match_recognize.editors.sqlglot_parser import StatementParser

#: The name of the dialect.
NAME = "spark_match_recognize"


class SparkMatchRecognize(Spark):
    """Spark SQL with MATCH_RECOGNIZE."""

    Parser = StatementParser
    Generator = ClauseGenerator


Dialect._classes.setdefault(NAME, SparkMatchRecognize)
