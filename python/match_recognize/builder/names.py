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
