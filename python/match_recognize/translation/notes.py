"""What differs between an engine and Spark, whatever the expressions of a statement are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from match_recognize.sql_text.clause_parts import Clause, entries
from match_recognize.sql_text.tokens import tokens
from match_recognize.translation.expressions import words_of
from match_recognize.translation.source import ENGINES, lexemes

#: They return unquoted names in capitals.
_CAPITALS = ("oracle", "snowflake")


def of_statement(mask: str, found: Sequence[Clause], read: str) -> Iterator[str]:
    """Says what to know about a statement.

    Args:
        mask: the statement as `source.masked` shows it.
        found: its clauses.
        read: the engine that it is for.

    Yields:
        Notes.
    """
    if read in _CAPITALS:
        yield (
            f"{ENGINES[read]} returns unquoted names in capitals, Spark as they are written. "
            "Spark compares all names without regard to case, also quoted ones."
        )
    if read == "snowflake" and any(_depends_on_default(clause) for clause in found):
        yield (
            "A measure without RUNNING and FINAL is RUNNING in Spark, as the standard says: "
            "on each row of a match it sees the rows up to there. Write FINAL where all rows are "
            "meant."
        )
    if read == "flink" and found:
        yield (
            "Run it with SET spark.sql.matchRecognize.dialect = flink, in which the same matches "
            "are found as in Flink."
        )
    if read == "flink" and any(clause.order_by for clause in found):
        yield (
            "ORDER BY takes the time attribute of a table of Flink. Over a streaming table of "
            "Spark it takes the column of withWatermark; there is no processing time."
        )
    if read == "flink" and any(clause.within for clause in found):
        yield "WITHIN includes its bound in Spark, as Flink documents it. Flink 2.3 excludes it."


def of_hints(text: str, read: str) -> Iterator[str]:
    """Names the hints of Flink, which are comments in Spark.

    Args:
        text: the statement.
        read: the engine that it is for.

    Yields:
        A note for each hint.
    """
    for each in lexemes(text, read):
        piece = text[each.start : each.end]
        if read == "flink" and each.kind == "comment" and piece.startswith("/*+"):
            yield f"This hint has no effect in Spark: {' '.join(piece.split())}."


def _depends_on_default(clause: Clause) -> bool:
    """Whether a measure over all rows sees other rows as RUNNING than as FINAL."""
    if clause.measures is None or clause.rows_per_match is None:
        return False
    text = clause.measures.text
    each = [{token.word for token in tokens(text[start:end])} for start, end in entries(text)]
    return clause.rows_per_match.text.upper().startswith("ALL") and any(
        words & _RUNNING and not words & {"RUNNING", "FINAL"} for words in each
    )


#: Functions whose value depends on RUNNING and FINAL.
_RUNNING = {
    "ARRAY_AGG",
    "AVG",
    "COUNT",
    "LAST",
    "LAST_VALUE",
    "LISTAGG",
    "MAX",
    "MIN",
    "SUM",
}

#: Words whose absence changes nothing.
_IDLE = {"AS", "ASC", "OUTER", "INNER"}


def lost_words(mask: str, result: str) -> Iterator[str]:
    """Names the words outside the clauses that the translation writes otherwise.

    Args:
        mask: the statement as `source.masked` shows it, without its clauses.
        result: the translation, without them, too.

    Yields:
        A note, if there are such words.
    """
    lost = {token.word for token in tokens(mask)} - words_of(result) - _IDLE - {""}
    if lost:
        yield (
            f"Outside the clause, these words are written otherwise: {', '.join(sorted(lost))}. "
            "Check what replaces them."
        )
