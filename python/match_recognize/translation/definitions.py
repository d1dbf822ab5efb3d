"""Entries of DEFINE for variables that the pattern does not have. Spark refuses them."""

from __future__ import annotations

from collections.abc import Iterator

from match_recognize.sql_text.clause_parts import Clause, Definition
from match_recognize.sql_text.tokens import Token, tokens


class Definitions:
    """The entries of DEFINE of a clause.

    Attributes:
        used: those of variables that PATTERN has.
        unused: the others.
    """

    def __init__(self, text: str, mask: str, clause: Clause) -> None:
        self._text = text
        self._mask = mask
        self._clause = clause
        pattern = {
            self._name(token)
            for token in self._tokens(clause.pattern.start, clause.pattern.end)
            if token.is_name
        }
        entries = [(self._name(self._variable(each)), each) for each in clause.definitions]
        self.used: list[Definition] = [each for name, each in entries if name in pattern]
        self.unused: list[Definition] = [each for name, each in entries if name not in pattern]

    def removed(self) -> Iterator[tuple[int, int]]:
        """Finds what to remove: the entries that are not used, or DEFINE as a whole."""
        define = self._clause.define
        if define is not None and not self.used:
            yield define.outer_start, define.outer_end
            return
        entries = self._clause.definitions
        for i, each in enumerate(entries):
            if each not in self.unused:
                continue
            if any(later in self.used for later in entries[i:]):
                yield self._variable(each).start, self._variable(entries[i + 1]).start
            else:
                yield entries[i - 1].end, each.end

    def notes(self) -> Iterator[str]:
        """Names the entries that are removed."""
        for each in self.unused:
            variable = self._variable(each)
            name = self._text[variable.start : variable.end]
            yield f"DEFINE: {name} is omitted, since PATTERN does not have this variable."

    def _variable(self, definition: Definition) -> Token:
        """The token of the variable, which AS separates from the condition."""
        assert self._clause.define is not None
        return self._tokens(self._clause.define.start, definition.start)[-2]

    def _tokens(self, start: int, end: int) -> list[Token]:
        return [
            Token(token.kind, token.text, start + token.start, start + token.end)
            for token in tokens(self._mask[start:end])
        ]

    def _name(self, token: Token) -> str:
        text = self._text[token.start : token.end]
        if token.kind != "quoted":
            return text.upper()
        return text[1:-1].replace(text[0] * 2, text[0]).upper()
