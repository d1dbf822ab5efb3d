"""Mistakes that are seen before Spark analyzes a clause, reported at their Python line."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from match_recognize.builder.clause import Clause, Entry
from match_recognize.builder.expression import Mention
from match_recognize.builder.inputs import columns_of
from match_recognize.builder.names import find, suggestion
from match_recognize.builder.places import caller, refusal
from match_recognize.errors import MatchRecognizeError
from match_recognize.row_pattern.reader import read_pattern
from match_recognize.row_pattern.tree import RowPattern, names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def variables_of(content: str | RowPattern) -> list[str] | None:
    """Returns the variables of a row pattern, each once; None for a text that cannot be read.

    Spark says what is wrong with it, and first replaces variables such as ``${n}``.
    """
    if not isinstance(content, str):
        return names(content)
    try:
        return names(read_pattern(content))
    except MatchRecognizeError:
        return None


def check(clause: Clause) -> None:
    """Refuses a clause whose names do not fit together."""
    if clause.pattern is None:
        raise refusal(
            'The pattern is missing. Call .pattern("TOP DOWN+ UP+"), or build it from variables.'
        )
    primary = variables_of(clause.pattern.content)
    if primary is not None:
        _check_names(clause, primary)


def _check_names(clause: Clause, primary: list[str]) -> None:
    _check_subsets(clause, primary)
    known = primary + [subset.name for subset in clause.subsets]
    for entry in clause.define:
        if find(entry.name, primary) is None:
            raise refusal(
                f"define() has a condition for {entry.name}, which is no variable of the "
                "pattern. " + suggestion(entry.name, primary),
                entry.place,
            )
    for entry in (*clause.define, *clause.measures):
        _check_mentions(entry, known)
    if clause.skip and clause.skip.variable and find(clause.skip.variable, known) is None:
        raise refusal(
            f"The search cannot go on at {clause.skip.variable}, which is no variable of the "
            f"pattern. {suggestion(clause.skip.variable, known)}",
            clause.skip.place,
        )


def _check_subsets(clause: Clause, primary: list[str]) -> None:
    for subset in clause.subsets:
        if find(subset.name, primary) is not None:
            raise refusal(
                f"The subset {subset.name} has the name of a variable of the pattern. Choose "
                "another name.",
                subset.place,
            )
        for name in subset.variables:
            if find(name, primary) is None:
                raise refusal(
                    f"The subset {subset.name} lists {name}, which is no variable of the "
                    "pattern. " + suggestion(name, primary),
                    subset.place,
                )


def _check_mentions(entry: Entry, names: list[str]) -> None:
    for mention in entry.value._variables:
        if find(mention.name, names) is None:
            raise refusal(
                f"{entry.name} reads the variable {mention.name}, which is not in the pattern. "
                + suggestion(mention.name, names),
                mention.place,
            )


def check_output(clause: Clause) -> None:
    """Refuses a clause whose result has no columns."""
    if not (clause.measures or clause.partition_by or _has_all_rows(clause)):
        raise refusal(
            "The result has no columns. Call .measures(name=...) for columns of your own, or "
            '.rows("all") for the rows of the input.'
        )


def warn_of_result(clause: Clause) -> None:
    """Warns of rows in any order, and of a result that says nothing about the matches."""
    if not clause.order_by:
        _warn(
            "The search has no order_by(), so the rows may come in any order. Name the columns "
            'that order them, as in .order_by("day").'
        )
    if not clause.measures and not _has_all_rows(clause):
        _warn(
            "The result has only the keys of partition_by(). Call .measures(name=...) for values "
            'of the match, or .rows("all") for its rows.'
        )


def _warn(message: str) -> None:
    place = caller()
    warnings.warn_explicit(message, UserWarning, place.file, place.line)


def _has_all_rows(clause: Clause) -> bool:
    return clause.rows is not None and clause.rows.words.startswith("ALL ROWS")


def check_columns(clause: Clause, frame: DataFrame) -> None:
    """Refuses expressions and keys with columns that the input does not have."""
    columns = columns_of(frame)
    if columns is None:
        return
    entries = [*clause.partition_by, *clause.order_by, *clause.define, *clause.measures]
    for mention in (m for entry in entries for m in entry.value._columns):
        hidden = mention.name.startswith("_metadata")
        if not hidden and find(mention.name, columns) is None:
            raise refusal(
                f"The input has no column {mention.name}. {suggestion(mention.name, columns)}",
                mention.place,
            )
        if mention.column is not None:
            _check_own(mention, frame)


def _check_own(mention: Mention, frame: DataFrame) -> None:
    """A column of another frame is not the input's column of that name."""
    from pyspark.errors import AnalysisException

    try:
        # A Connect server analyzes now.
        _ = frame.select(mention.column).columns
    except AnalysisException as error:
        raise refusal(
            f"The column {mention.name} belongs to another DataFrame. Write its name, "
            f'"{mention.name}", or take it from the frame that match() was given.',
            mention.place,
        ) from error
