"""Pattern variables: elements of a pattern, and the rows whose columns expressions read."""

from __future__ import annotations

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


def variable(name: str) -> Variable:
    """Makes one pattern variable.

    Args:
        name: its name; upper and lower case are alike.
    """
    if not isinstance(name, str) or not name.strip():
        raise refusal(f"A variable's name must be a text, not {name!r}.")
    return Variable(name)


def variables(names: str) -> tuple[Variable, ...]:
    """Makes pattern variables.

    ::

        top, down, up = variables("top down up")

    Args:
        names: their names, separated by blanks or commas.
    """
    if not isinstance(names, str) or not names.strip():
        raise refusal('Write the names in one text, as in a, b = variables("a b").')
    words = names.replace(",", " ").split()
    for i, word in enumerate(words):
        if word.upper() in (other.upper() for other in words[:i]):
            raise refusal(f"The variable {word} is named twice. Upper and lower case are alike.")
    return tuple(Variable(word) for word in words)
