"""Row patterns, built from variables by + and | and methods for quantifiers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NoReturn

from match_recognize.builder.names import quoted_variable
from match_recognize.builder.places import caller, refusal

# How strongly the forms of a pattern bind, from the weakest on.
ALTERNATIVES, SEQUENCE, QUANTIFIED, PRIMARY = range(4)


class Pattern:
    """A row pattern: ``a + b`` is a, then b; ``a | b`` is a or else b."""

    _strength = PRIMARY

    def __init__(self) -> None:
        self._place = caller()

    def __repr__(self) -> str:
        return f"Pattern<{render(self)}>"

    # A comparison would be True or False in Python, which is a valid condition.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoReturn:
        raise refusal(
            f"{self!r} has no value to compare. Compare a column of a variable, such as "
            "down.price."
        )

    def __ne__(self, other: object) -> NoReturn:
        self.__eq__(other)

    def __add__(self, other: object) -> Pattern:
        return Sequence(self, checked(other, "+"))

    def __or__(self, other: object) -> Pattern:
        return Alternatives(self, checked(other, "|"))

    def __bool__(self) -> NoReturn:
        raise refusal(
            "A pattern has no value in Python. Use a + b for a, then b, and a | b for a or b."
        )

    def __iter__(self) -> NoReturn:
        raise refusal("A pattern cannot be iterated.")

    def zero_or_more(self) -> Quantified:
        """``*``: any number of times, as often as possible."""
        return Quantified(self, 0, None)

    def one_or_more(self) -> Quantified:
        """``+``: once or more, as often as possible."""
        return Quantified(self, 1, None)

    def optional(self) -> Quantified:
        """``?``: once if possible, or not at all."""
        return Quantified(self, 0, 1)

    def times(self, low: int, high: int | None = None) -> Quantified:
        """``{n}`` or ``{m,n}``: exactly n times, or between m and n times.

        Args:
            low: the number of times, or the least number.
            high: the largest number.
        """
        return Quantified(self, low, low if high is None else high)

    def at_least(self, low: int) -> Quantified:
        """``{n,}``: n times or more.

        Args:
            low: the least number of times.
        """
        return Quantified(self, low, None)

    def at_most(self, high: int) -> Quantified:
        """``{,n}``: up to n times.

        Args:
            high: the largest number of times.
        """
        return Quantified(self, 0, high)

    def followed_by(self, other: object) -> Pattern:
        """``{- X*? -}`` and the other: any rows may come between, as few as possible.

        Args:
            other: the pattern that comes later.
        """
        return Sequence(self, Gap(reluctant=True), checked(other, "followed_by"))

    def followed_by_any(self, other: object) -> Pattern:
        """``{- X* -}`` and the other: any rows may come between, as many as possible.

        With ``after_match_no_skip()``, each later row that fits gives a match.

        Args:
            other: the pattern that comes later.
        """
        return Sequence(self, Gap(reluctant=False), checked(other, "followed_by_any"))

    def not_next(self, other: object) -> Pattern:
        """``[^B]``: the next row is no B.

        Args:
            other: the variable B.
        """
        return Sequence(self, Absence(one_variable(other, "not_next")))

    def not_followed_by(self, other: object) -> Pattern:
        """``{- X*? -} [^B]``: no row up to the next element, or up to the end, is a B.

        Args:
            other: the variable B.
        """
        return Sequence(
            self, Gap(reluctant=True), Absence(one_variable(other, "not_followed_by"))
        )

    def _children(self) -> tuple[Pattern, ...]:
        return ()

    def _text(self, gaps: Iterator[str]) -> str:
        raise NotImplementedError


class Sequence(Pattern):
    """One pattern after the other."""

    _strength = SEQUENCE

    def __init__(self, *parts: Pattern) -> None:
        super().__init__()
        # Sequences of sequences are one: a + (b + c) needs no parentheses.
        self._parts: tuple[Pattern, ...] = tuple(
            inner
            for part in parts
            for inner in (part._parts if isinstance(part, Sequence) else (part,))
        )

    def _children(self) -> tuple[Pattern, ...]:
        return self._parts

    def _text(self, gaps: Iterator[str]) -> str:
        return " ".join(within(part, QUANTIFIED, gaps) for part in self._parts)


class Alternatives(Pattern):
    """Patterns of which the first that leads to a match is preferred."""

    _strength = ALTERNATIVES

    def __init__(self, *parts: Pattern) -> None:
        super().__init__()
        self._parts: tuple[Pattern, ...] = tuple(
            inner
            for part in parts
            for inner in (part._parts if isinstance(part, Alternatives) else (part,))
        )

    def _children(self) -> tuple[Pattern, ...]:
        return self._parts

    def _text(self, gaps: Iterator[str]) -> str:
        return " | ".join(within(part, SEQUENCE, gaps) for part in self._parts)


class Quantified(Pattern):
    """A pattern with a quantifier."""

    _strength = QUANTIFIED

    def __init__(
        self,
        body: Pattern,
        low: int,
        high: int | None,
        reluctant: bool = False,
        loose: bool = False,
        stop: Pattern | None = None,
    ) -> None:
        super().__init__()
        for bound in (low, high):
            if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
                raise refusal(f"A number of times must be an int, not {bound!r}.")
        if low < 0 or (high is not None and (high < 1 or high < low)):
            raise refusal(
                f"A pattern cannot occur {low} to {high} times. The largest number must be at "
                "least 1 and not below the least number."
            )
        if isinstance(body, Absence):
            raise refusal("A row that must not come takes no row, so it cannot be repeated.")
        self._body, self._low, self._high = body, low, high
        self._is_reluctant, self._is_loose, self._stop = reluctant, loose, stop

    def reluctant(self) -> Quantified:
        """``?`` after the quantifier: as few times as possible."""
        return self._with(reluctant=True)

    def loose(self) -> Quantified:
        """``??`` after the quantifier: the loop passes over rows between two iterations."""
        return self._with(loose=True)

    def until(self, stop: object) -> Quantified:
        """``{B}`` after the quantifier: no row that the loop takes or passes over is a B.

        Args:
            stop: the variable B.
        """
        return self._with(stop=one_variable(stop, "until"))

    def _with(
        self, reluctant: bool = False, loose: bool = False, stop: Pattern | None = None
    ) -> Quantified:
        if loose and (self._low, self._high) == (0, 1):
            raise refusal("An optional pattern is no loop, so it cannot be loose.")
        if stop is not None and self._high is not None:
            raise refusal("until() is for a loop without an upper bound, such as one_or_more().")
        return Quantified(
            self._body,
            self._low,
            self._high,
            self._is_reluctant or reluctant,
            self._is_loose or loose,
            self._stop if stop is None else stop,
        )

    def _children(self) -> tuple[Pattern, ...]:
        return (self._body,) if self._stop is None else (self._body, self._stop)

    def _text(self, gaps: Iterator[str]) -> str:
        # ${ would be a variable of Spark's, so an anchor stands in parentheses.
        needed = PRIMARY + isinstance(self._body, Anchor)
        marks = ("??" if self._is_loose else "") + ("?" if self._is_reluctant else "")
        stop = "" if self._stop is None else f"{{{self._stop._text(gaps)}}}"
        return within(self._body, needed, gaps) + self._quantifier() + marks + stop

    def _quantifier(self) -> str:
        low, high = self._low, self._high
        simple = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
        if simple:
            return simple
        if low == high:
            return f"{{{low}}}"
        return f"{{{low or ''},{'' if high is None else high}}}"


class Permutation(Pattern):
    """``PERMUTE(...)``: the elements in any order."""

    def __init__(self, *parts: Pattern) -> None:
        super().__init__()
        self._parts = parts

    def _children(self) -> tuple[Pattern, ...]:
        return self._parts

    def _text(self, gaps: Iterator[str]) -> str:
        return f"PERMUTE({', '.join(part._text(gaps) for part in self._parts)})"


class Exclusion(Pattern):
    """``{- ... -}``: rows of the match that ALL ROWS PER MATCH does not output."""

    def __init__(self, body: Pattern) -> None:
        super().__init__()
        self._body = body

    def _children(self) -> tuple[Pattern, ...]:
        return (self._body,)

    def _text(self, gaps: Iterator[str]) -> str:
        return f"{{- {self._body._text(gaps)} -}}"


class Absence(Pattern):
    """``[^B]``: takes no row, and holds if the next row is no B."""

    def __init__(self, variable: Pattern) -> None:
        super().__init__()
        self._variable = variable

    def _children(self) -> tuple[Pattern, ...]:
        return (self._variable,)

    def _text(self, gaps: Iterator[str]) -> str:
        return f"[^{self._variable._text(gaps)}]"


class Gap(Pattern):
    """Any rows, by a variable that occurs nowhere else."""

    def __init__(self, reluctant: bool) -> None:
        super().__init__()
        self._mark = "?" if reluctant else ""

    def _text(self, gaps: Iterator[str]) -> str:
        return f"{{- {next(gaps)}*{self._mark} -}}"


class Anchor(Pattern):
    """``^`` or ``$``: the start or the end of the partition."""

    def __init__(self, sign: str) -> None:
        super().__init__()
        self._sign = sign

    def _text(self, gaps: Iterator[str]) -> str:
        return self._sign


class Empty(Pattern):
    """``()``: takes no row."""

    def _text(self, gaps: Iterator[str]) -> str:
        return "()"


class Named(Pattern):
    """A pattern variable, by its name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def _text(self, gaps: Iterator[str]) -> str:
        return quoted_variable(self._name)


