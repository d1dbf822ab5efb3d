"""Translates the expressions of a clause.

sqlglot does not know the functions of row patterns, or knows others by these names. So they go
through it under names that it leaves alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from match_recognize.sql_text.clause_parts import entries
from match_recognize.sql_text.names import unquoted
from match_recognize.sql_text.tokens import Token, closing, tokens
from match_recognize.translation.dialects import NotUnderstood, parsed, written
from match_recognize.translation.edits import Edits
from match_recognize.translation.source import masked, respelled

if TYPE_CHECKING:
    from sqlglot import exp

#: Functions of row patterns that are called the same in Spark.
_STANDARD = """
CLASSIFIER FIRST LAST MATCH_NUMBER MATCH_PROCTIME MATCH_ROWTIME MATCH_SEQUENCE_NUMBER NEXT PREV
"""

#: By engine, its own functions of row patterns, and what each is called in Spark.
_OWN = {
    "bigquery": {"MATCH_ROW_NUMBER": "MATCH_SEQUENCE_NUMBER"},
    "snowflake": {"FIRST_VALUE": "FIRST", "LAST_VALUE": "LAST", "LAG": "PREV", "LEAD": "NEXT"},
}

_PREFIX = "mr__"

_NULLS = re.compile(r" NULLS (?:FIRST|LAST)$")

#: They precede a call.
_SEMANTICS = ("RUNNING", "FINAL")


class Expression:
    """An expression of a clause, translated.

    Attributes:
        result: the expression in Spark SQL.
        changed: whether more than quotes differ from the source.
        tree: the expression as sqlglot reads it in the language of the source.
    """

    def __init__(self, text: str, read: str, ordering: bool = False) -> None:
        """Translates an expression, or raises `NotUnderstood` with the place in the text.

        A key of ORDER BY (`ordering`) may have DESC and NULLS LAST.
        """
        from sqlglot import exp

        from match_recognize.translation.functions import rewritten

        prefix = "SELECT 1 ORDER BY " if ordering else "SELECT "
        hidden = _hidden(text, read)
        try:
            query = parsed(prefix + hidden.result(), read)
        except NotUnderstood as error:
            start, end = (max(0, place - len(prefix)) for place in (error.start, error.end))
            old = hidden.old(start)
            raise NotUnderstood(str(error), old, max(old + 1, hidden.old(end))) from None
        tree = _only(query, ordering)
        if tree is None:
            raise NotUnderstood("one expression is expected", 0, len(text))
        if tree.find(exp.Window):
            message = (
                "a clause has no window functions in Spark; compute this as a column of a "
                "subquery before MATCH_RECOGNIZE"
            )
            over = re.search(r"\bOVER\b", masked(text, read), re.IGNORECASE)
            raise NotUnderstood(message, *(over.span() if over else (0, len(text))))
        self.tree = tree
        columns = names_of(self.tree)
        try:
            result = _shown(written(rewritten(self.tree.copy(), read)))
        except NotUnderstood as error:
            raise NotUnderstood(str(error), *error.within(masked(text, read))) from None
        lost = columns - words_of(result)
        if lost:
            raise NotUnderstood(f"{', '.join(sorted(lost))} would be lost", 0, len(text))
        spelled = respelled(text, read)
        self.changed: bool = not _same(spelled, result)
        self.result: str = result if self.changed else spelled

    @property
    def has_nulls(self) -> bool:
        """Whether a key of ORDER BY says where its NULLs are."""
        return _NULLS.search(self.result) is not None

    def drop_nulls(self) -> None:
        """Removes what the result says of NULLs, where the source says it itself."""
        self.result = _NULLS.sub("", self.result)


def _hidden(text: str, read: str) -> Edits:
    """Replaces the functions of row patterns by names that sqlglot leaves alone."""
    edits = Edits(text)
    found = list(tokens(masked(text, read)))
    names = {**{name: name for name in _STANDARD.split()}, **_OWN.get(read, {})}
    for i, token in enumerate(found):
        following = [each.text for each in found[i + 1 : i + 3]]
        if token.word in _SEMANTICS and following[1:] == ["("]:
            edits.replace(token.start, found[i + 1].start, f"{_PREFIX}{token.word}(")
            close = found[_closing(found, i + 2)].end
            edits.replace(close, close, ")")
        elif token.word in names and following[:1] == ["("]:
            if token.word in ("LAG", "LEAD"):
                _check_arguments(text, found, i)
            edits.replace(token.start, token.end, _PREFIX + names[token.word])
    return edits


def _check_arguments(text: str, found: Sequence[Token], i: int) -> None:
    close = found[_closing(found, i + 1)]
    if len(entries(text[found[i + 1].end : close.start])) > 2:
        message = f"{found[i].word} has a default; write COALESCE around a call without it"
        raise NotUnderstood(message, found[i].start, close.end)


def _shown(text: str) -> str:
    """Gives the functions of row patterns their names back."""
    edits = Edits(text)
    found = list(tokens(text))
    for i, token in enumerate(found):
        if not token.text.startswith(_PREFIX):
            continue
        name = token.text[len(_PREFIX) :]
        if name in _SEMANTICS:
            close = _closing(found, i + 1)
            if found[i + 3].text != "(" or _closing(found, i + 3) != close - 1:
                raise NotUnderstood(f"{name} applies to no single call in Spark")
            edits.replace(token.start, found[i + 1].end, f"{name} ")
            edits.replace(found[close].start, found[close].end, "")
        else:
            edits.replace(token.start, token.end, name)
    return edits.result()


def _closing(found: Sequence[Token], opening: int) -> int:
    close = closing(found, opening)
    if close is None:
        raise NotUnderstood("a parenthesis is not closed", found[opening].start, found[-1].end)
    return close


def _only(query: exp.Expr, ordering: bool) -> exp.Expr | None:
    """The expression that a query was made of; None if the text was more than that."""
    from sqlglot import exp

    if not isinstance(query, exp.Select):
        return None
    held = {name for name, value in query.args.items() if value}
    if held != ({"expressions", "order"} if ordering else {"expressions"}):
        return None
    items = query.args["order"].expressions if ordering else query.expressions
    if len(items) != 1 or isinstance(items[0], exp.Alias):
        return None
    item = items[0]
    return item if isinstance(item, exp.Expr) else None


def names_of(tree: exp.Expr) -> set[str]:
    """The names of the columns and tables in a tree, in capitals."""
    from sqlglot import exp

    return {
        part.name.upper()
        for node in tree.find_all(exp.Column, exp.Table)
        if isinstance(node, (exp.Column, exp.Table))
        for part in node.parts
        if isinstance(part, exp.Identifier)
    }


def words_of(text: str) -> set[str]:
    """The words and quoted names in a text, in capitals."""
    return {unquoted(token.text).upper() for token in tokens(text)}


def _same(one: str, other: str) -> bool:
    """Whether two texts are the same to Spark, apart from layout and the case of words.

    sqlglot writes ``x IS NOT NULL`` as ``NOT x IS NULL``, so the place of NOT does not count.
    """
    return _comparable(one) == _comparable(other)


def _comparable(text: str) -> tuple[int, list[str]]:
    words = [token.word or token.text for token in tokens(text)]
    return len(words), [word for word in words if word != "NOT"]
