"""Translates whole statements."""

from __future__ import annotations

import re
from typing import NamedTuple

from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.clause_parts import Clause, clauses, entries
from match_recognize.sql_text.tokens import tokens
from match_recognize.translation.clause import ClauseTranslation
from match_recognize.translation.definitions import Definitions
from match_recognize.translation.dialects import NotUnderstood, check_sqlglot, parsed, written
from match_recognize.translation.edits import Edits
from match_recognize.translation.expressions import names_of, words_of
from match_recognize.translation.notes import changes, lost_words, of_statement
from match_recognize.translation.source import ENGINES, masked, refusal

#: What takes the place of a clause while sqlglot reads the statement: a table joined to the one
#: before it, so what belongs to that one stays with it.
_PLACEHOLDER = "CROSS JOIN mr__{}"


class Translation(NamedTuple):
    """What ``translate`` returns.

    Attributes:
        sql: the statement in Spark SQL.
        notes: what to check, and what was changed other than in spelling; each is a sentence or
            several.
    """

    sql: str
    notes: tuple[str, ...]


def translate(sql: str, read: str) -> Translation:
    """Translates a statement of another engine with MATCH_RECOGNIZE to Spark SQL.

    Needs sqlglot: ``pip install "spark-match-recognize[translate]"``. No Spark is needed.

    Examples:
        >>> from match_recognize import translate
        >>> translation = translate('''
        ...     SELECT * FROM t MATCH_RECOGNIZE (
        ...       ORDER BY "at" MEASURES a.x AS x PATTERN (a) DEFINE a AS x > 1)''', read="trino")
        >>> "ORDER BY `at`" in translation.sql
        True

    Args:
        sql: the statement.
        read: the engine that it is for: ``bigquery``, ``databricks``, ``flink``, ``oracle``,
            ``snowflake`` or ``trino``.

    Returns:
        The statement in Spark SQL, and notes.

    Raises:
        MatchRecognizeError: a part of the statement is not understood, or has no counterpart in
            Spark; the message underlines it. Or sqlglot is not installed.
    """
    read = read.lower()
    if read not in ENGINES:
        raise MatchRecognizeError(
            f"Statements of {read} are not translated. For read, write one of "
            f"{', '.join(ENGINES)}."
        )
    check_sqlglot()
    text = _without_options(_without_marks_of_jdbc(sql, read), read).rstrip()
    end = len(masked(text, read).rstrip())
    if text[:end].endswith(";"):
        # Comments may follow.
        text = (text[: end - 1] + " " + text[end:]).rstrip()
    mask = masked(text, read)
    _check_names(text)
    _check_comparisons(text, mask, read)
    found = clauses(mask)
    for outer, inner in zip(found, found[1:]):
        if inner.start < outer.end:
            raise refusal(
                text,
                inner.start,
                inner.start + len("MATCH_RECOGNIZE"),
                "A clause within an expression of another clause is not translated.",
                "Give the subquery a name in WITH.",
            )
    notes: list[str] = []
    edits = Edits(text)
    for clause in found:
        notes += ClauseTranslation(text, mask, clause, read, edits).notes
    result, more = _surroundings(text, found, read)
    for i, clause in enumerate(found):
        place = re.compile(re.escape(_PLACEHOLDER.format(i)) + r"\b")
        if len(place.findall(result)) != 1:
            raise _lost(text, clause)
        new = edits.result(clause.start, clause.end)
        result = place.sub(lambda _, new=new: new, result)  # type: ignore[misc]
    _compare(text, mask, found, result)
    known = of_statement(mask, found, read)
    return Translation(result, tuple(dict.fromkeys([*known, *notes, *more])))


def _check_names(text: str) -> None:
    """Refuses names that the translation needs for itself."""
    taken = re.search(r"mr__\w*", text, re.IGNORECASE)
    if taken:
        raise refusal(
            text,
            *taken.span(),
            "The translation uses names with mr__ itself.",
            "Give this another name.",
        )


#: ``a = b IS``, with nothing between that ends the comparison.
_COMPARED = re.compile(
    r"(?<![=-])[=<>](?!>)(?:(?!\b(?:AND|OR|ON|BY|AS|WHEN|THEN|ELSE|END"
    r"|SELECT|FROM|WHERE|HAVING|QUALIFY)\b)"
    r"(?:[^()=<>,;]|\([^()]*\)))*?\b(IS)\b",
    re.IGNORECASE,
)


def _check_comparisons(text: str, mask: str, read: str) -> None:
    """Refuses ``a = b IS NULL``. sqlglot reads it as ``a = (b IS NULL)``, except for Oracle."""
    found = _COMPARED.search(mask) if read != "oracle" else None
    if found:
        raise refusal(
            text,
            *found.span(1),
            "IS follows a comparison without parentheses.",
            "Write parentheses, as in (a = b) IS NULL or a = (b IS NULL).",
        )


def _without_marks_of_jdbc(text: str, read: str) -> str:
    r"""Blanks ``{\`` and ``\}``, which surround PATTERN in programs that use Oracle's JDBC."""
    if read != "oracle":
        return text
    mask = masked(text, read)
    for mark in re.finditer(r"\{\\|\\\}", mask):
        text = text[: mark.start()] + "  " + text[mark.end() :]
    return text


