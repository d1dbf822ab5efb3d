"""Ready-made patterns for common questions.

Each function adds a pattern, its conditions and measures to the rows of ``match(df)``, and
returns a builder that further methods can change:

    by_user = match(clicks).partition_by("user").order_by("at")
    by_user.pipe(patterns.sessions, gap="INTERVAL 30 MINUTES").to_df()

The rows need an ``order_by`` whose first key is a column. ``sql()`` shows the statement. With
``rows("all")``, a measure counts up to its row; ``functions.final`` makes it one of the match.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Union

from match_recognize.builder import literals
from match_recognize.builder.expression import IntoExpr, condition_of, show
from match_recognize.builder.match_builder import Match
from match_recognize.builder.pattern import Pattern
from match_recognize.builder.places import refusal
from match_recognize.builder.variable import Variable
from match_recognize.functions import col, count, first, last, prev
from match_recognize.row_pattern.tree import gap, sequence
from match_recognize.sql_text.names import unquoted

__all__ = ["absence", "funnel", "outages", "rises", "sessions", "streaks", "v_shape"]

Distance = Union[datetime.timedelta, str, float, Decimal]
"""A distance between values of the first key of ``order_by``: a timedelta or SQL text such as
"INTERVAL 30 MINUTES" for times, a number for numbers."""

#: A key of ORDER BY that is a column in ascending order.
ASCENDING = re.compile(r"(\w+|`(?:[^`]|``)+`)(?: ASC)?(?: NULLS (?:FIRST|LAST))?", re.IGNORECASE)


def __dir__() -> list[str]:
    return __all__


def sessions(rows: Match, gap: Distance, at_most: Distance | None = None) -> Match:
    """Groups rows into sessions: a session ends if the next row is further away than a gap.

    A row at exactly the gap belongs to the session. A row without a time is a session of its
    own, but with ``at_most`` it is in none. On a stream, a session is returned once the next row
    of its key has come, or with ``at_most`` once that time is over.

    Examples:
        >>> from match_recognize import match, patterns
        >>> clicks = spark.createDataFrame([(1,), (3,), (9,)], "at INT")
        >>> print(patterns.sessions(match(clicks).order_by("at"), gap=5).sql("clicks"))
        SELECT *
        FROM clicks MATCH_RECOGNIZE (
          ORDER BY at
          MEASURES
            FIRST(at) AS started,
            LAST(at) AS ended,
            COUNT(*) AS events
          PATTERN (START MORE*)
          DEFINE
            MORE AS MORE.at <= PREV(MORE.at) + 5
        )

    Args:
        rows: ``match(df)`` with its ``order_by``, and ``partition_by`` for sessions by user.
        gap: the longest distance between two rows of a session: a timedelta, SQL text such as
            "INTERVAL 30 MINUTES", or a number if the rows are ordered by numbers.
        at_most: the longest distance between the first and the last row. A session that would be
            longer is divided.

    Returns:
        One row for each session: ``started``, ``ended`` and the number of its ``events``.
    """
    at = _order_column(rows, "sessions")
    _check_distances(rows, at, gap=gap, at_most=at_most)
    start, more = Variable("START"), Variable("MORE")
    made = (
        rows.pattern(start + more.zero_or_more())
        .define({more: more[at] <= prev(more[at]) + condition_of(gap)})
        .measures(started=first(col(at)), ended=last(col(at)), events=count())
    )
    if at_most is None:
        return made
    return made.within(at_most).after_match("past last row")


def streaks(rows: Match, by: str | Sequence[str]) -> Match:
    """Finds runs of rows that have the same value, or values. NULL is a value here.

    Examples:
        >>> from match_recognize import match, patterns
        >>> results = [(1, "lost"), (2, "won"), (3, "won")]
        >>> games = spark.createDataFrame(results, "day INT, result STRING")
        >>> found = patterns.streaks(match(games).order_by("day"), by="result").to_df()
        >>> found.orderBy("length").collect()[-1]
        Row(result='won', started=2, ended=3, length=2)

    Args:
        rows: ``match(df)`` with its ``order_by``.
        by: the column whose value stays the same, or several, such as ["city", "level"].

    Returns:
        One row for each run: the value, under the name of the column, ``started``, ``ended``
        and ``length``, the number of its rows.
    """
    at = _order_column(rows, "streaks")
    names = [by] if isinstance(by, str) else list(by) if isinstance(by, Sequence) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise refusal(f'streaks() needs the name of a column, as in by="result", not {by!r}.')
    for name in names:
        if name.lower() in ("started", "ended", "length"):
            raise refusal(
                f"streaks() returns a column {name} of its own; rename that of the input."
            )
    start, same = Variable("START"), Variable("SAME")
    values = [same[name] for name in names]
    equal = values[0].eq_null_safe(prev(values[0]))
    for value in values[1:]:
        equal = equal & value.eq_null_safe(prev(value))
    return (
        rows.pattern(start + same.zero_or_more())
        .define({same: equal})
        .measures({name: first(col(name)) for name in names})
        .measures(started=first(col(at)), ended=last(col(at)), length=count())
    )


def funnel(
    rows: Match,
    steps: Mapping[str, IntoExpr],
    within: Distance | None = None,
    strict: bool = False,
) -> Match:
    """Finds how far each row of the first step goes through the steps.

    Examples:
        >>> from match_recognize import match, patterns
        >>> pages = [(1, "view"), (2, "help"), (3, "buy")]
        >>> clicks = spark.createDataFrame(pages, "at INT, page STRING")
        >>> steps = {"viewed": "page = 'view'", "bought": "page = 'buy'"}
        >>> patterns.funnel(match(clicks).order_by("at"), steps).to_df().collect()
        [Row(viewed=1, bought=3, steps=2)]

    Args:
        rows: ``match(df)`` with its ``order_by``.
        steps: the condition of each step by its name, in the order of the steps.
        within: the longest distance from the first step to the last, as in ``sessions``. A row
            without a time has no result then.
        strict: whether the rows of the steps must follow each other directly. Otherwise, other
            rows may come between.

    Returns:
        One row for each row of the first step: the time of each step under its name, NULL if it
        was not reached, and ``steps``, how many were reached. If users repeat the first step,
        take the largest ``steps`` of each.
    """
    at = _order_column(rows, "funnel")
    _check_distances(rows, at, within=within)
    if not isinstance(steps, Mapping):
        raise refusal('funnel() needs a dict of conditions, as in {"viewed": "page = 1", ...}.')
    if len(steps) < 2 or any(str(name).lower() == "steps" for name in steps):
        raise refusal("funnel() needs two steps or more, and none can have the name steps.")
    if not all(isinstance(name, str) for name in steps):
        raise refusal(f"The names of steps are texts, not {next(iter(steps))!r}.")
    variables = [Variable(name) for name in steps]
    pattern: Pattern = variables[-1]
    for variable in reversed(variables[:-1]):
        rest = pattern
        if not strict:
            rest = Pattern(sequence(gap(greedy=False), rest._tree))
        pattern = variable + rest.optional()
    times = {variable._name: variable[at] for variable in variables}
    made = (
        rows.pattern(pattern)
        .define(dict(zip(variables, steps.values())))
        .subset(ANY_STEP=variables)
        .after_match("next row")
        .measures({**times, "steps": count(Variable("ANY_STEP"))})
    )
    return made if within is None else made.within(within)


def rises(rows: Match, column: str, at_least: int) -> Match:
    """Finds values that rise several times in a row.

    Examples:
        >>> from match_recognize import match, patterns
        >>> loads = spark.createDataFrame([(1, 5), (2, 6), (3, 8), (4, 2)], "at INT, load INT")
        >>> patterns.rises(match(loads).order_by("at"), "load", at_least=2).to_df().collect()
        [Row(started=1, ended=3, low=5, high=8, rises=2)]

    Args:
        rows: ``match(df)`` with its ``order_by``.
        column: the column with the values. An equal value is no rise, and neither is NULL.
        at_least: the least number of rises.

    Returns:
        One row for each series: ``started``, ``ended``, the values ``low`` and ``high`` at both
        ends, and the number of ``rises``.
    """
    at = _order_column(rows, "rises")
    start, up = Variable("START"), Variable("UP")
    return (
        rows.pattern(start + up.at_least(at_least))
        .define({up: up[column] > prev(up[column])})
        .measures(
            started=first(col(at)),
            ended=last(col(at)),
            low=start[column],
            high=last(up[column]),
            rises=count(up),
        )
    )


def v_shape(rows: Match, column: str) -> Match:
    """Finds values that fall and then rise. The end of a V can be the top of the next one.

    Examples:
        >>> from match_recognize import match, patterns
        >>> prices = spark.createDataFrame([(1, 9), (2, 4), (3, 6)], "day INT, price INT")
        >>> patterns.v_shape(match(prices).order_by("day"), "price").to_df().collect()
        [Row(started=1, turned=2, ended=3, top=9, bottom=4, recovered=6)]

    Args:
        rows: ``match(df)`` with its ``order_by``.
        column: the column with the values. Equal values and NULL end a fall or a rise.

    Returns:
        One row for each V: ``started``, ``turned`` and ``ended``, and the values there: ``top``,
        ``bottom`` and ``recovered``.
    """
    at = _order_column(rows, "v_shape")
    top, down, up = Variable("TOP"), Variable("DOWN"), Variable("UP")
    return (
        rows.pattern(top + down.one_or_more() + up.one_or_more())
        .define({down: down[column] < prev(down[column]), up: up[column] > prev(up[column])})
        .after_match("last", up)
        .measures(
            started=top[at],
            turned=last(down[at]),
            ended=last(up[at]),
            top=top[column],
            bottom=last(down[column]),
            recovered=last(up[column]),
        )
    )


def outages(rows: Match, longer_than: Distance) -> Match:
    """Finds two rows in a row that are further apart than they may be.

    Examples:
        >>> from match_recognize import match, patterns
        >>> beats = spark.createDataFrame([(1,), (2,), (9,)], "at INT")
        >>> patterns.outages(match(beats).order_by("at"), longer_than=3).to_df().collect()
        [Row(last_seen=2, seen_again=9)]

    Args:
        rows: ``match(df)`` with its ``order_by``.
        longer_than: the longest distance that is no outage, as in ``sessions``.

    Returns:
        One row for each outage: ``last_seen`` and ``seen_again``. What has not been seen again
        has no row: ``absence`` with "true" as ``of`` and ``after`` finds its last row, and the
        last rows before all outages.
    """
    at = _order_column(rows, "outages")
    _check_distances(rows, at, longer_than=longer_than)
    before, after = Variable("BEFORE"), Variable("AFTER")
    return (
        rows.pattern(before + after)
        .define({after: after[at] > prev(after[at]) + condition_of(longer_than)})
        .after_match("last", after)
        .measures(last_seen=before[at], seen_again=after[at])
    )


def absence(rows: Match, of: IntoExpr, after: IntoExpr, within: Distance) -> Match:
    """Finds rows that no expected row follows in time.

    Examples:
        >>> from match_recognize import match, patterns
        >>> events = [(1, "order"), (2, "order"), (6, "paid")]
        >>> log = match(spark.createDataFrame(events, "at INT, e STRING")).order_by("at")
        >>> patterns.absence(log, "e = 'paid'", after="e = 'order'", within=4).to_df().collect()
        [Row(waiting_since=1)]

    Args:
        rows: ``match(df)`` with its ``order_by``.
        of: the condition of the row that is expected.
        after: the condition of the row that it is expected after.
        within: the longest distance between both, as in ``sessions``. A row at exactly this
            distance is in time.

    Returns:
        One row for each row that waited in vain: ``waiting_since``. At the end of a table, what
        has not come yet is absent, too. A stream waits until the watermark has passed ``within``.
    """
    at = _order_column(rows, "absence")
    _check_distances(rows, at, within=within)
    trigger, expected = Variable("TRIGGER"), Variable("EXPECTED")
    return (
        rows.pattern(trigger.not_followed_by(expected))
        .define({trigger: after, expected: of})
        .within(within)
        .after_match("next row")
        .measures(waiting_since=trigger[at])
    )


def _order_column(rows: Match, function: str) -> str:
    if not isinstance(rows, Match):
        kind = type(rows).__name__
        raise refusal(f"{function}() needs match(df).order_by(...) first, not a {kind}.")
    keys = rows._clause.order_by
    found = ASCENDING.fullmatch(show(keys[0].value)) if keys else None
    if found is None:
        raise refusal(
            f"{function}() needs an ascending order by a column. Write "
            'match(df).order_by("at"), with the column of the time, before it.'
        )
    return unquoted(found[1])


def _check_distances(rows: Match, at: str, **distances: object) -> None:
    """Refuses what is no distance, such as the text "30 minutes", and a number for times."""
    for name, given in distances.items():
        text = literals.plain(given)
        if text is None and name in ("at_most", "within"):
            continue
        if not isinstance(text, (datetime.timedelta, str, int, float, Decimal)):
            raise refusal(
                f'{name} needs a timedelta, SQL text such as "INTERVAL 1 HOUR" or a number, '
                f"not {given!r}."
            )
        if isinstance(text, (int, float, Decimal)) and rows._is_time(at):
            raise refusal(
                f"{name}={text} has no unit, and {at} is a time. Write "
                f'{name}=timedelta(minutes={text}), or {name}="INTERVAL {text} MINUTES".'
            )
        found = re.fullmatch(r"\s*(\d+)\s+([a-z]+)\s*", str(text), re.IGNORECASE)
        if isinstance(text, str) and found:
            words = f"INTERVAL {found[1]} {found[2].upper()}"
            raise refusal(f'{name}="{text}" lacks the word INTERVAL. Write {name}="{words}".')
