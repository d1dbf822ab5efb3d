"""Pattern variables: elements of a pattern, and the rows whose columns expressions read."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, NoReturn, Union

from match_recognize.builder.columns import is_column, simple_name
from match_recognize.builder.expression import PRIMARY, Expression, Helper, Mention
from match_recognize.builder.pattern import Pattern
from match_recognize.builder.places import caller, refusal
from match_recognize.row_pattern import tree
from match_recognize.sql_text.names import quoted, quoted_variable


class Variable(Pattern):
    """A pattern variable. ``v.price`` or ``v["price"]`` is the column of its rows.

    Use ``v["times"]`` for a column that is called as a method of patterns.
    """

    _tree: tree.Variable

    def __init__(self, name: str) -> None:
        super().__init__(tree.Variable(name))

    @property
    def _name(self) -> str:
        return self._tree.name

    def __repr__(self) -> str:
        return self._name

    if not TYPE_CHECKING:

        def __getattribute__(self, name):
            value = object.__getattribute__(self, name)
            return value if name.startswith("_") else _Method(self, name, value)

    def __getattr__(self, name: str) -> Expression:
        # Notebooks, copy and pickle look for methods of such names.
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, column: object) -> Expression:
        place = caller()
        prefix = f"{quoted_variable(self._name)}."
        mention = [Mention(self._name, place)]
        given = column if is_column(column) else None
        if is_column(column):
            name = simple_name(column)
            if name is None:
                return Expression([prefix, Helper(column, place)], PRIMARY, variables=mention)
            column = name
        if not isinstance(column, str):
            raise refusal(f"{self._name}[...] needs the name of a column, not {column!r}.")
        return Expression(
            [prefix + quoted(column)],
            PRIMARY,
            variables=mention,
            columns=[Mention(column, place, given)],
        )


class _Method:
    """A method of a variable. ``a.times > 1`` means a column of that name."""

    __wrapped__: Callable[..., Pattern]

    def __init__(self, variable: Variable, name: str, function: Callable[..., Pattern]) -> None:
        update_wrapper(self, function)
        self._column = f'{variable._name}["{name}"]'

    def __call__(self, *arguments: object, **named: object) -> Pattern:
        return self.__wrapped__(*arguments, **named)

    def _is_no_column(self, *_: object) -> NoReturn:
        name = self.__wrapped__.__name__
        raise refusal(f"{name} is a method of variables. Write {self._column} for the column.")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _is_no_column
    __add__ = __sub__ = __mul__ = __truediv__ = __mod__ = __neg__ = _is_no_column
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rmod__ = _is_no_column
    __hash__ = object.__hash__


def variable(name: str) -> Variable:
    """Makes one pattern variable.

    Examples:
        >>> variable("down").price > 3
        Expression<down.price > 3>

    Args:
        name: its name; upper and lower case are alike.
    """
    if not isinstance(name, str) or not name.strip():
        raise refusal(f"A variable's name must be a text, not {name!r}.")
    return Variable(name)


def variables(*names: str) -> tuple[Variable, ...]:
    """Makes pattern variables.

    Examples:
        >>> from match_recognize import variables
        >>> variables("top down up")
        (top, down, up)
        >>> variables("top", "down")
        (top, down)

    Args:
        *names: their names: one text for each, or one text, separated by blanks or commas.
    """
    if not names or not all(isinstance(name, str) and name.strip() for name in names):
        raise refusal('variables() needs names, as in a, b = variables("a", "b").')
    words = [word for name in names for word in name.replace(",", " ").split()]
    for i, word in enumerate(words):
        if word.upper() in (other.upper() for other in words[:i]):
            raise refusal(f"The variable {word} is named twice. Upper and lower case are alike.")
    return tuple(Variable(word) for word in words)


IntoVariable = Union[str, Variable]
"""What can be a variable: itself, or its name."""
