"""Takes clauses of SQL text apart and builds them again with match_recognize.match."""

from __future__ import annotations

import functools
import operator
import re
from dataclasses import dataclass
from typing import Any

from match_recognize import functions as mf
from match_recognize import match, variable
from match_recognize.builder import Match
from match_recognize.builder.pattern import Pattern
from match_recognize.row_pattern import tree
from match_recognize.row_pattern.reader import read_pattern

PARTS = re.compile(
    r"PARTITION\s+BY\b|ORDER\s+BY\b|MEASURES\b|ONE\s+ROW\s+PER\s+MATCH\b"
    r"|ALL\s+ROWS\s+PER\s+MATCH\b|AFTER\s+MATCH\b|PATTERN\s*(?=\()|WITHIN\b|SUBSET\b|DEFINE\b",
    re.IGNORECASE,
)
#: What passes over parentheses and commas within it.
SKIPPED = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/", re.S
)
#: A table, or VALUES or a subquery with an alias, and nothing joined to it.
SOURCE = re.compile(r"[\w.]+|VALUES\b.*|\(.*\)(?:\s+AS\s+\w+)?", re.S | re.I)


class NotExpressibleError(Exception):
    """The builder has no such form, or this reader does not know it."""


@dataclass(frozen=True)
class ReadClause:
    """The input of a clause, its body, and the parts of the body."""

    source: str
    body: str
    parts: dict[str, str]


def read(statement: str) -> ReadClause:
    """Finds the one clause of a statement."""
    # Comments could hide what is written after them on one line.
    text = re.sub(r"--[^\n]*", "", statement).strip()
    found = re.search(r"\bFROM\s+(.*?)\s*\bMATCH_RECOGNIZE\s*\(", text, re.S | re.I)
    if not found or len(re.findall(r"\bMATCH_RECOGNIZE\s*\(", text, re.I)) != 1:
        raise NotExpressibleError("not one clause")
    source = found[1]
    # A subquery around the clause begins before its input.
    whole = source.count("(") == source.count(")")
    if (
        not whole
        or not SOURCE.fullmatch(source)
        or re.search(r"\bJOIN\b|\bFROM\b.*\bFROM\b", source, re.I)
    ):
        raise NotExpressibleError("source")
    body = text[found.end() : closing(text, found.end())]
    return ReadClause(source, body, split(body))


def closing(text: str, position: int) -> int:
    """Where the parenthesis closes that is open at a position."""
    depth = 1
    while depth:
        skipped = SKIPPED.match(text, position)
        if skipped:
            position = skipped.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position - 1


def top_level(text: str) -> list[int]:
    """The positions that are in no parentheses, braces or strings."""
    positions, depth, i = [], 0, 0
    while i < len(text):
        skipped = SKIPPED.match(text, i)
        if skipped:
            i = skipped.end()
            continue
        if text[i] in ")]}":
            depth -= 1
        if depth == 0:
            positions.append(i)
        if text[i] in "([{":
            depth += 1
        i += 1
    return positions


def split(body: str) -> dict[str, str]:
    """The parts of a clause by their first words."""
    starts = []
    for i in top_level(body):
        word = PARTS.match(body, i)
        if word and (i == 0 or not (body[i - 1].isalnum() or body[i - 1] in "_.")):
            starts.append(word)
    parts = {}
    for word, after in zip(starts, [*starts[1:], None]):
        name = " ".join(word[0].upper().split())
        if name in parts:
            raise NotExpressibleError("a part twice")
        parts[name] = body[word.end() : after.start() if after else len(body)].strip()
    return parts


def entries(text: str) -> list[str]:
    """The entries of a list, separated by commas."""
    commas = [i for i in top_level(text) if text[i] == ","]
    return [
        text[i:j].strip() for i, j in zip([0, *(c + 1 for c in commas)], [*commas, len(text)])
    ]


