"""The search for a pattern sequence in a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from match_recognize.builder.clause import Clause
from match_recognize.builder.literals import literal
from match_recognize.builder.match_builder import Match, match
from match_recognize.builder.names import find, suggestion
from match_recognize.builder.places import refusal
from match_recognize.cep import checks, render
from match_recognize.cep.element import Element, patterns_of
from match_recognize.cep.pattern import Pattern
from match_recognize.cep.skip import Skip
from match_recognize.sql_text.names import quoted, quoted_variable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import ParamSpec

    P = ParamSpec("P")

R = TypeVar("R")

#: The column that says which rows are timed-out matches, until they are apart.
TIMED_OUT = "__mr_timed_out"

#: What a match without an event to skip to does.
INVALID_SKIP = "spark.sql.matchRecognize.invalidSkip"


class Matches(NamedTuple):
    """The matches of a pattern sequence, and what was incomplete when its time ran out."""

    matched: DataFrame
    timed_out: DataFrame


def search(
    frame: Any,
    pattern: Pattern,
    *,
    order_by: Any,
    partition_by: Any = (),
    measures: Mapping[str, Any] | None = None,
    spark: SparkSession | None = None,
) -> Match:
    """Returns the clause for a pattern sequence, for the builder's further methods.

    Args:
        frame: what ``match_recognize.match`` takes: a DataFrame, or the name of a table.
        pattern: the pattern sequence.
        order_by: the time of the events and further keys: one, or a list.
        partition_by: the keys of Flink's ``keyBy``: one, or a list.
        measures: the columns of the result, as in the builder. If omitted, one column for each
            pattern: the array of its events, as structs.
        spark: the session, for all but DataFrames of Spark.

    Raises:
        MatchRecognizeError: Flink refuses the pattern, or the clause cannot say it.
    """
    if not isinstance(pattern, Pattern):
        raise refusal(
            f"cep needs a pattern such as cep.Pattern.begin(...), not {pattern!r}. The builder's "
            "match(df).pattern(...) takes row patterns."
        )
    elements = pattern._elements
    checks.complete(elements, pattern._bound)
    made = match(frame, spark).dialect("flink")
    keys = _listed(partition_by)
    if keys:
        made = made.partition_by(*keys)
    made = made.order_by(*_listed(order_by))
    made = made.measures(_events(made, elements) if measures is None else measures)
    made = _after_match(made, pattern).pattern(render.row_pattern(elements))
    if pattern._bound is not None:
        made = made.within(pattern._bound)
    clause: Clause = replace(made._clause, define=tuple(render.conditions(elements)))
    return Match(made._source, clause)


def _takes(search: Callable[P, Match]) -> Callable[[Callable[[Match], R]], Callable[P, R]]:
    """Makes a function over the clause of a search a function with the parameters of it."""

    def decorator(function: Callable[[Match], R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return function(search(*args, **kwargs))

        call.__signature__ = signature(search).replace(  # type: ignore[attr-defined]
            return_annotation=signature(function).return_annotation
        )
        return call

    return decorator


@_takes(search)
def matches(clause: Match) -> Matches:
    """Finds the matches of a pattern sequence. The parameters are those of ``search``.

    Returns:
        Two DataFrames: the matches, and the timed-out ones, which need ``within()``.

    Raises:
        MatchRecognizeError: Flink refuses the pattern, or the clause cannot say it.
        pyspark.errors.PySparkException: what Spark says against the statement.
    """
    if clause._clause.within is None:
        found = clause.to_df()
        return Matches(found, found.where("false"))
    both = clause.measures({TIMED_OUT: "MATCH_TIMED_OUT()"}).rows("one", timeouts=True).to_df()
    return Matches(
        both.where(f"NOT {TIMED_OUT}").drop(TIMED_OUT), both.where(TIMED_OUT).drop(TIMED_OUT)
    )


def _after_match(made: Match, pattern: Pattern) -> Match:
    skip = pattern._skip
    if skip.skip != "first" and skip.skip != "last":
        return made.after_match(skip.skip)
    names = [named.name for named in patterns_of(pattern._elements) if not named.is_absence]
    name = find(skip.name, names)
    if name is None:
        raise refusal(
            f"The search cannot go on at {skip.name}, which is no pattern of the sequence. "
            + suggestion(skip.name, names)
        )
    first = _first(pattern._elements)
    if skip.skip == "first" and not skip.throws and name == first:
        # It is the first event of each match, and Flink then discards nothing.
        return made.after_match("no skip")
    _check_misses(made, skip)
    return made.after_match(skip.skip, name)


def _first(elements: tuple[Element, ...]) -> str | None:
    """Returns the pattern that each match begins with; None if it may be missing."""
    element = elements[0]
    if element.optional:
        return None
    return _first(element.group) if element.group else element.name


def _check_misses(made: Match, skip: Skip) -> None:
    wanted = "error" if skip.throws else "nextRow"
    there = str(made._source.frame.sparkSession.conf.get(INVALID_SKIP, "error"))
    if there.lower() != wanted.lower():
        raise refusal(
            f"skip_to_{skip.skip}() {'with' if skip.throws else 'without'} "
            "throw_exception_on_miss() needs another setting. Run "
            f'spark.conf.set("{INVALID_SKIP}", "{wanted}") first.'
        )


def _events(made: Match, elements: tuple[Element, ...]) -> dict[str, str]:
    """Measures like the lists of events that Flink hands to a function, by pattern."""
    columns = made._columns()
    measures: dict[str, str] = {}
    for pattern in patterns_of(elements):
        if pattern.is_absence:
            continue
        variable = quoted_variable(pattern.name)
        fields = ", ".join(f"{literal(name)}, {variable}.{quoted(name)}" for name in columns)
        measures[pattern.name] = f"COLLECT_LIST(NAMED_STRUCT({fields}))"
    return measures


def _listed(value: Any) -> list[Any]:
    return list(cast("Iterable[Any]", value)) if isinstance(value, (list, tuple)) else [value]
