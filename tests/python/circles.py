"""Circles among the files of a language, for the tests of what may import what."""

from __future__ import annotations


def circles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """The largest sets of files in which each depends on each, directly or through others."""

    def reached(file: str) -> set[str]:
        found: set[str] = set()
        pending = [file]
        while pending:
            new = graph[pending.pop()] - found
            found |= new
            pending += new
        return found

    below = {file: reached(file) for file in graph}
    return {
        frozenset(other for other in below[file] if file in below[other])
        for file in graph
        if file in below[file]
    }
