"""Columns of PySpark as parts of a clause."""

from __future__ import annotations

import re
from typing import Any

#: A node of Spark 4 that holds an expression of Catalyst.
WRAPPED = "ExpressionColumnNode"


def is_column(value: object) -> bool:
    """Whether a value is a column of PySpark, classic or Connect."""
    kind = type(value)
    return kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "Column"


def simple_name(column: Any) -> str | None:
    """Returns the name of a column that is nothing but a name; None for an expression."""
    expression = _connect(column)
    if expression is not None:
        if type(expression).__name__ != "ColumnReference":
            return None
        return _one_part(str(getattr(expression, "_unparsed_identifier", "")))
    return _attribute(_root(column._jc), str(column._jc.toString()))


def alias(column: Any) -> str | None:
    """Returns the name that ``alias`` has given a column; None for other columns."""
    expression = _connect(column)
    if expression is not None:
        names: Any = getattr(expression, "_alias", None)
        return str(names[0]) if type(expression).__name__ == "ColumnAlias" else None
    node = _root(column._jc)
    if _kind(node) == WRAPPED:
        node = node.expression()
    if _kind(node) != "Alias":
        return None
    name = node.name()
    # A node of Spark 4 has the names of all columns that an expression returns.
    return name if isinstance(name, str) else str(name.head())


def sort_key(column: Any) -> tuple[str | None, str] | None:
    """Returns the name and the direction of a sort order; None for other columns.

    The name is None if the order is not over a plain column.
    """
    text = printed(column)
    found = re.fullmatch(r"(.*) ((?:ASC|DESC) NULLS (?:FIRST|LAST))", text, re.DOTALL)
    expression = _connect(column)
    if expression is not None:
        if type(expression).__name__ != "SortOrder" or not found:
            return None
        child: Any = getattr(expression, "_child", None)
        plain = type(child).__name__ == "ColumnReference"
        return (_one_part(found[1]) if plain else None), found[2]
    root = _root(column._jc)
    if _kind(root) != "SortOrder" or not found:
        return None
    return _attribute(root.child(), found[1]), found[2]


def _connect(column: Any) -> Any:
    """Returns the expression of a column of Connect; None for a classic one."""
    # A column answers to every attribute, so _expr is looked up in what it holds.
    return column.__dict__.get("_expr")


def printed(column: Any) -> str:
    """Returns a column as PySpark prints it, without ``Column<'...'>``."""
    text = str(column)
    return text[len("Column<'") : -len("'>")] if text.startswith("Column<'") else text


def _root(column: Any) -> Any:
    # py4j raises for a method that is not there, in whatever way it does.
    try:
        return column.node()
    except Exception:
        # Spark 3.5 has no nodes of its own for columns.
        return column.expr()


def _kind(node: Any) -> str:
    return str(node.getClass().getSimpleName())


def _attribute(node: Any, text: str) -> str | None:
    """Returns the name of an attribute, which is printed as text; None for anything else."""
    if _kind(node) == WRAPPED:
        node = node.expression()
    if _kind(node) == "AttributeReference":
        # Its text has the table's alias before the name.
        return str(node.name())
    return _one_part(text) if _kind(node) == "UnresolvedAttribute" else None


def _one_part(name: str) -> str | None:
    if re.fullmatch(r"`(?:[^`]|``)+`", name):
        return name[1:-1].replace("``", "`")
    return None if "." in name or "`" in name or not name else name
