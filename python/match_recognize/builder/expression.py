"""Expressions of conditions and measures, built by Python's operators."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn, Union, cast

from match_recognize.builder import literals
from match_recognize.builder.columns import is_column
from match_recognize.builder.names import no_method_of_expressions
from match_recognize.builder.pattern import Pattern, no_method
from match_recognize.builder.places import Place, caller, refusal
from match_recognize.builder.texts import check_text
from match_recognize.sql_text.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column
    from pyspark.sql.types import DataType

# How strongly the operators of Spark SQL bind, from the weakest on.
TEXT, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, PRIMARY = range(9)


@dataclass(frozen=True)
class Helper:
    """A column of PySpark in an expression: Spark computes it in the input of the clause."""

    column: Any
    place: Place


Piece = Union[str, Helper]


@dataclass(frozen=True)
class Mention:
    """A name in an expression, where it was written, and the column of PySpark that it was."""

    name: str
    place: Place
    column: Any = None


class Expression:
    """A condition or a measure, or a part of one.

    The operators + - * / % and the comparisons are those of SQL. Conditions are combined by
    & (AND), | (OR) and ~ (NOT), each comparison in parentheses.
    """

    def __init__(
        self,
        pieces: Iterable[Piece],
        strength: int,
        operands: Iterable[Expression] = (),
        variables: Iterable[Mention] = (),
        columns: Iterable[Mention] = (),
        call: str = "",
    ) -> None:
        parts = tuple(operands)
        self._pieces: tuple[Piece, ...] = tuple(pieces)
        self._strength = strength
        self._variables: tuple[Mention, ...] = (
            *variables,
            *(m for part in parts for m in part._variables),
        )
        self._columns: tuple[Mention, ...] = (
            *columns,
            *(m for part in parts for m in part._columns),
        )
        self._call = call
        self._place = caller()

    def __repr__(self) -> str:
        return f"Expression<{show(self)}>"

    def __str__(self) -> str:
        """Returns the expression as SQL, so that f-strings can be conditions."""
        for piece in self._pieces:
            if not isinstance(piece, str):
                raise refusal(
                    f"{piece.column} has no text in SQL. Write the condition with operators, or "
                    "use a column of a variable.",
                    piece.place,
                )
        text = "".join(map(str, self._pieces))
        return text if self._strength == PRIMARY else f"({text})"

    if not TYPE_CHECKING:

        def __call__(self, *_: object, **__: object) -> NoReturn:
            """Refuses a call."""
            raise refusal(self._not_a_function())

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(no_method_of_expressions(name, Expression))

    def _not_a_function(self) -> str:
        if len(self._pieces) == len(self._columns) == len(self._variables) == 1:
            advice = no_method(self._columns[0].name)
            return f"{show(self)} is a column, and no method of variables. {advice}"
        return f"{show(self)} is an expression, not a function. Leave out the parentheses."

    # An expression has no value in Python, so == makes SQL and the hash is that of the object.
    def __hash__(self) -> int:
        return object.__hash__(self)

    def __bool__(self) -> NoReturn:
        raise refusal(
            "A condition has no value in Python. Use & for and, | for or, ~ for not, and write "
            "a < x < b as (a < x) & (x < b), with each comparison in parentheses. For `x in "
            "list`, write x.isin(list); for `a if c else b`, write fn.if_(c, a, b)."
        )

    def __iter__(self) -> NoReturn:
        raise refusal(
            "An expression cannot be iterated. For sum(), min() and max() of Python, use sum_, "
            "min_ and max_ of match_recognize.functions. For `x in list`, write x.isin(list). A "
            'column of PySpark before an operator is written col("price") here.'
        )

    def __contains__(self, item: object) -> NoReturn:
        raise refusal("`in` has no meaning here. Use expression.isin(...).")

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compare("=", other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compare("<>", other)

    def __lt__(self, other: object) -> Expression:
        return self._compare("<", other)

    def __le__(self, other: object) -> Expression:
        return self._compare("<=", other)

    def __gt__(self, other: object) -> Expression:
        return self._compare(">", other)

    def __ge__(self, other: object) -> Expression:
        return self._compare(">=", other)

    def __add__(self, other: object) -> Expression:
        return binary(self, "+", other, SUM)

    def __radd__(self, other: object) -> Expression:
        return binary(other, "+", self, SUM)

    def __sub__(self, other: object) -> Expression:
        return binary(self, "-", other, SUM)

    def __rsub__(self, other: object) -> Expression:
        return binary(other, "-", self, SUM)

    def __mul__(self, other: object) -> Expression:
        return binary(self, "*", other, PRODUCT)

    def __rmul__(self, other: object) -> Expression:
        return binary(other, "*", self, PRODUCT)

    def __truediv__(self, other: object) -> Expression:
        return binary(self, "/", other, PRODUCT)

    def __rtruediv__(self, other: object) -> Expression:
        return binary(other, "/", self, PRODUCT)

    def __mod__(self, other: object) -> Expression:
        return binary(self, "%", other, PRODUCT)

    def __rmod__(self, other: object) -> Expression:
        return binary(other, "%", self, PRODUCT)

    def __neg__(self) -> Expression:
        # Two signs in a row would begin a comment.
        inner = operand(self)
        negative = str(inner._pieces[0]).startswith("-")
        return Expression(
            ["-", *within(inner, PRIMARY if negative else SIGN, force=negative)], SIGN, [inner]
        )

    def __abs__(self) -> Expression:
        return Expression(["ABS(", *self._pieces, ")"], PRIMARY, [self])

    def __and__(self, other: object) -> Expression:
        return binary(self, "AND", _condition("&", other), AND)

    def __rand__(self, other: object) -> Expression:
        return binary(_condition("&", other), "AND", self, AND)

    def __or__(self, other: object) -> Expression:
        return binary(self, "OR", _condition("|", other), OR)

    def __ror__(self, other: object) -> Expression:
        return binary(_condition("|", other), "OR", self, OR)

    def __invert__(self) -> Expression:
        return Expression(["NOT ", *within(self, NOT)], NOT, [self])

    def __getitem__(self, key: object) -> Expression:
        """Returns an element of an array, the value of a map's key or a field of a struct."""
        inner = operand(key)
        return Expression(
            [*within(self, PRIMARY), "[", *inner._pieces, "]"], PRIMARY, [self, inner]
        )

    def field(self, name: str) -> Expression:
        """Returns a field of a struct.

        Examples:
            >>> col("point").field("x")
            Expression<point.x>

        Args:
            name: the field.
        """
        if not isinstance(name, str):
            raise refusal(f"field() needs the name of a field, not {name!r}.")
        return Expression([*within(self, PRIMARY), f".{quoted(name)}"], PRIMARY, [self])

    def is_null(self) -> Expression:
        """``IS NULL``: whether there is no value.

        Examples:
            >>> col("x").is_null()
            Expression<x IS NULL>
        """
        return self._suffix("IS NULL")

    def is_not_null(self) -> Expression:
        """``IS NOT NULL``: whether there is a value.

        Examples:
            >>> col("x").is_not_null()
            Expression<x IS NOT NULL>
        """
        return self._suffix("IS NOT NULL")

    def eq_null_safe(self, other: object) -> Expression:
        """``<=>``: an equality for which NULL equals NULL.

        Examples:
            >>> col("x").eq_null_safe(1)
            Expression<x <=> 1>

        Args:
            other: the other side.
        """
        return binary(self, "<=>", other, COMPARISON, associative=False)

    def between(self, low: object, high: object) -> Expression:
        """``BETWEEN low AND high``, both bounds included.

        Examples:
            >>> col("x").between(1, 2)
            Expression<x BETWEEN 1 AND 2>

        Args:
            low: the lower bound.
            high: the upper bound.
        """
        bounds = [operand(low), operand(high)]
        first, second = (within(bound, SUM) for bound in bounds)
        return Expression(
            [*within(self, SUM), " BETWEEN ", *first, " AND ", *second],
            COMPARISON,
            [self, *bounds],
        )

    def isin(self, *values: object) -> Expression:
        """``IN (...)``: whether the value is one of these.

        Examples:
            >>> col("x").isin(1, 2)
            Expression<x IN (1, 2)>

        Args:
            *values: the values, or one list, tuple or set of them.
        """
        if len(values) == 1 and isinstance(values[0], (list, tuple, set, frozenset)):
            values = tuple(cast("Iterable[object]", values[0]))
        if not values:
            return Expression(["FALSE"], PRIMARY, [self])
        items = [operand(value) for value in values]
        return Expression(
            [*within(self, SUM), " IN (", *commas(items), ")"], COMPARISON, [self, *items]
        )

    def like(self, pattern: str) -> Expression:
        """``LIKE``: % stands for any characters, _ for one.

        Examples:
            >>> col("s").like("a%")
            Expression<s LIKE 'a%'>

        Args:
            pattern: the pattern.
        """
        return binary(self, "LIKE", pattern, COMPARISON, associative=False)

    def rlike(self, pattern: str) -> Expression:
        """``RLIKE``: whether a regular expression of Java matches a part of the text.

        Examples:
            >>> col("s").rlike("^a")
            Expression<s RLIKE '^a'>

        Args:
            pattern: the regular expression.
        """
        return binary(self, "RLIKE", pattern, COMPARISON, associative=False)

    def cast(self, to: str | DataType) -> Expression:
        """``CAST(... AS type)``: the value as another type.

        Examples:
            >>> col("x").cast("string")
            Expression<CAST(x AS string)>

        Args:
            to: the type's name in SQL, or a DataType of PySpark.
        """
        if not isinstance(to, str) and (isinstance(to, type) or not hasattr(to, "simpleString")):
            raise refusal(f'cast() needs the name of a type, such as "int", not {to!r}.')
        name = to if isinstance(to, str) else to.simpleString()
        return Expression(["CAST(", *self._pieces, f" AS {name})"], PRIMARY, [self])

    def filter(self, condition: object) -> Expression:
        """``FILTER (WHERE condition)`` after an aggregate.

        Examples:
            >>> count().filter(col("x") > 1)
            Expression<COUNT(*) FILTER (WHERE x > 1)>

        Args:
            condition: which rows the aggregate reads.
        """
        if not self._call:
            raise refusal(".filter() is for aggregates, such as count(a).filter(...).")
        inner = condition_of(condition)
        return Expression(
            [*self._pieces, " FILTER (WHERE ", *inner._pieces, ")"],
            PRIMARY,
            [self, inner],
            call=self._call,
        )

    def _compare(self, operator: str, other: object) -> Expression:
        if literals.plain(other) is None:
            test = ".is_not_null()" if operator == "<>" else ".is_null()"
            raise refusal(f"A comparison with None is never true in SQL. Use {test}.")
        return binary(self, operator, other, COMPARISON, associative=False)

    def _suffix(self, words: str) -> Expression:
        return Expression([*within(self, SUM), f" {words}"], COMPARISON, [self])


