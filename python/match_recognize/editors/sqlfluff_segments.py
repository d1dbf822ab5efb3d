"""The grammar of the clause, in the terms of sqlfluff."""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from typing import Any

from sqlfluff.core.parser import (
    AnyNumberOf,
    Anything,
    BaseSegment,
    Bracketed,
    CodeSegment,
    Dedent,
    Delimited,
    Indent,
    OneOf,
    OptionallyBracketed,
    Ref,
    Sequence,
    TypedParser,
)
from sqlfluff.core.parser.context import ParseContext
from sqlfluff.core.parser.match_algorithms import greedy_match
from sqlfluff.core.parser.match_result import MatchResult
from sqlfluff.core.parser.matchable import Matchable
from sqlfluff.dialects.dialect_ansi import FunctionSegment

WORDS = """
DEFINE EMPTY MATCH_RECOGNIZE MATCHES MEASURES OMIT ONE PAST PATTERN PER RUNNING SKIP SUBSET
TIMEOUT TRACE UNMATCHED
"""

#: The words of the clause that are not words of Spark's grammar. They stay names elsewhere.
KEYWORDS = tuple(WORDS.split())


def _block(*words: str, entry: Any) -> Any:
    """A part of the clause: its words, and a list on lines of its own."""
    return Sequence(*words, Indent, Delimited(entry), Dedent, optional=True)


class Verbatim(Anything):
    """Takes the tokens up to the closing bracket as they are.

    ``Anything`` makes segments of the brackets among them, and sqlfluff changes blanks in those.
    """

    def match(
        self, segments: Tokens[BaseSegment], idx: int, parse_context: ParseContext
    ) -> MatchResult:
        """Matches up to the first terminator outside brackets."""
        terminators = [*self.terminators, *parse_context.terminators]
        return greedy_match(segments, idx, parse_context, terminators, nested_match=False)


#: The word and parentheses that hold more than names are no alias with columns, also where the
#: clause cannot be parsed: sqlfluff removes aliases that nothing uses.
_CLAUSE = OneOf(
    Sequence("MATCH_RECOGNIZE", Bracketed(Anything())),
    exclude=Sequence("MATCH_RECOGNIZE", Bracketed(Ref("SingleIdentifierListSegment"))),
)


def _alias(*not_aliases: Matchable) -> Matchable:
    after = (Ref("FromClauseTerminatorGrammar"), Ref("JoinLikeClauseGrammar"))
    exclude = OneOf(_CLAUSE, *after, *not_aliases)
    return Ref("AliasExpressionSegment", exclude=exclude, optional=True)


_KEY = Sequence(
    Ref("ExpressionSegment"),
    Sequence(Ref("AsAliasOperatorSegment"), Ref("SingleIdentifierGrammar"), optional=True),
)
_ORDER_KEY = Sequence(
    _KEY,
    OneOf("ASC", "DESC", optional=True),
    Sequence("NULLS", OneOf("FIRST", "LAST"), optional=True),
)


class RowPatternSegment(BaseSegment):
    """A row pattern. Spark checks it; sqlfluff only keeps it as it is."""

    type = "row_pattern"
    match_grammar: Matchable = Verbatim()


class RowPatternVariableSegment(BaseSegment):
    """A variable in DEFINE, SUBSET or SKIP TO.

    It is no identifier to sqlfluff, whose rules would change its case or its quotes here but not
    in the pattern.
    """

    type = "row_pattern_variable"
    match_grammar: Matchable = OneOf(
        TypedParser("word", CodeSegment, type="row_pattern_name"),
        TypedParser("back_quote", CodeSegment, type="row_pattern_name"),
    )


class RowPatternMeasureSegment(BaseSegment):
    """An entry of MEASURES."""

    type = "row_pattern_measure"
    match_grammar: Matchable = Sequence(Ref("ExpressionSegment"), Ref("AliasExpressionSegment"))


class RowPatternDefinitionSegment(BaseSegment):
    """An entry of DEFINE."""

    type = "row_pattern_definition"
    match_grammar: Matchable = Sequence(
        Ref("RowPatternVariableSegment"), "AS", Ref("ExpressionSegment")
    )


class RowsPerMatchSegment(BaseSegment):
    """``ONE ROW PER MATCH`` or ``ALL ROWS PER MATCH`` with what may follow."""

    type = "rows_per_match"
    match_grammar: Matchable = Sequence(
        OneOf(Sequence("ONE", "ROW"), Sequence("ALL", "ROWS")),
        "PER",
        "MATCH",
        AnyNumberOf(
            Sequence(OneOf("SHOW", "OMIT"), "EMPTY", "MATCHES"),
            Sequence("SHOW", "TIMEOUT", "MATCHES"),
            Sequence("WITH", "UNMATCHED", "ROWS"),
        ),
    )


