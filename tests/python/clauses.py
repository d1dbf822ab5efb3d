"""Takes clauses of SQL text apart and builds them again with match_recognize.match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from match_recognize import functions as mf
from match_recognize import match, variable
from match_recognize.builder import Match
from match_recognize.builder.pattern import Pattern

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
    if not SOURCE.fullmatch(source) or re.search(r"\bJOIN\b|\bFROM\b.*\bFROM\b", source, re.I):
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
    pattern = parts.pop("PATTERN")
    built = built.pattern(PatternReader(pattern[1:-1]).read())
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
    if said.endswith("SHOW TIMEOUT MATCHES"):
        built = built.show_timeout_matches()
        said = said[: -len("SHOW TIMEOUT MATCHES")].strip()
    if one is not None:
        return built.one_row_per_match()
    if all_ is not None:
        return built.all_rows_per_match(
            **({said.lower().replace(" ", "_"): True} if said else {})
        )
    return built


def skip(built: Match, text: str) -> Match:
    """Where the search goes on."""
    words = text.split()
    said = " ".join(words).upper()
    if said == "NO SKIP":
        return built.after_match_no_skip()
    if said == "SKIP PAST LAST ROW":
        return built.after_match_skip_past_last_row()
    if said == "SKIP TO NEXT ROW":
        return built.after_match_skip_to_next_row()
    if said.startswith("SKIP TO FIRST "):
        return built.after_match_skip_to_first(words[-1])
    if re.fullmatch(r"SKIP TO (LAST )?\w+", said):
        return built.after_match_skip_to_last(words[-1])
    raise NotExpressibleError("skip")


TOKEN = re.compile(r"\s*(\{-|-\}|\[\^|\{[\d,\s]*\}|\w+|`[^`]*`|[()|,^$*+?{}\]])\s*")


class PatternReader:
    """Reads a row pattern of SQL into one of Python."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        position = 0
        text = text.strip()
        while position < len(text):
            token = TOKEN.match(text, position)
            if token is None:
                raise NotExpressibleError("pattern")
            self.tokens.append(token[1])
            position = token.end()

    def read(self) -> Pattern:
        pattern = self.alternatives()
        assert not self.tokens
        return pattern

    def ahead(self, token: str) -> bool:
        return bool(self.tokens) and self.tokens[0] == token

    def take(self, token: str) -> bool:
        return bool(self.ahead(token) and self.tokens.pop(0))

    def alternatives(self) -> Pattern:
        pattern = self.sequence()
        while self.take("|"):
            pattern = pattern | self.sequence()
        return pattern

    def sequence(self) -> Pattern:
        pattern = self.element()
        while self.tokens and self.tokens[0] not in (")", "|", ",", "-}"):
            pattern = pattern + self.element()
        return pattern

    def element(self) -> Pattern:
        pattern = self.primary()
        bounds = self.bounds()
        if bounds is None:
            return pattern
        low, high = bounds
        loop = pattern.at_least(low) if high is None else pattern.times(low, high)
        marks = 0
        while self.take("?"):
            marks += 1
        if marks >= 2:
            loop = loop.loose()
        if marks % 2:
            loop = loop.reluctant()
        if self.take("{"):
            loop = loop.until(self.tokens.pop(0))
            self.take("}")
        return loop

    def bounds(self) -> tuple[int, int | None] | None:
        simple = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        for sign, limits in simple.items():
            if self.take(sign):
                return limits
        if not self.tokens or not re.fullmatch(r"\{[\d,\s]*\}", self.tokens[0]):
            return None
        low, comma, high = self.tokens.pop(0)[1:-1].replace(" ", "").partition(",")
        return int(low or 0), int(high) if high else None if comma else int(low)

    def primary(self) -> Pattern:
        token = self.tokens.pop(0)
        if token in ("^", "$"):
            return mf.start() if token == "^" else mf.end()
        if token == "{-":
            inner = self.alternatives()
            assert self.take("-}")
            return mf.exclude(inner)
        if token == "[^":
            absent = mf.absent(self.tokens.pop(0))
            assert self.take("]")
            return absent
        if token == "(" and self.take(")"):
            return mf.empty()
        if token == "(":
            inner = self.alternatives()
            assert self.take(")")
            return inner
        if token.upper() == "PERMUTE" and self.take("("):
            parts = [self.alternatives()]
            while self.take(","):
                parts.append(self.alternatives())
            assert self.take(")")
            return mf.permute(*parts)
        if token.startswith("`") or not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise NotExpressibleError("quoted variable")
        return variable(token)
