"""Row patterns, built from variables by + and | and methods for quantifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, Union

from match_recognize.builder.names import suggestion
from match_recognize.builder.places import refusal
from match_recognize.row_pattern.tree import (
    Absence,
    Loop,
    RowPattern,
    Variable,
    alternation,
    gap,
    sequence,
)
from match_recognize.row_pattern.writer import write_pattern


class Pattern:
    """A row pattern: ``a + b`` is a, then b; ``a | b`` is a or else b."""

    def __init__(self, tree: RowPattern) -> None:
        self._tree = tree

    def __repr__(self) -> str:
        return f"Pattern<{write_pattern(self._tree)}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(
                f"The pattern has no {name}: only variables have columns. {no_method(name)}"
            )

    # A comparison would be True or False in Python, which is a valid condition.
    def __hash__(self) -> int:
        return object.__hash__(self)

    def __eq__(self, other: object) -> NoReturn:
        raise refusal(
            f"{self!r} has no value to compare. Compare a column of a variable, such as "
            "down.price."
        )

    def __add__(self, other: object) -> Pattern:
        return self._then(checked(other, "+"))

    def __or__(self, other: object) -> Pattern:
        return Pattern(alternation(self._tree, checked(other, "|")))

    def __mul__(self, other: object) -> NoReturn:
        raise refusal(
            "For a repetition, write a.times(3), a.times(2, 4) or a.one_or_more(). For a, then "
            "b, write a + b."
        )

    if not TYPE_CHECKING:
        __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
        __rmul__ = __rshift__ = __and__ = __mul__

    def __pos__(self) -> NoReturn:
        raise refusal("For once or more, write a.one_or_more().")

    def __bool__(self) -> NoReturn:
        raise refusal(
            "A pattern has no value in Python. Use a + b for a, then b, and a | b for a or b."
        )

    def __iter__(self) -> NoReturn:
        raise refusal("A pattern cannot be iterated.")

    def zero_or_more(self) -> Quantified:
        """``*``: any number of times, as often as possible.

        Examples:
            >>> variable("a").zero_or_more()
            Pattern<a*>
        """
        return _loop(self._tree, 0, None)

    def one_or_more(self) -> Quantified:
        """``+``: once or more, as often as possible.

        Examples:
            >>> variable("a").one_or_more()
            Pattern<a+>
        """
        return _loop(self._tree, 1, None)

    def optional(self) -> Quantified:
        """``?``: once if possible, or not at all.

        Examples:
            >>> variable("a").optional()
            Pattern<a?>
        """
        return _loop(self._tree, 0, 1)

    def times(self, low: int, high: int | None = None) -> Quantified:
        """``{n}`` or ``{m,n}``: exactly n times, or between m and n times.

        Examples:
            >>> variable("a").times(2, 4)
            Pattern<a{2,4}>

        Args:
            low: the number of times, or the least number.
            high: the largest number.
        """
        return _loop(self._tree, low, low if high is None else high)

    def at_least(self, low: int) -> Quantified:
        """``{n,}``: n times or more.

        Examples:
            >>> variable("a").at_least(2)
            Pattern<a{2,}>

        Args:
            low: the least number of times.
        """
        return _loop(self._tree, low, None)

    def at_most(self, high: int) -> Quantified:
        """``{,n}``: up to n times.

        Examples:
            >>> variable("a").at_most(4)
            Pattern<a{,4}>

        Args:
            high: the largest number of times.
        """
        return _loop(self._tree, 0, high)

    def followed_by(self, other: object) -> Pattern:
        """``{- X*? -}`` and the other: any rows may come between, as few as possible.

        Examples:
            >>> variable("a").followed_by(variable("b"))
            Pattern<a {- GAP_1*? -} b>

        Args:
            other: the pattern that comes later.
        """
        return self._then(gap(greedy=False), checked(other, "followed_by"))

    def followed_by_any(self, other: object) -> Pattern:
        """``{- X* -}`` and the other: any rows may come between, as many as possible.

        With ``after_match("no skip")``, each later row that fits gives a match.

        Args:
            other: the pattern that comes later.
        """
        return self._then(gap(greedy=True), checked(other, "followed_by_any"))

    def not_next(self, other: object) -> Pattern:
        """``[^B]``: the next row is no B.

        Examples:
            >>> variable("a").not_next("b")
            Pattern<a [^b]>

        Args:
            other: the variable B.
        """
        return self._then(Absence(one_variable(other, "not_next")))

    def not_followed_by(self, other: object) -> Pattern:
        """``{- X*? -} [^B]``: any rows may come, but no B, until the next element.

        At the end of a pattern: until the end of the partition, or of ``within()``.

        Args:
            other: the variable B.
        """
        return self._then(Absence(one_variable(other, "not_followed_by"), over_gap=True))

    def _then(self, *elements: RowPattern) -> Pattern:
        return Pattern(sequence(self._tree, *elements))


#: What users of other libraries call, and what to write instead.
INSTEAD = {
    "then": "Write a + b for a, then b.",
    "next": "Write a + b for a, then b.",
    "or_": "Write a | b for a or b.",
    "repeat": "Write a.times(3), or a.one_or_more().",
    "plus": "Write a.one_or_more().",
    "star": "Write a.zero_or_more().",
    "maybe": "Write a.optional().",
    "lazy": "Write a.one_or_more().reluctant().",
    "until": "Write a.one_or_more().until(b): it follows a quantifier.",
    "reluctant": "Write a.one_or_more().reluctant(): it follows a quantifier.",
    "loose": "Write a.one_or_more().loose(): it follows a quantifier.",
}


def no_method(name: str) -> str:
    """Returns what to write instead of a method that patterns do not have."""
    methods = [each for each in vars(Pattern) if not each.startswith("_")]
    return INSTEAD.get(name.lower()) or suggestion(name, methods)


class Quantified(Pattern):
    """A pattern with a quantifier."""

    _tree: Loop

    def reluctant(self) -> Quantified:
        """``?`` after the quantifier: as few times as possible.

        Examples:
            >>> variable("a").one_or_more().reluctant()
            Pattern<a+?>
        """
        return self._changed(greedy=False)

    def loose(self) -> Quantified:
        """``??`` after the quantifier: the loop passes over rows between two iterations.

        Examples:
            >>> variable("a").one_or_more().loose()
            Pattern<a+??>
        """
        if (self._tree.lower, self._tree.upper) == (0, 1):
            raise refusal("An optional pattern is no loop, so it cannot be loose.")
        return self._changed(loose=True)

    def until(self, stop: object) -> Quantified:
        """``{B}`` after the quantifier: no row that the loop takes or passes over is a B.

        Examples:
            >>> variable("a").one_or_more().until("b")
            Pattern<a+{b}>

        Args:
            stop: the variable B.
        """
        if self._tree.upper is not None:
            raise refusal("until() is for a loop without an upper bound, such as one_or_more().")
        return self._changed(stop=one_variable(stop, "until"))

    def _changed(self, **changes: Any) -> Quantified:
        return Quantified(replace(self._tree, **changes))


def _loop(element: RowPattern, low: int, high: int | None) -> Quantified:
    for bound in (low, high):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
            raise refusal(f"A number of times must be an int, not {bound!r}.")
    if low < 0 or (high is not None and (high < 1 or high < low)):
        raise refusal(
            f"A pattern cannot occur {low} to {high} times. The largest number must be at "
            "least 1 and not below the least number."
        )
    if isinstance(element, Absence):
        raise refusal("A row that must not come takes no row, so it cannot be repeated.")
    return Quantified(Loop(element, low, high))


def checked(value: object, used_in: str) -> RowPattern:
    """Returns the tree of a value that must be a pattern."""
    if isinstance(value, Pattern):
        return value._tree
    # A misspelled method of a variable is a column.
    not_a_pattern = getattr(type(value), "_not_a_function", None)
    if not_a_pattern is not None:
        raise refusal(not_a_pattern(value))
    if callable(value):
        name = getattr(value, "__name__", "the method")
        raise refusal(f"{used_in} needs a pattern, not the method {name}. Write {name}().")
    raise refusal(
        f"{used_in} needs a pattern, not {value!r}. Make variables by "
        'a, b = variables("a b"), or give the whole pattern as text.'
    )


def one_variable(value: object, used_in: str) -> str:
    """Returns the name of a value that must be one variable."""
    if isinstance(value, str):
        return value
    if isinstance(value, Pattern) and isinstance(value._tree, Variable):
        return value._tree.name
    raise refusal(
        f"{used_in} needs one variable, not {value!r}. Define one variable for several "
        "conditions, joined by |."
    )


IntoPattern = Union[str, Pattern]
"""What can be the pattern of a clause: SQL text, or a pattern built from variables."""
