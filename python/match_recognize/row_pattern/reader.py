"""Reads the text between the parentheses of PATTERN."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from match_recognize.errors import MatchRecognizeError
from match_recognize.row_pattern.tree import (
    Absence,
    Alternation,
    Anchor,
    Bound,
    Empty,
    Exclusion,
    Loop,
    Permutation,
    RowPattern,
    Sequence,
    Variable,
)
from match_recognize.sql_text.clause_parts import place
from match_recognize.sql_text.names import unquoted
from match_recognize.sql_text.tokens import Token, tokens

#: As in the parser of the extension.
MAX_DEPTH = 128

_END = Token("end", "", 0, 0)


def read_pattern(text: str) -> RowPattern:
    """Reads the text between the parentheses of PATTERN. An error says what to write instead."""
    parser = _Parser(text, [piece for token in tokens(text) for piece in _pieces(token)])
    if parser.token() is _END:
        parser.fail("The row pattern is empty", "Write at least one variable")
    pattern = parser.alternation()
    if parser.token() is not _END:
        parser.fail(
            f"{parser.token().text} has no counterpart or is not allowed here",
            "Remove it, or write what opens it before",
        )
    return pattern


def _pieces(token: Token) -> list[Token]:
    """A stop condition looks like the name of a frame; here it is three tokens."""
    if token.kind != "frame":
        return [token]
    name = token.start + token.text.index(token.name)
    end = name + len(token.name)
    return [
        Token("symbol", "{", token.start, token.start + 1),
        Token("word", token.name, name, end),
        Token("symbol", "}", token.end - 1, token.end),
    ]


@dataclass
class _Parser:
    text: str
    tokens: list[Token]
    position: int = 0
    depth: int = 0
    excluding: bool = False
    names: dict[str, str] = field(default_factory=dict[str, str])

    def token(self, ahead: int = 0) -> Token:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else _END

    def take(self) -> Token:
        taken = self.token()
        self.position += 1
        return taken

    def ahead(self, *texts: str) -> bool:
        return all(
            (self.token(i).word or self.token(i).text) == each for i, each in enumerate(texts)
        )

    def accept(self, *texts: str) -> bool:
        found = self.ahead(*texts)
        if found:
            self.position += len(texts)
        return found

    def fail(self, problem: str, suggestion: str, token: Token | None = None) -> NoReturn:
        token = token or self.token()
        where = "at the end" if token is _END else place(self.text, token.start)
        raise MatchRecognizeError(f"{problem} ({where} of the row pattern). {suggestion}.")

    def name(self) -> str:
        # As in SQL, a and A are one variable; the first spelling is shown.
        plain = unquoted(self.take().text)
        return self.names.setdefault(plain.upper(), plain)

    def alternation(self) -> RowPattern:
        alternatives = [self.sequence()]
        while self.accept("|"):
            alternatives.append(self.sequence())
        return alternatives[0] if len(alternatives) == 1 else Alternation(tuple(alternatives))

    def sequence(self) -> RowPattern:
        elements: list[RowPattern] = []
        while not self.ends_sequence():
            elements.append(self.element())
        if not elements:
            self.fail("A part of the row pattern is empty", "Write () for the empty pattern")
        return elements[0] if len(elements) == 1 else Sequence(tuple(elements))

    def ends_sequence(self) -> bool:
        ends = (")", "|", ",", "}", "]")
        return self.token() is _END or self.token().text in ends or self.ahead("-", "}")

    def element(self) -> RowPattern:
        first = self.token()
        primary = self.primary()
        if not self.repetition_ahead():
            if self.ahead("{") and self.token(1).is_name:
                self.fail("A stop condition follows no quantifier", "Write A+{B}")
            return primary
        if isinstance(primary, Absence):
            self.fail("[^ ... ] cannot have a quantifier", "Remove the quantifier")
        loop = self.quantified(primary)
        if self.repetition_ahead() or (self.ahead("{") and self.token(1).is_name):
            self.fail("An element has two quantifiers", "Write (A+)* with parentheses")
        if loop.loose and not _begins_with_variable(primary):
            self.fail(
                "A loose loop must begin with a variable",
                "Write a variable first, as in (A B?)+??",
                first,
            )
        return loop

    def primary(self) -> RowPattern:
        token = self.token()
        if token.kind == "open":
            return self.group()
        if self.accept("^"):
            return Anchor(at_end=False)
        if self.accept("$"):
            return Anchor(at_end=True)
        if self.ahead("{", "-"):
            return self.exclusion()
        if self.accept("["):
            return self.absence(token)
        if self.ahead("PERMUTE", "("):
            return self.permutation()
        if token.text in ("*", "+", "?", "{", "\\"):
            self.fail("A quantifier follows no element", "Write a variable before it")
        if not token.is_name:
            shown = token.text or "The end"
            self.fail(
                f"{shown} begins no element", "Write a variable, (, ^, $, PERMUTE(, {- or [^"
            )
        return Variable(self.name())

    def nested(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(f"More than {MAX_DEPTH} levels are nested", "Remove parentheses")

    def close(self, opening: Token, *closing: str) -> None:
        if not self.accept(*closing):
            self.fail(
                f"{opening.text} is not closed", f"Write the missing {''.join(closing)}", opening
            )
        self.depth -= 1

    def group(self) -> RowPattern:
        opening = self.take()
        if self.accept(")"):
            return Empty()
        self.nested()
        content = self.alternation()
        self.close(opening, ")")
        return content

    def permutation(self) -> RowPattern:
        self.take()
        opening = self.take()
        self.nested()
        elements = [self.alternation()]
        while self.accept(","):
            elements.append(self.alternation())
        self.close(opening, ")")
        return elements[0] if len(elements) == 1 else Permutation(tuple(elements))

    def exclusion(self) -> RowPattern:
        opening = self.take()
        self.take()
        self.nested()
        outermost, self.excluding = not self.excluding, True
        content = self.alternation()
        self.excluding = not outermost
        self.close(opening, "-", "}")
        # Within another exclusion, it excludes nothing more.
        return Exclusion(content) if outermost else content

    def absence(self, opening: Token) -> RowPattern:
        if not (self.accept("^") and self.token().is_name and self.token(1).text == "]"):
            self.fail("[^ ... ] takes one variable", "Write [^B]", opening)
        name = self.name()
        self.take()
        return Absence(name)

    def repetition_ahead(self) -> bool:
        if self.ahead("{"):
            return self.token(1).text != "-" and not self.token(1).is_name
        return self.token().text in ("*", "+") or self.question_ahead()

    def question_ahead(self) -> bool:
        return self.ahead("?") or self.ahead("\\", "?")

    def accept_question(self) -> bool:
        return self.accept("?") or self.accept("\\", "?")

    def quantified(self, element: RowPattern) -> Loop:
        first = self.token()
        optional = self.question_ahead()
        lower, upper = self.repetition()
        marks = 0
        while self.accept_question():
            marks += 1
        if marks > (1 if optional else 3):
            self.fail(
                "The quantifier has too many question marks",
                "Write ? for reluctant, ?? for loose, ??? for both",
                first,
            )
        stop = None
        if self.ahead("{") and self.token(1).is_name:
            stop = self.stop(upper)
        fixed = lower == upper
        return Loop(element, lower, upper, fixed or marks % 2 == 0, marks >= 2, stop)

    def stop(self, upper: Bound) -> str:
        opening = self.take()
        name = self.name()
        if not self.accept("}"):
            self.fail("A stop condition takes one variable", "Write A+{B}", opening)
        if upper is not None:
            self.fail(
                "A stop condition needs a loop without an upper bound", "Write A+{B}", opening
            )
        return name

    def repetition(self) -> tuple[Bound, Bound]:
        if self.accept_question():
            return 0, 1
        opening = self.take()
        if opening.text == "*":
            return 0, None
        if opening.text == "+":
            return 1, None
        low = self.bound()
        comma = self.accept(",")
        high = self.bound() if comma else low
        if not self.accept("}") or (low is None and not comma):
            self.fail("A quantifier cannot be read", "Write {2}, {2,}, {2,4} or {,4}", opening)
        lower: Bound = 0 if low is None else low
        if high == 0:
            self.fail("The upper bound of a quantifier is 0", "Write at least 1", opening)
        if isinstance(lower, int) and isinstance(high, int) and lower > high:
            self.fail(
                "The lower bound of a quantifier is above the upper one",
                f"Write {{{high},{lower}}}",
                opening,
            )
        return lower, high

    def bound(self) -> Bound:
        token = self.token()
        if token.kind == "word" and token.text.rstrip("lLsSyY").isdecimal():
            self.take()
            return int(token.text.rstrip("lLsSyY"))
        if self.accept("?"):
            return "?"
        if self.ahead(":") and self.token(1).is_name:
            self.take()
            return f":{self.take().text}"
        return None


def _begins_with_variable(pattern: RowPattern) -> bool:
    if isinstance(pattern, Sequence):
        return _begins_with_variable(pattern.elements[0])
    return isinstance(pattern, Variable)
