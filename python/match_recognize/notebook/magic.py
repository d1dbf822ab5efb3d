"""The cell magic ``%%match_recognize``: runs the SQL of a cell and shows the result."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, cast

from IPython.core.error import UsageError

from match_recognize.errors import MatchRecognizeError
from match_recognize.explanations.explanation import PREFIX, why
from match_recognize.notebook.cell_errors import without_traceback
from match_recognize.notebook.table import Table, read
from match_recognize.plot import plot_matches
from match_recognize.session.error_log import without_error_log
from match_recognize.session.frames import sql
from match_recognize.sql_text.frame_names import names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 20

#: The variable that shells of Spark, and most notebooks, have the session in.
USUAL = "spark"


def magic_of(variables: dict[str, Any]) -> Callable[[str, str], Any]:
    """Returns the magic of a notebook."""

    def match_recognize(line: str, cell: str) -> Any:
        """Runs the SQL of the cell in a Spark session and shows the rows.

        ``{name}`` in the SQL is the DataFrame in the variable of that name. Options:

            --rows N          the most rows to show; 20 by default
            --session NAME    the variable that holds the session; spark by default
            --to NAME         keeps the result as a DataFrame in this variable
            --why             says why the clause matches what it matches
            --plot X Y        draws the matches: ALL ROWS PER MATCH with MATCH_NUMBER() AS
                              match_number and CLASSIFIER() AS classifier
            --group COLUMN    with --plot: one panel for each value of the column
        """
        given = _options(line)
        prefix = len(PREFIX) if given.why else 0
        with without_error_log(), without_traceback(cell, prefix):
            spark = session_of(variables, given.session)
            # sql() says what is wrong with a name that is no variable.
            frames = {name: variables[name] for name in names(cell) if name in variables}
            if given.why:
                return why(cell, spark, None, **frames)
            answer = sql(spark, cell, None, **frames)
            if given.to:
                variables[given.to] = answer
            if given.plot:
                x, y = given.plot
                return plot_matches(answer, x=x, y=y, group=given.group)
            return _table(answer, given.rows)

    return match_recognize


def _table(answer: DataFrame, most: int) -> Table | None:
    if answer.isStreaming:
        raise MatchRecognizeError(
            "The result is a stream, which has no last row to show. Keep it with --to stream, "
            "and start it with stream.writeStream."
        )
    # CREATE VIEW and its like have run, and return nothing.
    return read(answer, most) if answer.columns else None


class _Parser(argparse.ArgumentParser):
    """Raises what IPython shows without a traceback, and never ends the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage()}".rstrip())


def _options(line: str) -> argparse.Namespace:
    parser = _Parser(prog="%%match_recognize", add_help=False, allow_abbrev=False)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--session", metavar="NAME")
    parser.add_argument("--to", metavar="NAME")
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--plot", nargs=2, metavar=("X", "Y"))
    parser.add_argument("--group", nargs="+", default=[], metavar="COLUMN")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{error} in the options. Close the quotation.") from error
    given = parser.parse_args(words)
    if given.why and (given.plot or given.to):
        other = "--plot" if given.plot else "--to"
        raise UsageError(f"--why and {other} exclude each other. Remove one of them.")
    if given.group and not given.plot:
        raise UsageError("--group needs --plot, as in --plot day price --group symbol.")
    if given.rows < 1:
        raise UsageError("--rows must be at least 1.")
    if given.to and not given.to.isidentifier():
        raise UsageError(f"--to needs the name of a variable, not {given.to}.")
    return given


def session_of(variables: Mapping[str, Any], name: str | None = None) -> SparkSession:
    """Returns the session of a cell, classic or Connect.

    Without a name, it is the variable ``spark``, and if there is none, the active session.
    """
    value: Any = variables.get(name or USUAL)
    if _is_session(value):
        return cast("SparkSession", value)
    if name is not None:
        what = "There is no variable" if name not in variables else "There is no session in"
        raise MatchRecognizeError(
            f"{what} {name}. Give the variable that holds the Spark session, "
            f"as in --session {USUAL}."
        )
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is None:
        raise MatchRecognizeError(
            "There is no Spark session to run this cell in. Make one first: "
            "spark = match_recognize.configure(SparkSession.builder).getOrCreate()"
        )
    return active


def _is_session(value: Any) -> bool:
    # Sessions of Connect have no class in common with classic ones in every Spark.
    kind = cast("type[object]", type(value))
    return all(hasattr(kind, name) for name in ("sql", "conf", "catalog", "version"))
