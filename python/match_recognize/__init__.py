"""MATCH_RECOGNIZE, SQL's row pattern matching, for Apache Spark SQL.

from match_recognize import configure

spark = configure(SparkSession.builder).getOrCreate()
spark.sql("SELECT * FROM ticks MATCH_RECOGNIZE ( ... )")
"""

from match_recognize.builder import Match, match, variable, variables
from match_recognize.errors import MatchRecognizeError
from match_recognize.explanations import Explanation, Trace, trace, why
from match_recognize.notebook import load_ipython_extension, unload_ipython_extension
from match_recognize.pictures import diagram, plot_matches
from match_recognize.session.extension import configure, enable
from match_recognize.session.frames import sql
from match_recognize.session.jars import jar_path, package_version
from match_recognize.streaming import ClauseProgress, Progress, progress
from match_recognize.translation import Translation, translate

__version__ = package_version()

__all__ = [
    "ClauseProgress",
    "Explanation",
    "Match",
    "MatchRecognizeError",
    "Progress",
    "Trace",
    "Translation",
    "configure",
    "diagram",
    "enable",
    "jar_path",
    "load_ipython_extension",
    "match",
    "plot_matches",
    "progress",
    "sql",
    "trace",
    "translate",
    "unload_ipython_extension",
    "variable",
    "variables",
    "why",
]
