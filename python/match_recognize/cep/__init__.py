"""Patterns written as in Flink's CEP library, found by the clause in its flink dialect.

Two events within ten minutes:

    from match_recognize import cep

    pattern = (
        cep.Pattern.begin("start").where("type = 'a'")
        .followed_by("end").where("type = 'b'")
        .within(timedelta(minutes=10))
    )
    matched, timed_out = cep.matches(df, pattern, partition_by="user", order_by="at")
"""

from match_recognize.cep.pattern import Pattern
from match_recognize.cep.search import Matches, matches, search
from match_recognize.cep.skip import (
    Skip,
    no_skip,
    skip_past_last_event,
    skip_to_first,
    skip_to_last,
    skip_to_next,
)

__all__ = [
    "Matches",
    "Pattern",
    "Skip",
    "matches",
    "no_skip",
    "search",
    "skip_past_last_event",
    "skip_to_first",
    "skip_to_last",
    "skip_to_next",
]
