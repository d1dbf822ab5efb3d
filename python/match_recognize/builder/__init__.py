"""The clause written in Python: ``match(df).pattern(...).define(...).to_df()``."""

from match_recognize.builder.match_builder import Match, match
from match_recognize.builder.variable import Variable, variable, variables

__all__ = ["Match", "Variable", "match", "variable", "variables"]
