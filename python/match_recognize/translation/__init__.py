"""Statements with MATCH_RECOGNIZE, translated from other engines to Spark SQL."""

from match_recognize.translation.statement import Translation, translate

__all__ = ["Translation", "translate"]
