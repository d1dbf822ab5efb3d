"""Where the search continues after a match: Flink's AfterMatchSkipStrategy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from match_recognize.builder.places import refusal


@dataclass(frozen=True)
class Skip:
    """A strategy, and the pattern that it names."""

    method: str
    name: str = ""
    throws: bool = False

    def throw_exception_on_miss(self) -> Skip:
        """``throwExceptionOnMiss()``: a match without an event to skip to is an error."""
        if not self.name:
            raise refusal("throw_exception_on_miss() is for skip_to_first() and skip_to_last().")
        return replace(self, throws=True)


def no_skip() -> Skip:
    """``noSkip()``, the default: all matches."""
    return Skip("no_skip")


def skip_to_next() -> Skip:
    """``skipToNext()``: one match for each event that it can begin with."""
    return Skip("skip_to_next_row")


def skip_past_last_event() -> Skip:
    """``skipPastLastEvent()``: the next match begins after this one."""
    return Skip("skip_past_last_row")


def skip_to_first(name: str) -> Skip:
    """``skipToFirst(name)``: the next match begins at the first event of a pattern or later.

    Args:
        name: the pattern.
    """
    return Skip("skip_to_first", _checked(name))


def skip_to_last(name: str) -> Skip:
    """``skipToLast(name)``: the next match begins at the last event of a pattern or later.

    Args:
        name: the pattern.
    """
    return Skip("skip_to_last", _checked(name))


def _checked(name: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise refusal(f"A skip strategy needs the name of a pattern, not {name!r}.")
    return name
