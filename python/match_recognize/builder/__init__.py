"""The clause written in Python: ``match(df).pattern(...).define(...).to_df()``."""

from match_recognize.builder.expression import IntoExpr
from match_recognize.builder.inputs import IntoFrame
from match_recognize.builder.match_builder import Match, match
from match_recognize.builder.pattern import IntoPattern
from match_recognize.builder.variable import IntoVariable, Variable, variable, variables

__all__ = [
    "IntoExpr",
    "IntoFrame",
    "IntoPattern",
    "IntoVariable",
    "Match",
    "Variable",
    "match",
    "variable",
    "variables",
]
