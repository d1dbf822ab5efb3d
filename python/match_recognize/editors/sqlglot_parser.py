"""Reads Spark SQL with the clause into sqlglot's tree.

The clause is cut into its parts by `match_recognize.clause_parts`, as everywhere else in this
package. sqlglot reads the expressions. Where it would write an expression in other words, the
tree keeps the text instead: `LAST(x, 1)` must not become `LAST(x)`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, cast

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

from match_recognize.editors.sqlglot_nodes import RowPatternMatch, RunningOrFinal, VerbatimSql
from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.clause_parts import Clause, Part, clauses, entries
from match_recognize.sql_text.tokens import tokens

#: Functions that mean something else in a clause, or have other arguments there.
_ROW_PATTERN_FUNCTIONS = {"FIRST", "LAST", "PREV", "NEXT", "CLASSIFIER", "MATCH_NUMBER"}


def spelling(text: str) -> list[str]:
    """The tokens of a text, words in capitals: what two spellings of one meaning share."""
    return [token.word or token.text for token in tokens(text)]


class StatementParser(SparkParser):
    """Spark's parser, which takes a clause after a table."""

    def _at_clause(self) -> bool:
        """Whether a clause begins here; without PATTERN the word is an alias."""
        if self._curr.text.upper() != "MATCH_RECOGNIZE" or not self._next:
            return False
        if self._next.token_type != TokenType.L_PAREN:
            return False
        level = 0
        rest = self._tokens[self._index + 1 :]
        for token, following in zip(rest, rest[1:]):
            level += token.token_type == TokenType.L_PAREN
            level -= token.token_type == TokenType.R_PAREN
            if level == 0:
                return False
            opens = following.token_type == TokenType.L_PAREN
            if opens and level == 1 and token.text.upper() == "PATTERN":
                return True
        return False

    def _parse_table_alias(
        self, alias_tokens: Collection[TokenType] | None = None
    ) -> exp.TableAlias | None:
        return None if self._at_clause() else super()._parse_table_alias(alias_tokens)

    def _parse_table(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        table = super()._parse_table(*args, **kwargs)
        joins = bool(kwargs.get("joins"))
        while table is not None and self._at_clause():
            table = self._parse_clause(table)
            if joins:
                for join in self._parse_joins():
                    table.append("joins", join)
        return table

    def _parse_clause(self, table: exp.Expr) -> RowPatternMatch:
        start = self._curr.start
        try:
            found = [clause for clause in clauses(self.sql) if clause.start == start]
        except MatchRecognizeError as error:
            self.raise_error(str(error))
            raise
        if not found:
            self.raise_error("This MATCH_RECOGNIZE clause cannot be read")
        clause = found[0]
        node = self._node(clause, table)
        self._check(clause, node)
        while self._curr and self._curr.start < clause.end:
            self._advance()
        node.set("sample", self._parse_table_sample())
        node.set("alias", self._parse_table_alias())
        node.set("pivots", self._parse_pivots())
        return node

    def _node(self, clause: Clause, table: exp.Expr) -> RowPatternMatch:
        return self.expression(
            RowPatternMatch(
                this=table,
                partition_by=self._entries(clause.partition_by),
                order=self._entries(clause.order_by, exp.Ordered),
                measures=self._entries(clause.measures),
                rows=_verbatim(clause.rows_per_match),
                after=_verbatim(clause.after_match),
                pattern=_verbatim(clause.pattern),
                within=self._expression(clause.within.text) if clause.within else None,
                subset=[VerbatimSql(this=text) for text in _texts(clause.subset)],
                define=[
                    exp.Alias(
                        this=self._expression(each.condition),
                        alias=exp.to_identifier(
                            each.variable.strip("`").replace("``", "`"),
                            quoted=each.variable.startswith("`"),
                        ),
                    )
                    for each in clause.definitions
                ],
            )
        )

    def _check(self, clause: Clause, node: RowPatternMatch) -> None:
        """Raises an error if the tree of a clause does not say all of its text."""
        inner = self.sql[clause.start : clause.end]
        # Of a copy: sqlglot's generators change some of the trees that they write.
        written = f"MATCH_RECOGNIZE ({_generator(self).clause_body(node.copy())})"
        if spelling(written) != spelling(inner):
            self.raise_error("A part of this MATCH_RECOGNIZE clause is not understood")

    def _entries(self, part: Part | None, kind: type[exp.Expr] | None = None) -> list[exp.Expr]:
        return [self._expression(text, kind) for text in _texts(part)]

    def _expression(self, text: str, kind: type[exp.Expr] | None = None) -> exp.Expr:
        """The tree of an expression, or its text if the tree would be written differently."""
        try:
            parser = ClauseParser(dialect=self.dialect)
            raw = self.dialect.tokenize(text)
            tree = (
                parser.parse_into(kind, raw, text) if kind else parser.parse_expression(raw, text)
            )
            found = tree[0]
            if found is not None and spelling(_generator(self).generate(found)) == spelling(text):
                return found
        except (ParseError, TokenError, ValueError):
            pass
        return VerbatimSql(this=text)


class ClauseParser(StatementParser):
    """Reads the expressions within a clause."""

    FUNCTIONS: ClassVar[dict[str, Any]] = {
        name: build
        for name, build in cast("dict[str, Any]", StatementParser.FUNCTIONS).items()
        if name not in _ROW_PATTERN_FUNCTIONS
    }

    def parse_expression(self, raw: Any, text: str) -> list[exp.Expr | None]:
        """Reads one expression, which may have an alias."""
        return self._parse(
            parse_method=lambda parser: parser._parse_expression(), raw_tokens=raw, sql=text
        )

    def _parse_unary(self) -> exp.Expr | None:
        kind = self._curr.text.upper()
        following = self._next.token_type if self._next else None
        if kind in ("RUNNING", "FINAL") and following in (TokenType.VAR, *self.FUNC_TOKENS):
            self._advance()
            return self.expression(RunningOrFinal(this=self._parse_unary(), kind=kind))
        return super()._parse_unary()


def _texts(part: Part | None) -> list[str]:
    return [part.text[start:end] for start, end in entries(part.text)] if part else []


def _verbatim(part: Part | None) -> VerbatimSql | None:
    return VerbatimSql(this=part.text) if part else None


def _generator(parser: StatementParser) -> Any:
    return parser.dialect.generator()