def within(part: Pattern, strength: int, gaps: Iterator[str]) -> str:
    """Returns a part's text, in parentheses if it binds less strongly than its place needs.

    Args:
        part: the part.
        strength: the strength that its place needs.
        gaps: the names for gaps.
    """
    text = part._text(gaps)
    return text if part._strength >= strength else f"({text})"


def render(pattern: Pattern) -> str:
    """Returns a pattern as SQL.

    Args:
        pattern: the pattern.
    """
    taken = {named._name.upper() for named in named_in(pattern)}
    numbers = (f"GAP_{n}" for n in range(1, 1_000_000))
    return pattern._text(name for name in numbers if name not in taken)


def named_in(pattern: Pattern) -> Iterable[Named]:
    """Returns the variables of a pattern, in the order in which they occur.

    Args:
        pattern: the pattern.
    """
    if isinstance(pattern, Named):
        yield pattern
    for child in pattern._children():
        yield from named_in(child)


def checked(value: object, used_in: str) -> Pattern:
    """Returns a value that must be a pattern.

    Args:
        value: what the user wrote.
        used_in: the operator or method, for the error.

    Raises:
        MatchRecognizeError: it is no pattern.
    """
    if isinstance(value, Pattern):
        return value
    if callable(value):
        name = getattr(value, "__name__", "the method")
        raise refusal(f"{used_in} needs a pattern, not the method {name}. Write {name}().")
    raise refusal(
        f"{used_in} needs a pattern, not {value!r}. Make variables by "
        'a, b = variables("a b"), or give the whole pattern as text.'
    )


def one_variable(value: object, used_in: str) -> Pattern:
    """Returns a value that must be one variable.

    Args:
        value: a variable, or its name.
        used_in: the method, for the error.
    """
    if isinstance(value, str):
        return Named(value)
    if isinstance(value, Named):
        return value
    raise refusal(
        f"{used_in} needs one variable, not {value!r}. Define one variable for several "
        "conditions, joined by |."
    )
