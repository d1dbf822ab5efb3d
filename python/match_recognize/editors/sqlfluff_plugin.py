"""The plugin of sqlfluff: the clause in the dialect ``sparksql``.

sqlfluff has no hook for dialects. It loads every plugin before it reads a dialect, so this
module adds the clause to the dialect when it is imported. Statements without the clause are
parsed as before: no word becomes reserved.
"""

from __future__ import annotations

from typing import Any

from sqlfluff.core.parser import CodeSegment, OneOf, Ref, StringLexer
from sqlfluff.core.plugin import hookimpl
from sqlfluff.dialects import dialect_sparksql
from sqlfluff.dialects.dialect_sparksql import sparksql_dialect

from match_recognize.editors.sqlfluff_segments import (
    KEYWORDS,
    SEGMENTS,
    RunningOrFinalFunctionSegment,
    explain_grammar,
    table_grammar,
)


def add_clause() -> None:
    """Adds the clause to the dialect ``sparksql``, once."""
    sparksql_dialect.sets("unreserved_keywords").update(KEYWORDS)
    sparksql_dialect.add(**{segment.__name__: segment for segment in SEGMENTS})
    sparksql_dialect.insert_lexer_matchers(
        [
            # The anchor of a pattern. It comes after dollar quotes, which begin alike.
            StringLexer("dollar", "$", CodeSegment),
            # An optional element, where a driver takes a question mark for a parameter.
            StringLexer("escaped_question", "\\?", CodeSegment),
        ],
        before="word",
    )
    joined = sparksql_dialect.get_grammar("JoinLikeClauseGrammar")
    sparksql_dialect.replace(
        FunctionSegment=RunningOrFinalFunctionSegment,
        # A clause over joined tables in parentheses.
        JoinLikeClauseGrammar=OneOf(joined, Ref("MatchRecognizeClauseSegment")),
    )
    # sqlfluff takes the segments of the dialect's module anew each time, so replacing these in
    # the dialect would have no effect.
    dialect_sparksql.FromExpressionElementSegment.match_grammar = table_grammar()
    dialect_sparksql.ExplainStatementSegment.match_grammar = explain_grammar()
    before_insert = dialect_sparksql.FromInsertFromExpressionElementSegment
    before_insert.match_grammar = table_grammar(Ref.keyword("INSERT"))


@hookimpl
def load_default_config() -> dict[str, Any]:
    """Returns the layout of what only the clause has."""
    layout = {"row_pattern": {"spacing_within": "any"}}
    return {"layout": {"type": layout}}


if "MatchRecognizeClauseSegment" not in sparksql_dialect._library:
    add_clause()