def build(frame: Any, clause: ReadClause) -> Match:
    """Builds a clause that was read, its pattern from variables."""
    built = match(frame)
    parts = dict(clause.parts)
    for part in ("PARTITION BY", "ORDER BY"):
        if "." in parts.get(part, ""):
            raise NotExpressibleError("the input's alias")
    if "PARTITION BY" in parts:
        built = built.partition_by(*entries(parts.pop("PARTITION BY")))
    if "ORDER BY" in parts:
        built = built.order_by(*entries(parts.pop("ORDER BY")))
    if "MEASURES" in parts:
        measures = {}
        for entry in entries(parts.pop("MEASURES")):
            named = re.fullmatch(r"(.*\S)\s+AS\s+(\w+)", entry, re.S | re.I)
            if not named:
                raise NotExpressibleError("a measure")
            measures[named[2]] = named[1]
        built = built.measures(measures)
    built = rows(built, parts)
    if "AFTER MATCH" in parts:
        built = skip(built, parts.pop("AFTER MATCH"))
    pattern = parts.pop("PATTERN")[1:-1]
    if "`" in pattern:
        # CLASSIFIER() keeps the lower case of a quoted name.
        raise NotExpressibleError("quoted variable")
    words = set(re.findall(r"\w+", pattern))
    if len({word.upper() for word in words}) < len(words):
        # Two variables in a session that tells upper from lower case; one for the reader.
        raise NotExpressibleError("names that differ in case")
    built = built.pattern(of_tree(read_pattern(pattern)))
    if "WITHIN" in parts:
        built = built.within(parts.pop("WITHIN"))
    for entry in entries(parts.pop("SUBSET", "")):
        if entry:
            name, names = re.fullmatch(r"(\w+)\s*=\s*\((.*)\)", entry, re.S).groups()  # type: ignore[union-attr]
            built = built.subset({name: names})
    for entry in entries(parts.pop("DEFINE", "")):
        if entry:
            name, condition = re.fullmatch(r"(\w+)\s+AS\s+(.*)", entry, re.S | re.I).groups()  # type: ignore[union-attr]
            built = built.define({name: condition})
    assert not parts
    return built


def rows(built: Match, parts: dict[str, str]) -> Match:
    """The rows per match."""
    one, all_ = (parts.pop(f"{words} PER MATCH", None) for words in ("ONE ROW", "ALL ROWS"))
    said = " ".join((one or all_ or "").upper().split())
    timeouts = said.endswith("SHOW TIMEOUT MATCHES")
    if all_ is not None:
        return built.rows(
            "all",
            empty="omit" if "OMIT EMPTY" in said else "show",
            unmatched="UNMATCHED" in said,
            timeouts=timeouts,
        )
    return built if one is None else built.rows("one", timeouts=timeouts)


def skip(built: Match, text: str) -> Match:
    """Where the search goes on."""
    words = text.split()
    said = " ".join(words).upper()
    if said == "NO SKIP":
        return built.after_match("no skip")
    if said == "SKIP PAST LAST ROW":
        return built.after_match("past last row")
    if said == "SKIP TO NEXT ROW":
        return built.after_match("next row")
    if said.startswith("SKIP TO FIRST "):
        return built.after_match("first", words[-1])
    if re.fullmatch(r"SKIP TO (LAST )?\w+", said):
        return built.after_match("last", words[-1])
    raise NotExpressibleError("skip")


def of_tree(pattern: tree.RowPattern) -> Pattern:
    """Builds a pattern by the methods of the builder."""
    if isinstance(pattern, tree.Variable):
        return variable(pattern.name)
    if isinstance(pattern, tree.Sequence):
        return functools.reduce(operator.add, map(of_tree, pattern.elements))
    if isinstance(pattern, tree.Alternation):
        return functools.reduce(operator.or_, map(of_tree, pattern.elements))
    if isinstance(pattern, tree.Permutation):
        return mf.permute(*map(of_tree, pattern.elements))
    if isinstance(pattern, tree.Exclusion):
        return mf.exclude(of_tree(pattern.element))
    if isinstance(pattern, tree.Absence):
        return mf.absent(pattern.name)
    if isinstance(pattern, tree.Anchor):
        return mf.end() if pattern.at_end else mf.start()
    return loop(pattern) if isinstance(pattern, tree.Loop) else mf.empty()


def loop(pattern: tree.Loop) -> Pattern:
    """Builds a loop by the methods of the builder."""
    body, low, high = of_tree(pattern.element), pattern.lower, pattern.upper
    if not isinstance(low, int) or isinstance(high, str):
        raise NotExpressibleError("a parameter as a bound")
    made = body.at_least(low) if high is None else body.times(low, high)
    if pattern.loose:
        made = made.loose()
    if not pattern.greedy:
        made = made.reluctant()
    return made.until(pattern.stop) if pattern.stop else made


def pattern(text: str) -> str:
    """A pattern as the builder writes it."""
    return repr(of_tree(read_pattern(text)))