class AfterMatchSegment(BaseSegment):
    """``AFTER MATCH SKIP ...`` or ``AFTER MATCH NO SKIP``."""

    type = "after_match"
    match_grammar: Matchable = Sequence(
        "AFTER",
        "MATCH",
        OneOf(
            Sequence("NO", "SKIP"),
            Sequence("SKIP", "PAST", "LAST", "ROW"),
            Sequence("SKIP", "TO", "NEXT", "ROW"),
            Sequence(
                "SKIP",
                "TO",
                OneOf("FIRST", "LAST", optional=True),
                Ref("RowPatternVariableSegment"),
            ),
        ),
    )


class MatchRecognizePartsSegment(BaseSegment):
    """What the parentheses of the clause hold.

    A segment of its own keeps its indents: those of a grammar directly in brackets are lost.
    """

    type = "match_recognize_parts"
    match_grammar: Matchable = Sequence(
        _block("PARTITION", "BY", entry=_KEY),
        _block("ORDER", "BY", entry=_ORDER_KEY),
        _block("MEASURES", entry=Ref("RowPatternMeasureSegment")),
        Ref("RowsPerMatchSegment", optional=True),
        Ref("AfterMatchSegment", optional=True),
        Sequence("PATTERN", Bracketed(Ref("RowPatternSegment"))),
        Sequence("WITHIN", Ref("ExpressionSegment"), optional=True),
        _block(
            "SUBSET",
            entry=Sequence(
                Ref("RowPatternVariableSegment"),
                Ref("EqualsSegment"),
                Bracketed(Delimited(Ref("RowPatternVariableSegment"))),
            ),
        ),
        _block("DEFINE", entry=Ref("RowPatternDefinitionSegment")),
    )


class MatchRecognizeClauseSegment(BaseSegment):
    """``MATCH_RECOGNIZE ( ... ) AS alias``."""

    type = "match_recognize_clause"
    match_grammar: Matchable = Sequence(
        "MATCH_RECOGNIZE",
        Bracketed(Ref("MatchRecognizePartsSegment")),
        _alias(),
    )


class RunningOrFinalFunctionSegment(FunctionSegment):
    """A function, perhaps after ``RUNNING`` or ``FINAL``."""

    match_grammar: Matchable = OneOf(
        FunctionSegment.match_grammar,
        Sequence(OneOf("RUNNING", "FINAL"), FunctionSegment.match_grammar),
    )


class RowPatternInputAliasSegment(BaseSegment):
    """The alias of a table before its clause.

    It is no alias to sqlfluff, which does not look for its uses in the clause, and would remove
    it.
    """

    type = "row_pattern_input_alias"
    match_grammar: Matchable = Sequence(
        Ref("AsAliasOperatorSegment", optional=True),
        Ref("SingleIdentifierGrammar", exclude=_CLAUSE),
        Bracketed(Ref("SingleIdentifierListSegment"), optional=True),
    )


def table_grammar(*not_aliases: Matchable) -> Sequence:
    """The grammar of a table in FROM or JOIN, its alias, and the clauses over it."""
    clauses = Sequence(
        Ref("RowPatternInputAliasSegment", optional=True),
        AnyNumberOf(Ref("MatchRecognizeClauseSegment"), min_times=1),
    )
    return Sequence(
        Ref("PreTableFunctionKeywordsGrammar", optional=True),
        OptionallyBracketed(Ref("TableExpressionSegment")),
        Ref("SamplingExpressionSegment", optional=True),
        OneOf(clauses, _alias(*not_aliases), optional=True),
        Ref("PostTableExpressionGrammar", optional=True),
    )


def explain_grammar() -> Sequence:
    """The grammar of ``EXPLAIN``, also of ``EXPLAIN MATCH_RECOGNIZE [TRACE | AS JSON]``."""
    ours = Sequence("MATCH_RECOGNIZE", OneOf("TRACE", Sequence("AS", "JSON"), optional=True))
    kinds = OneOf("EXTENDED", "CODEGEN", "COST", "FORMATTED", ours, optional=True)
    return Sequence("EXPLAIN", kinds, Ref("StatementSegment"))


SEGMENTS: tuple[type[BaseSegment], ...] = (
    RowPatternSegment,
    RowPatternVariableSegment,
    RowPatternInputAliasSegment,
    RowPatternMeasureSegment,
    RowPatternDefinitionSegment,
    RowsPerMatchSegment,
    AfterMatchSegment,
    MatchRecognizePartsSegment,
    MatchRecognizeClauseSegment,
)
