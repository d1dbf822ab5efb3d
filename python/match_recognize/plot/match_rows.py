"""The rows that a picture of matches shows, from a frame or from a query of the builder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from match_recognize import kinds
from match_recognize.errors import MatchRecognizeError
from match_recognize.plot.diagrams import conditions_of
from match_recognize.query import Query
from match_recognize.row_pattern.reader import read_pattern
from match_recognize.row_pattern.tree import Exclusion, all_parts
from match_recognize.row_pattern.tree import names as variables_of
from match_recognize.session.error_log import without_error_log
from match_recognize.sql_text.clause_parts import Part, entries, only_clause
from match_recognize.sql_text.names import unquoted
from match_recognize.sql_text.tokens import tokens

# Measures that are added to a query of the builder.
_MATCH = "match_recognize_match"
_LABEL = "match_recognize_label"

# What can follow a key of ORDER BY.
_ORDERING = {"ASC", "DESC", "NULLS", "FIRST", "LAST"}


@dataclass(frozen=True)
class Columns:
    """The names of the columns that a picture reads.

    Attributes:
        x: the horizontal axis.
        y: the vertical axis; empty if it is the variable.
        match: the number of the match; empty for rows without matches.
        label: the variable of the row; empty for rows without matches.
        group: the columns by which panels are made.
        conditions: those of DEFINE by variable in capitals, if they are known.
        variables: as PATTERN has them, by variable in capitals, if they are known.
    """

    x: str
    y: str
    match: str
    label: str
    group: tuple[str, ...]
    conditions: Mapping[str, str] = field(default_factory=dict[str, str])
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order in which `read` takes the values."""
        matched = (self.match, self.label) if self.match else ()
        return (self.x, *filter(None, [self.y]), *matched, *self.group)


@dataclass(frozen=True)
class Row:
    """One row of the picture. Missing values are None.

    Attributes:
        x: its place.
        y: its height.
        match: the number of its match.
        label: its variable.
        group: its values in the columns of the group.
    """

    x: Any
    y: Any
    match: Any
    label: Any
    group: tuple[Any, ...]


def query_frame(query: Query, x: str | None, group: Sequence[str]) -> tuple[Any, Columns]:
    """Makes the frame of a query with all rows, their matches and their variables.

    The columns are those of the frame, without a vertical axis. If omitted, `x` is the first key
    of ORDER BY, and the group is the keys of PARTITION BY.
    """
    clause = only_clause(query.sql())
    if x is None:
        keys = _key_names(clause.order_by)
        if not keys:
            raise MatchRecognizeError(
                "plot_matches does not know the horizontal axis, because ORDER BY does not begin "
                'with a column. Give its name, as in plot_matches(query, x="day", y="price").'
            )
        x = keys[0]
    # WITH UNMATCHED ROWS is not allowed together with an exclusion.
    pattern = read_pattern(clause.pattern.text)
    whole = not any(isinstance(part, Exclusion) for part in all_parts(pattern))
    added = {_MATCH: "MATCH_NUMBER()", _LABEL: "CLASSIFIER()"}
    frame = query._of_all_rows(added, unmatched=whole).to_df()
    named = _key_names(clause.partition_by)
    count = len(list(entries(clause.partition_by.text))) if clause.partition_by else 0
    # Keys without a name of their own come first, under the names that Spark gives them.
    groups = tuple(group) or tuple(named if len(named) == count else frame.columns[:count])
    spelled = {name.upper(): name for name in variables_of(pattern)}
    return frame, Columns(x, "", _MATCH, _LABEL, groups, conditions_of(clause), spelled)


def _key_names(part: Part | None) -> list[str]:
    """The names of the leading keys that are columns, or that have a name after AS."""
    names: list[str] = []
    for start, end in entries(part.text) if part else []:
        words = list(tokens(part.text[start:end] if part else ""))
        while len(words) > 1 and words[-1].word in _ORDERING:
            words.pop()
        path = all(
            word.is_name if i % 2 == 0 else word.text == "." for i, word in enumerate(words)
        )
        named = len(words) > 1 and words[-2].word == "AS"
        if not words[-1].is_name or not (path or named):
            break
        names.append(unquoted(words[-1].text))
    return names


