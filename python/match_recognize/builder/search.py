"""What can be done with a clause that has been built: run it, explain it, draw it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, Union, cast, overload

from match_recognize.builder import checks
from match_recognize.builder.expression import Helper
from match_recognize.builder.inputs import Source, columns_of
from match_recognize.builder.places import refusal
from match_recognize.builder.statement import Statement, explain, statement
from match_recognize.session.error_log import without_error_log

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair
    import pandas
    import polars  # pyright: ignore[reportMissingImports]
    import pyarrow  # pyright: ignore[reportMissingTypeStubs]
    from matplotlib.figure import Figure
    from pyspark.sql import DataFrame

    from match_recognize.builder.clause import Clause
    from match_recognize.errors import MatchRecognizeError
    from match_recognize.explanations import Explanation, Trace
    from match_recognize.plot import Diagram
    from match_recognize.query import Query

DIALECT = "spark.sql.matchRecognize.dialect"

#: What Spark says of a column that the input does not have, classic and Connect.
OF_ANOTHER_FRAME = ("MISSING_ATTRIBUTES", "CANNOT_RESOLVE_DATAFRAME_COLUMN")

#: The values of parameter markers, as ``spark.sql`` takes them.
Arguments = Union["dict[str, Any]", "list[Any]"]


class Search:
    """A clause over a frame. ``Match`` adds the methods that build it."""

    __slots__ = ("_clause", "_source")

    _clause: Clause
    _source: Source

    def sql(self, source: str | None = None) -> str:
        """Returns the statement, which ``match_recognize.sql(spark, text, input=df)`` runs.

        Columns of PySpark appear under names such as ``__mr_1``: to_df() computes them in the
        input first.

        Examples:
            >>> print(match(prices).pattern("A").sql("prices"))
            SELECT *
            FROM prices MATCH_RECOGNIZE (
              PATTERN (A)
            )

        Args:
            source: what to write in the place of ``{input}``, such as the name of a table.

        Raises:
            MatchRecognizeError: the parts do not fit together.
        """
        checks.check(self._clause)
        return statement(self._clause, source or "{input}").text

    def to_df(self, args: Arguments | None = None, **frames: DataFrame) -> DataFrame:
        """Returns the matches as a DataFrame. A streaming input gives a streaming DataFrame.

        Examples:
            >>> falls = match(prices).order_by("day").pattern("A B")
            >>> falls = falls.define(B="price < PREV(price)").measures(day="B.day")
            >>> falls.to_df().collect()
            [Row(day=2)]

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
        made, frame = self._checked()
        checks.warn_of_result(self._clause)
        try:
            with without_error_log():
                answer = sql(frame.sparkSession, made.text, args, input=frame, **frames)
                # A Connect server analyzes the statement now, so that its errors come from here.
                there = columns_of(answer)
        except PySparkException as error:
            explain(error, made)
            raise
        hidden = [name for name in made.helpers if there is None or name in there]
        return answer.drop(*hidden) if hidden else answer

    def to_pandas(self, args: Arguments | None = None, **frames: DataFrame) -> pandas.DataFrame:
        """Returns the matches as a DataFrame of pandas.

        Examples:
            >>> falls = match(prices).order_by("day").pattern("A B")
            >>> falls = falls.define(B="price < PREV(price)").measures(day="B.day")
            >>> falls.to_pandas()["day"].tolist()
            [2]

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        if find_spec("pandas") is None:
            raise refusal("to_pandas() needs pandas. Run pip install pandas.")
        answer = self.to_df(args, **frames)
        with without_error_log():
            return answer.toPandas()

    def to_arrow(  # pyright: ignore[reportUnknownParameterType]
        self, args: Arguments | None = None, **frames: DataFrame
    ) -> pyarrow.Table:
        """Returns the matches as a table of PyArrow. It needs Spark 4.0 or later.

        Times of the type TIMESTAMP have the zone UTC; those of TIMESTAMP_NTZ have none.

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        return self._arrow(args, frames)

    def to_polars(  # pyright: ignore[reportUnknownParameterType]
        self, args: Arguments | None = None, **frames: DataFrame
    ) -> polars.DataFrame:
        """Returns the matches as a DataFrame of Polars. It needs Spark 4.0 or later.

        Times of the type TIMESTAMP have the zone UTC; those of TIMESTAMP_NTZ have none.

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        try:
            polars: Any = import_module("polars")
        except ImportError:
            raise refusal("to_polars() needs Polars. Run pip install polars.") from None
        frame: Any = polars.from_arrow(self._arrow(args, frames))
        return frame

    def _arrow(self, args: Arguments | None, frames: dict[str, DataFrame]) -> Any:
        answer: Any = self.to_df(args, **frames)
        if not hasattr(answer, "toArrow"):
            raise refusal("Spark 3.5 makes no table of Arrow. Use to_pandas().")
        with without_error_log():
            return answer.toArrow()

    def why(self, args: Arguments | None = None, **frames: DataFrame) -> Explanation:
        """Says why the clause matches what it matches, or why nothing; see ``why``.

        Examples:
            >>> falls = match(prices).order_by("day").pattern("A B")
            >>> falls = falls.define(B="price < PREV(price)").measures(day="B.day")
            >>> falls.define(B="price > 100").why().hints[0]
            'B is true of no row that was tested.'

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        from match_recognize.explanations import why

        return why(cast("Query", self), None, args, **frames)

    def trace(self, args: Arguments | None = None, **frames: DataFrame) -> Trace:
        """Shows row by row what the search does in the first partition; see ``trace``.

        Args:
            args: as in to_df.
            **frames: as in to_df.
        """
        from match_recognize.explanations import trace

        return trace(cast("Query", self), None, args, **frames)

    def explain(self, mode: str = "simple") -> None:
        """Prints Spark's plan of the search, as ``DataFrame.explain`` does.

        Args:
            mode: "simple", "extended", "codegen", "cost" or "formatted".
        """
        self.to_df().explain(mode=mode)

    def diagram(self) -> Diagram:
        """Draws the pattern. Nothing runs; see ``diagram``.

        Examples:
            >>> str(match(prices).pattern("A B+").diagram())[:4]
            '<svg'
        """
        from match_recognize.plot import diagram

        return diagram(self)

    @overload
    def plot(
        self,
        y: str | None = None,
        *,
        x: str | None = None,
        backend: Literal["matplotlib"] = "matplotlib",
        group: str | Sequence[str] | None = None,
        max_rows: int = 10_000,
        max_groups: int = 6,
    ) -> Figure: ...

    @overload
    def plot(
        self,
        y: str | None = None,
        *,
        x: str | None = None,
        backend: Literal["altair"],
        group: str | Sequence[str] | None = None,
        max_rows: int = 10_000,
        max_groups: int = 6,
    ) -> altair.VConcatChart: ...

    def plot(
        self,
        y: str | None = None,
        *,
        x: str | None = None,
        backend: Literal["matplotlib", "altair"] = "matplotlib",
        group: str | Sequence[str] | None = None,
        max_rows: int = 10_000,
        max_groups: int = 6,
    ) -> Figure | altair.VConcatChart:
        """Draws the rows with their matches shaded and marked by variable; see ``plot_matches``.

        Args:
            y: the column of the vertical axis, with numbers or text; the variable if omitted.
            x: the column of the horizontal axis; the first key of ORDER BY if omitted.
            backend: "altair" makes a chart with tooltips instead of a figure of matplotlib.
            group: one panel for each of the values of these columns; the keys of PARTITION BY if
                omitted.
            max_rows: the largest number of rows that are read.
            max_groups: the largest number of panels.
        """
        from match_recognize.plot import plot_matches

        return plot_matches(
            cast("Query", self),
            x=x,
            y=y,
            backend=backend,
            group=group,
            max_rows=max_rows,
            max_groups=max_groups,
        )

    def _repr_html_(self) -> str:
        from match_recognize.builder.html import statement_html

        made = statement(self._clause, "{input}")
        return statement_html(made.text, self._clause.pattern is not None)

    def _is_time(self, column: str) -> bool:
        """Whether a column is known to be a TIMESTAMP, of either kind."""
        known = {name.lower() for name in self._columns()}
        with without_error_log():
            kinds = self._source.frame.dtypes if column.lower() in known else []
        return any(n.lower() == column.lower() and t.startswith("timestamp") for n, t in kinds)

    def _columns(self) -> list[str]:
        with without_error_log():
            return columns_of(self._source.frame) or []

    def _prepared(self) -> tuple[str, DataFrame]:
        made, frame = self._checked()
        return made.text, frame

    def _checked(self) -> tuple[Statement, DataFrame]:
        """Returns the statement, and the frame that it names ``{input}``."""
        checks.check(self._clause)
        checks.check_output(self._clause)
        with without_error_log():
            checks.check_columns(self._clause, self._source.frame)
            self._check_dialect()
            made = statement(self._clause, "{input}")
            return made, self._with_helpers(made)

    def _with_helpers(self, made: Statement) -> DataFrame:
        from pyspark.errors import AnalysisException

        frame = self._source.frame
        for name, helper in made.helpers.items():
            if name in (columns_of(frame) or []):
                raise refusal(f"The input has a column {name}, a name that is kept. Rename it.")
            try:
                frame = frame.withColumn(name, helper.column)
                # A Connect server analyzes now.
                columns_of(frame)
            except AnalysisException as error:
                raise _not_computed(helper, error) from error
        return frame

    def _check_dialect(self) -> None:
        chosen = self._clause.dialect
        if chosen is None:
            return
        there = self._source.frame.sparkSession.conf.get(DIALECT, "standard")
        if str(there).lower() != chosen.words:
            raise refusal(
                f"The clause is written for the {chosen.words} dialect, and the session has the "
                f'{there} dialect. Run spark.conf.set("{DIALECT}", "{chosen.words}") first.',
                chosen.place,
            )


def _not_computed(helper: Helper, error: Exception) -> MatchRecognizeError:
    reason = str(error).splitlines()[0]
    if any(condition in reason for condition in OF_ANOTHER_FRAME):
        return refusal(
            f"{helper.column} reads a column of another DataFrame. Take it from the frame that "
            "match() was given, or join the two first.",
            helper.place,
        )
    return refusal(
        f"{helper.column} is not an expression over one row of the input. For a column of a "
        'variable, write variable("B").price; for aggregates and navigation, use '
        f"match_recognize.functions. Spark says: {reason}",
        helper.place,
    )