def _without_options(text: str, read: str) -> str:
    """Blanks the OPTIONS of clauses of BigQuery, and refuses the longest match."""
    mask = masked(text, read)
    for clause in clauses(mask) if read == "bigquery" else ():
        found = _OPTIONS.search(mask, clause.start, clause.end)
        if found is None:
            continue
        start, end = found.span(1)
        if not re.fullmatch(r"\s*(?:use_longest_match\s*=\s*FALSE\s*)?", found[2], re.IGNORECASE):
            raise refusal(
                text,
                start,
                end,
                "Spark takes the match that PATTERN prefers, not the longest one.",
                "Remove OPTIONS, and write PATTERN so that it prefers the longest match: the "
                "longest alternative first, and greedy quantifiers.",
            )
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


#: The end of a clause.
_OPTIONS = re.compile(r"\b(OPTIONS\s*\(([^()]*)\))\s*\)\Z", re.IGNORECASE)

#: A pattern in a window, which sqlglot does not read either.
_WINDOW = re.compile(r"\b(?:OVER|WINDOW)\b.*?\b(PATTERN)\s*\(", re.IGNORECASE | re.DOTALL)
_NO_WINDOW = (
    "windows have no row patterns in Spark; write FROM table MATCH_RECOGNIZE ( ... ), which "
    "returns a row for each match, and join it to the table"
)


def _surroundings(text: str, found: list[Clause], read: str) -> tuple[str, list[str]]:
    """Translates everything but the clauses, which are placeholders in the result."""
    from match_recognize.translation.functions import rewritten

    hidden = Edits(text)
    for i, clause in enumerate(found):
        hidden.replace(clause.start, clause.end, _PLACEHOLDER.format(i))
    source = hidden.result()
    try:
        tree = parsed(source, read)
        _name_inner_joins(tree)
        names = names_of(tree)
        result = written(rewritten(tree, read), pretty=True)
        notes = list(changes(tree, read))
    except NotUnderstood as error:
        hidden_mask = masked(source, read)
        window = _WINDOW.search(hidden_mask)
        where = window.span(1) if window else error.within(hidden_mask)
        start, end = (hidden.old(place) for place in where)
        cause = NotUnderstood(_NO_WINDOW) if window else error
        raise cause.as_refusal(text, read, start, max(start + 1, end)) from None
    lost = names - words_of(result)
    if lost:
        wrong = f"The translation would lose {', '.join(sorted(lost))}."
        raise refusal(text, 0, len(text), wrong, "Translate this statement by hand.")
    notes += lost_words(masked(source, read), result)
    return result, notes


def _name_inner_joins(tree: object) -> None:
    """Says INNER where the condition of a join follows a clause.

    sqlglot takes the condition for one of the placeholder, and would write the join, which is
    without one, as a comma.
    """
    from sqlglot import exp

    assert isinstance(tree, exp.Expr)
    for node in tree.walk():
        pending: exp.Join | None = None
        for join in node.args.get("joins") or ():
            placeholder = str(join.this.name).startswith("mr__")
            if not placeholder:
                bare = not any(join.args.get(key) for key in ("side", "kind", "method", "on"))
                pending = join if bare else None
            elif pending is not None and (join.args.get("on") or join.args.get("using")):
                pending.set("kind", "INNER")


def _lost(text: str, clause: Clause) -> MatchRecognizeError:
    return refusal(
        text,
        clause.start,
        clause.start + len("MATCH_RECOGNIZE"),
        "The place of this clause in the statement is not understood.",
        "Put the table and the clause into a subquery of their own.",
    )


def _compare(text: str, mask: str, found: list[Clause], result: str) -> None:
    """Raises an error unless the clauses of the result have the parts of those of the source."""
    there = clauses(result)
    for i, clause in enumerate(found):
        if len(there) != len(found) or _outline(text, mask, clause) != _outline(
            result, result, there[i]
        ):
            raise _lost(text, clause)
    joins = [_joins(each) for each in (mask, result)]
    if joins[0] != joins[1]:
        raise refusal(
            text,
            0,
            len(text),
            "The joins of this statement are not understood.",
            "Write each JOIN with its ON directly after its table.",
        )


def _joins(text: str) -> list[str]:
    """The joins and clauses of a statement, in their order."""
    found = [token.word for token in tokens(text)]
    return [
        "MATCH_RECOGNIZE" if word == "MATCH_RECOGNIZE" else "JOIN"
        for i, word in enumerate(found)
        # sqlglot writes a comma before UNNEST as LATERAL VIEW.
        if word in ("JOIN", "MATCH_RECOGNIZE")
        or found[i - 1 : i + 1] in (["LATERAL", "VIEW"], ["", "UNNEST"])
    ]


def _outline(text: str, mask: str, clause: Clause) -> tuple[object, ...]:
    """What a translation does not change: the variables, and how many of everything."""
    counts = [
        len(entries(part.text)) if part else 0
        for part in (clause.partition_by, clause.order_by, clause.measures, clause.subset)
    ]
    shape = ["`" if token.is_name else token.text for token in tokens(clause.pattern.text)]
    rows = clause.rows_per_match.text.upper().split() if clause.rows_per_match else []
    return (
        counts,
        shape,
        rows,
        len(Definitions(text, mask, clause).used),
        clause.within is None,
    )
