"""What differs between an engine and Spark without being refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from match_recognize.sql_text.clause_parts import Clause, entries
from match_recognize.sql_text.tokens import tokens
from match_recognize.translation.expressions import words_of
from match_recognize.translation.source import ENGINES

if TYPE_CHECKING:
    from sqlglot import exp

#: They return unquoted names in capitals.
_CAPITALS = ("oracle", "snowflake")

#: Functions whose value depends on RUNNING and FINAL.
_RUNNING = re.compile(
    r"\b(?:ARRAY_AGG|AVG|COUNT|LAST|LAST_VALUE|LISTAGG|MAX|MIN|SUM)\s*\(", re.IGNORECASE
)

#: Functions that return a DATE without a time of day.
_MONTHS = re.compile(r"\b(?:ADD_MONTHS|LAST_DAY|NEXT_DAY)\s*\(", re.IGNORECASE)

#: Words whose absence changes nothing.
_IDLE = {"AS", "ASC", "OUTER", "INNER"}


def of_statement(mask: str, found: Sequence[Clause], read: str) -> Iterator[str]:
    """Says what to know about a statement."""
    if read in _CAPITALS:
        yield (
            f"{ENGINES[read]} returns unquoted names in capitals, Spark as they are written. "
            "Spark compares all names without regard to case, also quoted ones."
        )
    if read == "oracle" and _MONTHS.search(mask):
        yield (
            "A DATE of Oracle has a time of day. ADD_MONTHS, LAST_DAY and NEXT_DAY keep it; in "
            "Spark they return a DATE without one."
        )
    if read in ("databricks", "snowflake") and any(
        _depends_on_default(clause) for clause in found
    ):
        yield (
            "A measure without RUNNING and FINAL is RUNNING in Spark, as the standard says: "
            "on each row of a match it sees the rows up to there. Write FINAL where all rows are "
            "meant."
        )
    if read == "databricks" and any(_may_be_empty(clause.pattern.text) for clause in found):
        yield (
            "Databricks has no empty matches yet. Spark returns them, as the standard says. To "
            "drop them, add the measure COUNT(*) and filter by it."
        )
    if read == "flink" and found:
        yield (
            "Run it with SET spark.sql.matchRecognize.dialect = flink, in which the same matches "
            "are found as in Flink."
        )
    if read == "flink" and any(clause.order_by for clause in found):
        yield (
            "ORDER BY takes the time attribute of a table of Flink. Over a streaming table of "
            "Spark it takes the column of withWatermark, or MATCH_PROCTIME() for processing time."
        )
    if read == "flink" and any(clause.within for clause in found):
        yield "WITHIN includes its bound in Spark, as Flink documents it. Flink 2.3 excludes it."


def changes(tree: exp.Expr, read: str) -> Iterator[str]:
    """Says what the functions and operators of a tree mean in Spark, where that differs."""
    from sqlglot import exp

    if read == "databricks":
        return
    if read in ("trino", "flink") and tree.find(exp.Div):
        yield (
            "The quotient of two integers is an integer in the source and a fraction in Spark. "
            "Write DIV where both sides of / are integers."
        )
    if read == "oracle" and (
        tree.find(exp.DPipe, exp.Concat)
        or any(not lit.this for lit in tree.find_all(exp.Literal))
    ):
        yield (
            "The empty string is NULL in Oracle, so NULL || 'a' is 'a'. In Spark it is a value, "
            "and NULL || 'a' is NULL. Check what '' is for; write CONCAT_WS('', x, 'a') where x "
            "may be NULL."
        )
    if read != "flink" and any(
        node.is_type(*exp.DataType.INTEGER_TYPES) and not node.this.is_int
        for node in tree.find_all(exp.Cast)
    ):
        yield (
            "A cast to an integer type rounds in the source and cuts off the fraction in Spark. "
            "Write CAST(ROUND(x) AS INT) where x may have a fraction."
        )
    # ELEMENT_AT has an offset of its own.
    if read in ("trino", "flink") and any(
        node.args.get("offset") is None and not all(x.is_string for x in node.expressions)
        for node in tree.find_all(exp.Bracket)
    ):
        yield (
            "Arrays begin at 1 in the source and at 0 in Spark, so a number in [] is written one "
            "less. Undo this for a map. Other subscripts stay: write x - 1 for an array."
        )
    # sqlglot does not know this of Flink and Oracle.
    if any(
        read in ("flink", "oracle") or not node.args.get("ignore_nulls")
        for node in tree.find_all(exp.Greatest, exp.Least)
    ):
        yield (
            "GREATEST and LEAST are NULL in the source if one of the values is NULL. Spark skips "
            "NULLs."
        )
    if read in ("bigquery", "trino", "flink") and tree.find(exp.ArrayAgg):
        yield (
            "In the source, ARRAY_AGG keeps NULLs, and is NULL without rows. COLLECT_LIST of "
            "Spark drops NULLs, and is empty without rows."
        )


def _depends_on_default(clause: Clause) -> bool:
    """Whether a measure over all rows sees other rows as RUNNING than as FINAL."""
    if clause.measures is None or clause.rows_per_match is None:
        return False
    text = clause.measures.text
    each = [text[start:end] for start, end in entries(text)]
    return clause.rows_per_match.text.upper().startswith("ALL") and any(
        _RUNNING.search(entry) and not re.search(r"\b(?:RUNNING|FINAL)\b", entry, re.IGNORECASE)
        for entry in each
    )


def _may_be_empty(pattern: str) -> bool:
    """Whether a pattern can match no row: then so can the regular expression that looks alike."""
    text = re.sub(r"\bPERMUTE\b", "", pattern, flags=re.IGNORECASE)
    text = re.sub(r"`[^`]*`|[^\W\d]\w*", "x", text)
    text = re.sub(r",(?![^{}]*\})", "", re.sub(r"\{\s*,", "{0,", text))
    try:
        return re.fullmatch(text, "", re.VERBOSE) is not None
    except re.error:
        return False


def lost_words(mask: str, result: str) -> Iterator[str]:
    """Names the words outside the clauses that the translation writes otherwise."""
    lost = {token.word for token in tokens(mask)} - words_of(result) - _IDLE - {""}
    if lost:
        yield (
            f"Outside the clause, these words are written otherwise: {', '.join(sorted(lost))}. "
            "Check what replaces them."
        )
