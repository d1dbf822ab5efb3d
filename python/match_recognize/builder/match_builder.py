"""The builder of the clause: ``match(df)`` and the methods that say what to search for."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar, Union, overload

from match_recognize.builder import entries, keys, literals
from match_recognize.builder.clause import Clause, Entry, Option, Subset, WrittenPattern
from match_recognize.builder.expression import IntoExpr, condition_of
from match_recognize.builder.inputs import IntoFrame, Source
from match_recognize.builder.names import find, no_attribute, suggestion
from match_recognize.builder.pattern import IntoPattern, checked
from match_recognize.builder.places import caller, refusal
from match_recognize.builder.search import Search
from match_recognize.builder.statement import statement
from match_recognize.builder.texts import check_text
from match_recognize.builder.variable import IntoVariable, Variable
from match_recognize.session.error_log import without_error_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

R = TypeVar("R")

#: Conditions by variable or its name.
Conditions = Union[
    Mapping[str, IntoExpr], Mapping[Variable, IntoExpr], Mapping["str | Variable", IntoExpr]
]

#: Where the search goes on, in Python and in SQL.
SKIPS = {
    "past last row": "SKIP PAST LAST ROW",
    "next row": "SKIP TO NEXT ROW",
    "first": "SKIP TO FIRST",
    "last": "SKIP TO LAST",
    "no skip": "NO SKIP",
}
OF_A_VARIABLE = ("first", "last")


def match(frame: IntoFrame, spark: SparkSession | None = None) -> Match:
    """Begins a search for patterns in the rows of a frame.

    Examples:
        >>> from match_recognize import match
        >>> df = spark.createDataFrame([(1, 5), (2, 4), (3, 6)], "day INT, price INT")
        >>> match(df).order_by("day").measures(low="MIN(price)").pattern("TOP DOWN+ UP+").define(
        ...     DOWN="price < PREV(price)", UP="price > PREV(price)"
        ... ).to_df().collect()
        [Row(low=4)]

    Args:
        frame: a DataFrame of Spark, pandas or the pandas API on Spark, a table of Arrow or what
            becomes one, such as a frame of Polars, or the name of a table.
        spark: the session, for all but DataFrames of Spark; the active one if omitted.
    """
    with without_error_log():
        return Match(Source(frame, spark), Clause())


class Match(Search):
    """A MATCH_RECOGNIZE clause over a frame. Each method returns a changed copy.

    Two are equal if they have the same input and the same statement. In the examples, ``prices``
    is a DataFrame with the columns symbol, day and price.
    """

    __slots__ = ()

    def __init__(self, source: Source, clause: Clause) -> None:
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_clause", clause)

    def __repr__(self) -> str:
        pattern = self._clause.pattern
        content = "no pattern yet" if pattern is None else f"PATTERN ({pattern.text})"
        return f"Match<{content}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return self._source == other._source and self._written() == other._written()

    def __hash__(self) -> int:
        return hash(self._written())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"A match does not change, so it takes no {name}. Each method returns a changed copy."
        )

    # A match does not change, and its frame cannot be copied.
    def __copy__(self) -> Match:
        return self

    def __deepcopy__(self, memo: object) -> Match:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Match, (self._source, self._clause)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            advice = f"Write .to_df().{name} for what a DataFrame has."
            raise AttributeError(no_attribute(name, Match, "match(df)", advice))

    def partition_by(self, *columns: IntoExpr | Iterable[IntoExpr]) -> Match:
        """``PARTITION BY``: rows with equal keys are searched together.

        Examples:
            >>> match(prices).partition_by("symbol").pattern("A").sql().splitlines()[2]
            '  PARTITION BY symbol'

        Args:
            *columns: names, SQL text, expressions or columns of PySpark.
        """
        return self._with(partition_by=keys.partition_keys(columns, self._columns))

    def order_by(self, *columns: IntoExpr | Iterable[IntoExpr]) -> Match:
        """``ORDER BY``: the order in which rows are searched.

        Examples:
            >>> match(prices).order_by("day DESC").pattern("A").sql().splitlines()[2]
            '  ORDER BY day DESC'

        Args:
            *columns: names, SQL text such as "day DESC", ``asc`` or ``desc`` of
                ``match_recognize.functions``, or columns of PySpark such as ``F.desc("day")``.
        """
        return self._with(order_by=keys.order_keys(columns, self._columns))

    def measures(
        self, measures: Mapping[str, IntoExpr] | None = None, /, **named: IntoExpr
    ) -> Match:
        """``MEASURES``: the columns of the result. Further calls add or replace columns.

        With ``rows("all")``, a measure has its value up to each row. ``final(...)`` of
        ``match_recognize.functions`` has that of the whole match.

        Examples:
            >>> match(prices).pattern("A").measures(low="MIN(price)").sql().splitlines()[3]
            '    MIN(price) AS low'

        Args:
            measures: expressions by column, for names that are no Python names.
            **named: expressions by column: SQL text, built expressions or columns of PySpark.
        """
        return self._with(
            measures=entries.added("measures", "column", self._clause.measures, measures, named)
        )

    def define(self, conditions: Conditions | None = None, /, **named: IntoExpr) -> Match:
        """``DEFINE``: the conditions of variables. Further calls add or replace conditions.

        A variable without a condition matches any row. A comparison with NULL is not true:
        ``eq_null_safe`` takes NULL for a value.

        Examples:
            >>> match(prices).pattern("A").define(A="price > 10").sql().splitlines()[4]
            '    A AS price > 10'

        Args:
            conditions: conditions by variable or its name.
            **named: conditions by variable: SQL text, built expressions or columns of PySpark.
        """
        return self._with(
            define=entries.added("define", "variable", self._clause.define, conditions, named)
        )

    def pattern(self, pattern: IntoPattern) -> Match:
        """``PATTERN``: the sequence of rows to search for.

        Examples:
            >>> (a, b) = variables("a b")
            >>> match(prices).pattern(a + b.one_or_more())
            Match<PATTERN (a b+)>

        Args:
            pattern: SQL text such as "TOP DOWN+ UP+", or a pattern built from variables.
        """
        if not isinstance(pattern, str):
            return self._with(pattern=WrittenPattern(checked(pattern, "pattern()"), caller()))
        if not pattern.strip():
            raise refusal('The pattern is empty. Write the variables, as in "A B+".')
        check_text(pattern, "The pattern", commas=True)
        return self._with(pattern=WrittenPattern(pattern, caller()))

    def subset(
        self,
        subsets: Mapping[str, str | Iterable[IntoVariable]] | None = None,
        /,
        **named: str | Iterable[IntoVariable],
    ) -> Match:
        """``SUBSET``: names for several variables. Further calls add names.

        Examples:
            >>> match(prices).pattern("A B").subset(U="A B").sql().splitlines()[3]
            '  SUBSET U = (A, B)'

        Args:
            subsets: variables by name.
            **named: variables by name, as a list or as text: ``MOVE="UP DOWN"``.
        """
        place = caller()
        made = list(self._clause.subsets)
        for key, value in entries.given("subset", subsets, named):
            name = entries.variable_name(key, "subset")
            if find(name, (other.name for other in made)) is not None:
                raise refusal(f"The subset {name} is given twice.")
            listed: list[IntoVariable] = (
                [value]
                if isinstance(value, Variable)
                else list(value.replace(",", " ").split() if isinstance(value, str) else value)
            )
            if not listed:
                raise refusal(f"The subset {name} has no variables.")
            made.append(
                Subset(name, tuple(entries.variable_name(v, "subset") for v in listed), place)
            )
        return self._with(subsets=tuple(made))

    def within(self, bound: str | float | Decimal | datetime.timedelta) -> Match:
        """``WITHIN``: the longest time, or distance, from the first to the last row of a match.

        A row at exactly this distance can be part of the match. Say ``after_match``, too: its
        default is not the same in Flink, and without it Spark's log has a warning.

        Examples:
            >>> match(prices).pattern("A B").within("INTERVAL 1 HOUR").sql().splitlines()[3]
            '  WITHIN INTERVAL 1 HOUR'

        Args:
            bound: a timedelta, a number, or SQL text such as "INTERVAL '2' MINUTES".
        """
        bound = literals.plain(bound)
        if not isinstance(bound, (str, int, float, Decimal, datetime.timedelta)):
            raise refusal(f"within() needs a timedelta, a number or SQL text, not {bound!r}.")
        return self._with(within=Entry("", condition_of(bound), caller()))

    @overload
    def rows(self, per_match: Literal["one"], /, *, timeouts: bool = False) -> Match: ...

    @overload
    def rows(
        self,
        per_match: Literal["all"],
        /,
        *,
        empty: Literal["show", "omit"] = "show",
        unmatched: bool = False,
        timeouts: bool = False,
    ) -> Match: ...

    def rows(
        self,
        per_match: Literal["one", "all"],
        /,
        *,
        empty: Literal["show", "omit"] = "show",
        unmatched: bool = False,
        timeouts: bool = False,
    ) -> Match:
        """``ONE ROW PER MATCH`` or ``ALL ROWS PER MATCH``: what the result has of a match.

        Examples:
            >>> match(prices).pattern("A").rows("all", unmatched=True).sql().splitlines()[2]
            '  ALL ROWS PER MATCH WITH UNMATCHED ROWS'

        Args:
            per_match: "one", the default of the clause, for the keys of the partition and the
                measures; "all" for each row of the match, with all its columns and the measures.
            empty: whether an empty match has a row, if "all" are asked for.
            unmatched: also the rows that no match covers, with NULL measures.
            timeouts: also what was incomplete when the time of WITHIN ran out.
        """
        _check_choice("rows", per_match, ("one", "all"))
        _check_choice("rows", empty, ("show", "omit"), "empty=")
        if per_match == "one" and (unmatched or empty == "omit"):
            raise refusal(
                "One row per match shows every match and no other row. For "
                f'{"unmatched=True" if unmatched else "empty="}, write rows("all", ...).'
            )
        if unmatched and empty == "omit":
            raise refusal('The row of an empty match is unmatched. Leave out empty="omit".')
        words = "ONE ROW PER MATCH" if per_match == "one" else "ALL ROWS PER MATCH"
        words += " WITH UNMATCHED ROWS" if unmatched else ""
        words += " OMIT EMPTY MATCHES" if empty == "omit" else ""
        words += " SHOW TIMEOUT MATCHES" if timeouts else ""
        return self._with(rows=Option(words, caller()))

    @overload
    def after_match(self, skip: Literal["past last row", "next row", "no skip"], /) -> Match: ...

    @overload
    def after_match(self, skip: Literal["first", "last"], variable: IntoVariable, /) -> Match: ...

    def after_match(
        self,
        skip: Literal["past last row", "next row", "first", "last", "no skip"],
        variable: IntoVariable | None = None,
        /,
    ) -> Match:
        """``AFTER MATCH``: where the search goes on after a match.

        Examples:
            >>> match(prices).pattern("A B+").after_match("last", "B").sql().splitlines()[2]
            '  AFTER MATCH SKIP TO LAST B'

        Args:
            skip: "past last row", the default of the clause, after the match; "next row" at its
                second row; "first" or "last" at that row of a variable; "no skip" for all
                matches of every start row.
            variable: the variable or subset, for "first" and "last".
        """
        _check_choice("after_match", skip, tuple(SKIPS))
        if (skip in OF_A_VARIABLE) != (variable is not None):
            takes = 'a variable, as in after_match("last", "B")' if variable is None else "none"
            raise refusal(f'after_match("{skip}") takes {takes}.')
        name = "" if variable is None else entries.variable_name(variable, "after_match")
        return self._with(skip=Option(SKIPS[skip], caller(), name))

    def dialect(self, dialect: Literal["standard", "flink"]) -> Match:
        """Says which dialect the clause is written for; to_df() checks the session's setting.

        Examples:
            >>> match(prices).dialect("flink").pattern("A B??")
            Match<PATTERN (A B??)>

        Args:
            dialect: "standard" or "flink".
        """
        _check_choice("dialect", dialect, ("standard", "flink"))
        return self._with(dialect=Option(dialect, caller()))

    def pipe(
        self, function: Callable[Concatenate[Match, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Returns ``function(self, ...)``, so that calls can be chained.

        Examples:
            >>> from match_recognize import patterns
            >>> match(prices).order_by("day").pipe(patterns.rises, "price", at_least=2)
            Match<PATTERN (START UP{2,})>

        Args:
            function: such as those of ``match_recognize.patterns``.
            *args: its further arguments.
            **kwargs: its further arguments by name.
        """
        return function(self, *args, **kwargs)

    def _of_all_rows(self, measures: Mapping[str, str], unmatched: bool) -> Match:
        # Without those that would be a second column of their name.
        columns = self._columns()
        own = tuple(m for m in self._clause.measures if find(m.name, columns) is None)
        return self._with(measures=own).rows("all", unmatched=unmatched).measures(measures)

    def _with(self, **parts: Any) -> Match:
        return Match(self._source, replace(self._clause, **parts))

    def _written(self) -> tuple[object, ...]:
        made = statement(self._clause, "{input}")
        columns = tuple(id(helper.column) for helper in made.helpers.values())
        return made.text, self._clause.dialect and self._clause.dialect.words, columns


def _check_choice(method: str, value: object, choices: tuple[str, ...], name: str = "") -> None:
    if value not in choices:
        listed = ", ".join(f'"{choice}"' for choice in choices)
        meant = f" {suggestion(value, choices)}" if isinstance(value, str) else ""
        meant = meant if meant.startswith(" Did") else ""
        raise refusal(f"{method}({name}{value!r}) is none of {listed}.{meant}")
