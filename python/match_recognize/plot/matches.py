"""A picture of matches: the series, its matches shaded, and each row's variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from match_recognize.errors import MatchRecognizeError
from match_recognize.plot.match_rows import Columns, query_frame, read
from match_recognize.plot.panels import picture
from match_recognize.query import is_query

if TYPE_CHECKING:
    import altair
    from matplotlib.figure import Figure

    from match_recognize.kinds import Frame
    from match_recognize.query import Query


@overload
def plot_matches(
    source: Frame | Query,
    *,
    x: str | None = None,
    y: str | None = None,
    backend: Literal["matplotlib"] = "matplotlib",
    match: str = "match_number",
    label: str = "classifier",
    group: str | Sequence[str] | None = None,
    rows: Frame | None = None,
    max_rows: int = 10_000,
    max_groups: int = 6,
) -> Figure: ...


@overload
def plot_matches(
    source: Frame | Query,
    *,
    x: str | None = None,
    y: str | None = None,
    backend: Literal["altair"],
    match: str = "match_number",
    label: str = "classifier",
    group: str | Sequence[str] | None = None,
    rows: Frame | None = None,
    max_rows: int = 10_000,
    max_groups: int = 6,
) -> altair.VConcatChart: ...


def plot_matches(
    source: Frame | Query,
    *,
    x: str | None = None,
    y: str | None = None,
    backend: Literal["matplotlib", "altair"] = "matplotlib",
    match: str = "match_number",
    label: str = "classifier",
    group: str | Sequence[str] | None = None,
    rows: Frame | None = None,
    max_rows: int = 10_000,
    max_groups: int = 6,
) -> Figure | altair.VConcatChart:
    """Draws a series with its matches shaded and their rows marked by variable.

    Takes the result of ALL ROWS PER MATCH with MATCH_NUMBER() and CLASSIFIER() as measures:

        plot_matches(result, x="day", y="price", group="symbol", rows=ticks)

    A query of the builder needs neither: it runs with these options added, and the axis and the
    groups are the keys of ORDER BY and PARTITION BY.

    Examples:
        >>> import pandas as pd
        >>> from match_recognize.plot import plot_matches
        >>> found = pd.DataFrame({"day": [1, 2], "price": [5, 4], "match_number": [1, 1],
        ...                       "classifier": ["TOP", "DOWN"]})
        >>> figure = plot_matches(found, x="day", y="price")
        >>> figure.axes[0].get_ylabel()
        'price'

    Args:
        source: a DataFrame of Spark or pandas, a table of Arrow, or a query of the builder.
        x: the column of the horizontal axis. A query has the first key of ORDER BY.
        y: the column of the vertical axis. Numbers are drawn as a line, text in lanes, one for
            each value. If it is omitted, each variable has a lane.
        backend: the library that draws. "altair" makes a chart with tooltips, which needs no
            server: a row shows its variable and, for a query of the builder, its condition.
        match: the column with the number of the match. NULL is a row without a match.
        label: the column with the variable.
        group: the column or columns that PARTITION BY has; one panel for each of their values.
        rows: a DataFrame with the whole series, if `source` has only the rows of matches.
        max_rows: the largest number of rows that are read from each frame.
        max_groups: the largest number of panels. A line of text names the groups left out.

    Returns:
        A figure of matplotlib, or a chart of Altair. A notebook shows it; ``savefig`` or ``save``
        writes it to a file.

    Raises:
        MatchRecognizeError: the library is missing, or a frame does not have the columns, has no
            rows, or has too many.
        TypeError: `source` or `rows` is nothing that can be drawn.
    """
    if max_rows < 1 or max_groups < 1:
        raise MatchRecognizeError("max_rows and max_groups must be at least 1.")
    drawing = _drawing(backend)
    groups = (group,) if isinstance(group, str) else tuple(group or ())
    if is_query(source):
        frame, columns = query_frame(source, x, groups)
        columns = replace(columns, y=y or "")
    elif x is None:
        raise MatchRecognizeError(
            "plot_matches needs the column of the horizontal axis. Give its name, as in "
            'plot_matches(result, x="day", y="price").'
        )
    else:
        frame, columns = source, Columns(x, y or "", match, label, groups)
    found = read(frame, columns, "The result", max_rows)
    series = None
    if rows is not None:
        series = read(rows, replace(columns, match="", label=""), "The frame rows", max_rows)
    if not found and not series:
        raise MatchRecognizeError(
            "There is nothing to draw: no match and no row. Give the whole series as rows=."
        )
    drawn: Figure | altair.VConcatChart = drawing.draw(
        picture(columns, found, series, max_groups)
    )
    return drawn


def _drawing(backend: str) -> Any:
    modules = {"matplotlib": "matches_figure", "altair": "matches_chart"}
    if backend not in modules:
        raise MatchRecognizeError(
            f'There is no backend {backend!r}. Choose "matplotlib" or "altair".'
        )
    try:
        return import_module(f"match_recognize.plot.{modules[backend]}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != backend:
            raise
        extra = "plot" if backend == "matplotlib" else backend
        raise MatchRecognizeError(
            f"plot_matches needs {backend}, which is not installed here. Run: "
            f'pip install "spark-match-recognize[{extra}]"'
        ) from error