def binary(
    left: object, operator: str, right: object, strength: int, associative: bool = True
) -> Expression:
    """Joins two operands by an operator, in parentheses where they bind less strongly.

    An associative operator needs none in ``a op b op c``.
    """
    operands = [operand(left), operand(right)]
    # Only AND and OR give the same value in either grouping.
    rightmost = strength if strength in (AND, OR) else strength + 1
    first = within(operands[0], strength if associative else strength + 1)
    return Expression(
        [*first, f" {operator} ", *within(operands[1], rightmost)], strength, operands
    )


def operand(value: object) -> Expression:
    """Returns a value of Python as an expression."""
    if isinstance(value, Expression):
        return value
    if is_column(value):
        return Expression([Helper(value, caller())], PRIMARY)
    if literals.is_literal(value):
        text = literals.literal(value)
        return Expression([text], SIGN if text.startswith("-") else PRIMARY)
    if isinstance(value, Pattern):
        raise refusal(
            f"{value!r} is a pattern, not a value. Name a column of a variable, such as a.price."
        )
    hint = " Call the method." if callable(value) else ""
    raise refusal(
        f"A value of type {type(value).__name__} is no expression: {value!r}.{hint} Use a column "
        "of a variable (a.price), a function of match_recognize.functions, a column of PySpark, "
        "or a value."
    )