def read(frame: Any, columns: Columns, what: str, most: int) -> list[Row]:
    """Reads the rows of a frame of Spark or pandas, or of a table of Arrow, in no order.

    Refuses missing columns, streaming frames and more rows than `most`. Errors call the frame
    `what`.
    """
    if kinds.is_pandas_on_spark(frame):
        frame = frame.to_spark()
    if kinds.is_spark(frame):
        names = _all_found(frame.columns, what, columns)
        values = _of_spark(frame, names, what, most)
    elif kinds.is_pandas(frame):
        values = _of_pandas(frame, _all_found(map(str, frame.columns), what, columns))
    elif kinds.is_arrow(frame):
        table = kinds.arrow_table(frame)
        names = _all_found(table.column_names, what, columns)
        values = list(zip(*(table[name].to_pylist() for name in names)))
    else:
        raise TypeError(
            f"{what} must be a DataFrame of Spark or pandas, or a table of Arrow, not "
            f"{kinds.type_name(frame)}."
        )
    if len(values) > most:
        raise MatchRecognizeError(
            f"{what} has more than {most:,} rows, the limit of a picture. Filter it to a few "
            "partitions or a short time, or raise max_rows."
        )
    return [_row(each, columns) for each in values]


def _all_found(there: Iterable[str], what: str, columns: Columns) -> list[str]:
    listed = list(there)
    return [_found(name, listed, what, columns) for name in columns.names]


def _found(name: str, there: list[str], what: str, columns: Columns) -> str:
    if name in there:
        return name
    alike = [each for each in there if each.lower() == name.lower()]
    if len(alike) == 1:
        return alike[0]
    function = {columns.match: "MATCH_NUMBER()", columns.label: "CLASSIFIER()"}.get(name)
    if function:
        parameter = "match" if name == columns.match else "label"
        suggestion = f"Add the measure {function} AS {name}, or name its column by {parameter}=."
    elif columns.match not in there and columns.label not in there:
        suggestion = (
            "A plot needs ALL ROWS PER MATCH, with MATCH_NUMBER() and CLASSIFIER() as measures."
        )
    else:
        alike = get_close_matches(name, there, 1)
        suggestion = f"Did you mean {alike[0]}?" if alike else "Choose one of these columns."
    own = [each for each in there if each not in (_MATCH, _LABEL)]
    raise MatchRecognizeError(
        f"{what} has no column {name} (it has {', '.join(own) or 'none'}). {suggestion}"
    )


def _of_pandas(frame: Any, names: list[str]) -> list[tuple[Any, ...]]:
    lists = (
        [value if known else None for value, known in zip(column.astype(object), column.notna())]
        for column in (frame[name] for name in names)
    )
    return list(zip(*lists))


def _of_spark(frame: Any, names: list[str], what: str, most: int) -> list[tuple[Any, ...]]:
    if frame.isStreaming:
        raise MatchRecognizeError(
            f"{what} is a streaming DataFrame. Write it to a table and draw that."
        )
    quoted = ["`" + name.replace("`", "``") + "`" for name in names]
    # The row above the limit shows that there are more.
    with without_error_log():
        return [tuple(row) for row in frame.select(*quoted).limit(most + 1).collect()]


def _row(values: tuple[Any, ...], columns: Columns) -> Row:
    x, *known = [_number(value) for value in values]
    y = known.pop(0) if columns.y else None
    match, label = (known.pop(0), known.pop(0)) if columns.match else (None, None)
    # Integers with gaps are floats in pandas.
    number = int(match) if isinstance(match, float) and match.is_integer() else match
    # CLASSIFIER() returns capitals.
    return Row(x, y, number, columns.variables.get(str(label).upper(), label), tuple(known))


def _number(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    return None if value != value else value
