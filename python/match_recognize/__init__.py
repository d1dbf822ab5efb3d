"""MATCH_RECOGNIZE, SQL's row pattern matching, for Apache Spark SQL.

A session with the clause, and a clause built in Python:

    from match_recognize import configure, match

    spark = configure(SparkSession.builder).getOrCreate()
    spark.sql("SELECT * FROM ticks MATCH_RECOGNIZE ( ... )")

    match(spark.table("ticks")).order_by("day").pattern("TOP DOWN+ UP+")  # and so on

``match_recognize.functions`` has the functions of conditions and measures, and
``match_recognize.patterns`` has ready-made patterns: sessions, funnel, streaks, absence and more.
What else there is, by subject: ``match_recognize.plot``, ``.streaming``, ``.explanations``,
``.translation``, ``.cep``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from match_recognize.builder.match_builder import Match, match
    from match_recognize.builder.variable import variable, variables
    from match_recognize.errors import MatchRecognizeError
    from match_recognize.explanations import trace, why
    from match_recognize.notebook import load_ipython_extension, unload_ipython_extension
    from match_recognize.session.extension import configure, enable
    from match_recognize.session.frames import sql
    from match_recognize.session.jars import jar_path
    from match_recognize.streaming import progress
    from match_recognize.translation import translate

    __version__: str

__all__ = [
    "Match",
    "MatchRecognizeError",
    "configure",
    "enable",
    "jar_path",
    "load_ipython_extension",
    "match",
    "progress",
    "sql",
    "trace",
    "translate",
    "unload_ipython_extension",
    "variable",
    "variables",
    "why",
]

#: The modules that a first query needs.
_MODULES = ("functions", "patterns")

#: Where a name lives. It is imported when it is asked for.
_HOMES = {
    "Match": "builder",
    "MatchRecognizeError": "errors",
    "configure": "session.extension",
    "enable": "session.extension",
    "jar_path": "session.jars",
    "load_ipython_extension": "notebook",
    "match": "builder",
    "progress": "streaming",
    "sql": "session.frames",
    "trace": "explanations",
    "translate": "translation",
    "unload_ipython_extension": "notebook",
    "variable": "builder",
    "variables": "builder",
    "why": "explanations",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("match_recognize.session.jars").package_version()
    if name in _MODULES:
        return import_module(f"match_recognize.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'match_recognize' has no attribute {name!r}")
    found: object = getattr(import_module(f"match_recognize.{_HOMES[name]}"), name)
    # The next time, Python finds it itself.
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, *_MODULES, "__version__"]