def condition_of(value: object) -> Expression:
    """Returns a condition or measure as it is given: text is SQL here, not a literal."""
    if isinstance(value, str):
        if not value.strip():
            raise refusal("An expression is empty. Write SQL text, such as 'price > 10'.")
        check_text(value, "The text", commas=True)
        # A comment at the end of the text must not hide what follows.
        text = value.strip() + ("\n" if "--" in value else "")
        return Expression([text], TEXT)
    return operand(value)


def within(inner: Expression, strength: int, force: bool = False) -> list[Piece]:
    """Returns the pieces of an operand, in parentheses if it binds less strongly than needed."""
    if force or inner._strength < strength:
        return ["(", *inner._pieces, ")"]
    return list(inner._pieces)


def commas(items: Iterable[Expression]) -> list[Piece]:
    """Returns the pieces of a list of arguments."""
    pieces: list[Piece] = []
    for item in items:
        pieces += [", ", *item._pieces] if pieces else item._pieces
    return pieces


def show(expression: Expression) -> str:
    """Returns an expression as SQL for a reader, columns of PySpark as they print."""
    return "".join(p if isinstance(p, str) else str(p.column) for p in expression._pieces)


def _condition(operator: str, value: object) -> object:
    """Refuses a number beside & or |: Python applies them before the comparisons."""
    if isinstance(value, Expression) or is_column(value):
        return value
    plain = literals.plain(value)
    if isinstance(plain, bool) or plain is None:
        return plain
    raise refusal(
        f"{operator} joins two conditions, and {value!r} is none. Put each comparison in "
        f"parentheses, as in (a > 1) {operator} (b < 2)."
    )


IntoExpr = Union[
    Expression,
    "Column",
    None,
    bool,
    int,
    float,
    Decimal,
    str,
    bytes,
    datetime.date,
    datetime.timedelta,
]
"""What can be an expression. Text is SQL as a condition, a measure or a key, and a literal beside
an operator."""
