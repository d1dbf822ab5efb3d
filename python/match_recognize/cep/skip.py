"""Where the search continues after a match: Flink's AfterMatchSkipStrategy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from match_recognize.builder.places import refusal


@dataclass(frozen=True)
class Skip:
    """A strategy as in ``Match.after_match``, and the pattern that it names."""

    skip: Literal["past last row", "next row", "first", "last", "no skip"]
    name: str = ""
    throws: bool = False

    def throw_exception_on_miss(self) -> Skip:
        """``throwExceptionOnMiss()``: a match without an event to skip to is an error."""
        if not self.name:
            raise refusal("throw_exception_on_miss() is for skip_to_first() and skip_to_last().")
        return replace(self, throws=True)


def no_skip() -> Skip:
    """``noSkip()``, the default: all matches."""
    return Skip("no skip")


def skip_to_next() -> Skip:
    """``skipToNext()``: one match for each event that it can begin with."""
    return Skip("next row")


def skip_past_last_event() -> Skip:
    """``skipPastLastEvent()``: the next match begins after this one."""
    return Skip("past last row")


def skip_to_first(name: str) -> Skip:
    """``skipToFirst(name)``: the next match begins at the first event of a pattern or later.

    Args:
        name: the pattern.
    """
    return Skip("first", _checked(name))


def skip_to_last(name: str) -> Skip:
    """``skipToLast(name)``: the next match begins at the last event of a pattern or later.

    Args:
        name: the pattern.
    """
    return Skip("last", _checked(name))


def _checked(name: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise refusal(f"A skip strategy needs the name of a pattern, not {name!r}.")
    return name
