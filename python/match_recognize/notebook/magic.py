"""The cell magic ``%%match_recognize``: runs the SQL of a cell and shows the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from match_recognize.errors import MatchRecognizeError
from match_recognize.explanations.explanation import PREFIX, why
from match_recognize.notebook.cell_errors import without_traceback
from match_recognize.notebook.options import read_options
from match_recognize.notebook.sessions import session_of
from match_recognize.notebook.table import Table, read
from match_recognize.plot import plot_matches
from match_recognize.session.error_log import without_error_log
from match_recognize.session.frames import sql
from match_recognize.sql_text.frame_names import names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
        given = read_options(line)
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
