"""The builder of the clause: ``match(df)``, its methods, and the DataFrame at the end."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn, Union

from match_recognize.builder import checks, entries, inputs, keys, literals, spark_errors
from match_recognize.builder.clause import Clause, Entry, Option, Subset, WrittenPattern
from match_recognize.builder.expression import condition_of
from match_recognize.builder.names import find, no_attribute
from match_recognize.builder.pattern import Pattern, checked
from match_recognize.builder.places import Place, caller, refusal
from match_recognize.builder.statement import Statement, statement
from match_recognize.builder.variable import Variable
from match_recognize.errors import MatchRecognizeError
from match_recognize.session.error_log import without_error_log

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import DataFrame, SparkSession

DIALECT = "spark.sql.matchRecognize.dialect"
VariableName = Union[str, Variable]

#: What Spark says of a column that the input does not have, classic and Connect.
OF_ANOTHER_FRAME = ("MISSING_ATTRIBUTES", "CANNOT_RESOLVE_DATAFRAME_COLUMN")


def match(frame: Any, spark: SparkSession | None = None) -> Match:
    """Begins a search for patterns in the rows of a frame.

    Example:
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
        return Match(inputs.spark_frame(frame, spark), Clause())


class Match:
    """A MATCH_RECOGNIZE clause over a DataFrame. Each method returns a changed copy."""

    def __init__(self, frame: DataFrame, clause: Clause) -> None:
        self._frame = frame
        self._clause = clause

    def __repr__(self) -> str:
        pattern = self._clause.pattern
        content = "no pattern yet" if pattern is None else f"PATTERN ({self._shown()})"
        return f"Match<{content}>"

    # A match does not change, and its frame cannot be copied.
    def __copy__(self) -> Match:
        return self

    def __deepcopy__(self, memo: object) -> Match:
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            advice = f"Write .to_df().{name}, if it is of the DataFrame that to_df() returns."
            raise AttributeError(no_attribute(name, Match, "match(df)", advice))

    def _repr_html_(self) -> str:
        from match_recognize.builder.html import statement_html

        return statement_html(self._statement("{input}").text, self._clause.pattern is not None)

    def partition_by(self, *columns: Any) -> Match:
        """``PARTITION BY``: rows with equal keys are searched together.

        Args:
            *columns: names, SQL text, expressions or columns of PySpark.
        """
        return self._with(partition_by=keys.partition_keys(columns, self._columns))

    def order_by(self, *columns: Any) -> Match:
        """``ORDER BY``: the order in which rows are searched.

        Args:
            *columns: names, SQL text such as "day DESC", ``asc`` or ``desc`` of
                ``match_recognize.functions``, or columns of PySpark such as ``F.desc("day")``.
        """
        return self._with(order_by=keys.order_keys(columns, self._columns))

    def measures(self, measures: Mapping[str, Any] | None = None, /, **named: Any) -> Match:
        """``MEASURES``: the columns of the result. Further calls add columns.

        Args:
            measures: expressions by column, for names that are no Python names.
            **named: expressions by column: SQL text, built expressions or columns of PySpark.
        """
        return self._with(
            measures=entries.added("measures", "column", self._clause.measures, measures, named)
        )

    def define(self, conditions: Mapping[Any, Any] | None = None, /, **named: Any) -> Match:
        """``DEFINE``: the conditions of variables. Further calls add variables.

        A variable without a condition matches any row.

        Args:
            conditions: conditions by variable or its name.
            **named: conditions by variable: SQL text, built expressions or columns of PySpark.
        """
        return self._with(
            define=entries.added("define", "variable", self._clause.define, conditions, named)
        )

    def pattern(self, pattern: str | Pattern) -> Match:
        """``PATTERN``: the sequence of rows to search for.

        Args:
            pattern: SQL text such as "TOP DOWN+ UP+", or a pattern built from variables.
        """
        if isinstance(pattern, str):
            if not pattern.strip():
                raise refusal('The pattern is empty. Write the variables, as in "A B+".')
            return self._with(pattern=WrittenPattern(pattern, caller()))
        return self._with(pattern=WrittenPattern(checked(pattern, "pattern()"), caller()))

    def subset(self, subsets: Mapping[Any, Any] | None = None, /, **named: Any) -> Match:
        """``SUBSET``: names for several variables. Further calls add names.

        Args:
            subsets: variables by name.
            **named: variables by name, as a list or as text: ``MOVE="UP DOWN"``.
        """
        place = caller()
        made = list(self._clause.subsets)
        for key, value in {**(subsets or {}), **named}.items():
            name = entries.variable_name(key, "subset")
            if find(name, (other.name for other in made)) is not None:
                raise refusal(f"The subset {name} is given twice.")
            listed = [value] if isinstance(value, Variable) else value
            listed = listed.replace(",", " ").split() if isinstance(listed, str) else list(listed)
            if not listed:
                raise refusal(f"The subset {name} has no variables.")
            made.append(
                Subset(name, tuple(entries.variable_name(v, "subset") for v in listed), place)
            )
        return self._with(subsets=tuple(made))

    def within(self, bound: Any) -> Match:
        """``WITHIN``: the longest time, or distance, from the first to the last row of a match.

        Args:
            bound: a timedelta, a number, or SQL text such as "INTERVAL '2' MINUTES".
        """
        bound = literals.plain(bound)
        if not isinstance(bound, (str, int, float, Decimal, datetime.timedelta)):
            raise refusal(f"within() needs a timedelta, a number or SQL text, not {bound!r}.")
        return self._with(within=Entry("", condition_of(bound), caller()))

    def one_row_per_match(self) -> Match:
        """``ONE ROW PER MATCH``, the default: the keys of the partition, and the measures."""
        return self._with(rows=Option("ONE ROW PER MATCH", caller()))

    def all_rows_per_match(
        self,
        *,
        show_empty_matches: bool = False,
        omit_empty_matches: bool = False,
        with_unmatched_rows: bool = False,
    ) -> Match:
        """``ALL ROWS PER MATCH``: each row of a match, with all its columns and the measures.

        Args:
            show_empty_matches: a row for an empty match, too; this is the default.
            omit_empty_matches: no row for an empty match.
            with_unmatched_rows: also the rows that no match covers, with NULL measures.
        """
        options = {
            " SHOW EMPTY MATCHES": show_empty_matches,
            " OMIT EMPTY MATCHES": omit_empty_matches,
            " WITH UNMATCHED ROWS": with_unmatched_rows,
        }
        chosen = [words for words, given in options.items() if given]
        if len(chosen) > 1:
            raise refusal("all_rows_per_match takes one option at most. Choose one.")
        return self._with(rows=Option("ALL ROWS PER MATCH" + "".join(chosen), caller()))

    def show_timeout_matches(self) -> Match:
        """``SHOW TIMEOUT MATCHES``: also what was incomplete when the time of WITHIN ran out."""
        return self._with(show_timeouts=Option("SHOW TIMEOUT MATCHES", caller()))

    def after_match_skip_past_last_row(self) -> Match:
        """``SKIP PAST LAST ROW``, the default: the next match begins after this one."""
        return self._with(skip=Option("SKIP PAST LAST ROW", caller()))

    def after_match_skip_to_next_row(self) -> Match:
        """``SKIP TO NEXT ROW``: the next match may begin in the second row of this one."""
        return self._with(skip=Option("SKIP TO NEXT ROW", caller()))

    def after_match_skip_to_first(self, variable: VariableName) -> Match:
        """``SKIP TO FIRST v``: the next match may begin at the first row of a variable.

        Args:
            variable: the variable or subset.
        """
        name = entries.variable_name(variable, "after_match_skip_to_first")
        return self._with(skip=Option("SKIP TO FIRST", caller(), name))

    def after_match_skip_to_last(self, variable: VariableName) -> Match:
        """``SKIP TO LAST v``: the next match may begin at the last row of a variable.

        Args:
            variable: the variable or subset.
        """
        name = entries.variable_name(variable, "after_match_skip_to_last")
        return self._with(skip=Option("SKIP TO LAST", caller(), name))

    def after_match_no_skip(self) -> Match:
        """``NO SKIP``: all matches of every start row."""
        return self._with(skip=Option("NO SKIP", caller()))

    def dialect(self, dialect: str) -> Match:
        """Says which dialect the clause is written for; to_df() checks the session's setting.

        Args:
            dialect: "standard" or "flink".
        """
        if dialect not in ("standard", "flink"):
            raise refusal(f'The dialect must be "standard" or "flink", not {dialect!r}.')
        return self._with(dialect=Option(dialect, caller()))

    def sql(self, source: str | None = None) -> str:
        """Returns the statement, which ``match_recognize.sql(spark, text, input=df)`` runs.

        Columns of PySpark appear under names such as ``__mr_1``: to_df() computes them in the
        input first.

        Args:
            source: what to write in the place of ``{input}``, such as the name of a table.

        Raises:
            MatchRecognizeError: the parts do not fit together.
        """
        checks.check(self._clause)
        return self._statement(source or "{input}").text

    def to_df(
        self, args: dict[str, Any] | list[Any] | None = None, **frames: DataFrame
    ) -> DataFrame:
        """Returns the matches as a DataFrame. A streaming input gives a streaming DataFrame.

        Args:
            args: values of the parameter markers in text, as in ``spark.sql``.
            **frames: DataFrames that text names as ``{name}``.

        Raises:
            MatchRecognizeError: a mistake in the clause; the message names its Python line.
            pyspark.errors.PySparkException: what Spark says against the statement, with the
                Python line.
        """
        from pyspark.errors import PySparkException

        from match_recognize.session.frames import sql

        if "input" in frames:
            raise refusal("{input} is the frame that match() was given. Name yours otherwise.")
        made, frame = self._checked_statement()
        checks.warn_of_order(self._clause)
        try:
            with without_error_log():
                answer = sql(frame.sparkSession, made.text, args, input=frame, **frames)
                # A Connect server analyzes the statement now, so that its errors come from here.
                there = answer.columns
        except PySparkException as error:
            spark_errors.explain(error, made)
            raise
        hidden = [name for name in made.helpers if name in there]
        return answer.drop(*hidden) if hidden else answer

    def to_pandas(
        self, args: dict[str, Any] | list[Any] | None = None, **frames: DataFrame
    ) -> pandas.DataFrame:
        """Returns the matches as a DataFrame of pandas.

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        answer = self.to_df(args, **frames)
        with without_error_log():
            return answer.toPandas()

    def _checked_statement(self) -> tuple[Statement, DataFrame]:
        """Returns the statement, and the frame that it names ``{input}``."""
        checks.check(self._clause)
        checks.check_output(self._clause)
        with without_error_log():
            checks.check_columns(self._clause, self._frame)
            self._check_dialect()
            made = self._statement("{input}")
            return made, self._with_helpers(made)

    def _with(self, **parts: Any) -> Match:
        return Match(self._frame, replace(self._clause, **parts))

    def _columns(self) -> list[str]:
        with without_error_log():
            return self._frame.columns

    def _statement(self, source: str) -> Statement:
        return statement(self._clause, source)

    def _shown(self) -> str:
        assert self._clause.pattern is not None
        return self._clause.pattern.text

    def _with_helpers(self, made: Statement) -> DataFrame:
        from pyspark.errors import AnalysisException

        frame = self._frame
        for name, (column, place) in made.helpers.items():
            if name in self._columns():
                raise refusal(f"The input has a column {name}, a name that is kept. Rename it.")
            try:
                frame = frame.withColumn(name, column)
                # A Connect server analyzes now.
                _ = frame.columns
            except AnalysisException as error:
                raise _not_computed(column, error, place) from error
        return frame

    def _check_dialect(self) -> None:
        chosen = self._clause.dialect
        if chosen is None:
            return
        there = self._frame.sparkSession.conf.get(DIALECT, "standard")
        if str(there).lower() != chosen.words:
            raise refusal(
                f"The clause is written for the {chosen.words} dialect, and the session has the "
                f'{there} dialect. Run spark.conf.set("{DIALECT}", "{chosen.words}") first.',
                chosen.place,
            )


def _not_computed(column: Any, error: Exception, place: Place) -> MatchRecognizeError:
    reason = str(error).splitlines()[0]
    if any(condition in reason for condition in OF_ANOTHER_FRAME):
        return refusal(
            f"{column} reads a column of another DataFrame. Take it from the frame that "
            "match() was given, or join the two first.",
            place,
        )
    return refusal(
        f"Spark cannot compute {column} in the input: {reason} A column of PySpark must "
        "be an expression over one row. For aggregates and navigation, use "
        "match_recognize.functions.",
        place,
    )
