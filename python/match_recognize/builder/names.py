"""What a misspelled name was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def find(name: str, names: Iterable[str]) -> str | None:
    """Returns the name that is equal to a name but for upper and lower case; None without one."""
    return next((other for other in names if other.lower() == name.lower()), None)


def suggestion(name: str, names: Iterable[str]) -> str:
    """Returns "Did you mean x?" for a misspelled name, or the list of all names."""
    there = list(names)
    lower = {other.lower(): other for other in reversed(there)}
    near = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    if near:
        return f"Did you mean {lower[near[0]]}?"
    return f"There are: {', '.join(there)}." if there else "There are none."


def no_attribute(name: str, kind: type, of: str, otherwise: str) -> str:
    """Returns what to say of an attribute that an object of this package does not have.

    If no method has a similar name, it is `otherwise`.
    """
    if name.startswith("_"):
        return name
    methods = [method for method in dir(kind) if not method.startswith("_")]
    near = difflib.get_close_matches(name.lower(), methods, n=1, cutoff=0.7)
    return f"{of} has no {name}. " + (f"Did you mean {near[0]}?" if near else otherwise)


#: What other libraries have as methods, and the functions that they are here.
FUNCTIONS = {
    **dict.fromkeys(("prev", "lag", "shift"), "prev"),
    **dict.fromkeys(("next", "lead"), "next_"),
    **{name: name for name in ("avg", "collect_list", "count", "first", "last")},
    **{name: f"{name}_" for name in ("max", "min", "sum")},
    "mean": "avg",
}


def no_method_of_expressions(name: str, kind: type) -> str:
    """Returns what to write in the place of an attribute that expressions do not have."""
    if name in FUNCTIONS:
        call = f"{FUNCTIONS[name]}(a.x)"
        return f"An expression has no {name}. Write {call}, of match_recognize.functions."
    advice = (
        f"For a function of Spark SQL, write fn.{name}(...); for a field of a struct, "
        f'.field("{name}").'
    )
    if name in ("alias", "name"):
        advice = "The names of columns are arguments, as in measures(name=...)."
    return no_attribute(name, kind, "An expression", advice)
