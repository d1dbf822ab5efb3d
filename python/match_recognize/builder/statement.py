"""The SQL statement of a clause, and which of its lines came from which line of Python."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from match_recognize.builder.clause import Clause, Entry
from match_recognize.builder.expression import Expression, Helper
from match_recognize.builder.places import Place
from match_recognize.sql_text.names import quoted, quoted_variable
from match_recognize.sql_text.underlined import underlined

#: "line 7, pos 4", "line 7 pos 4" and "line 7, position 5", by the kind of error of Spark.
LINE = re.compile(r"\bline (\d+),? pos(?:ition)? (\d+)")


@dataclass(frozen=True)
class Part:
    """A part of the statement: its lines, what it is, and where it was written in Python."""

    first: int
    last: int
    label: str
    place: Place


@dataclass
class Statement:
    """A statement, its parts, and the columns that Spark computes in the input."""

    lines: list[str] = field(default_factory=list[str])
    parts: list[Part] = field(default_factory=list[Part])
    helpers: dict[str, Helper] = field(default_factory=dict[str, Helper])

    @property
    def text(self) -> str:
        """The SQL text."""
        return "\n".join(self.lines)

    def part_at(self, line: int) -> Part | None:
        """Returns the part that a line of the text belongs to. Lines count from 1."""
        return next((part for part in self.parts if part.first <= line <= part.last), None)

    def add(self, text: str, label: str = "", place: Place | None = None) -> None:
        """Adds lines."""
        first = len(self.lines) + 1
        self.lines += text.split("\n")
        if place is not None:
            self.parts.append(Part(first, len(self.lines), label, place))

    def sql_of(self, expression: Expression) -> str:
        """Returns an expression as SQL, columns of PySpark by the names of their helpers."""
        pieces = expression._pieces
        return "".join(p if isinstance(p, str) else self._name_of(p) for p in pieces)

    def _name_of(self, helper: Helper) -> str:
        for name, known in self.helpers.items():
            if known.column is helper.column:
                return name
        name = f"__mr_{len(self.helpers) + 1}"
        self.helpers[name] = helper
        return name


def statement(clause: Clause, source: str) -> Statement:
    """Writes a clause over a source as SQL, one entry per line."""
    made = Statement()
    made.add(f"SELECT *\nFROM {source} MATCH_RECOGNIZE (")
    _keys(made, "PARTITION BY", clause.partition_by)
    _keys(made, "ORDER BY", clause.order_by)
    _entries(
        made,
        "MEASURES",
        ((e, f"{made.sql_of(e.value)} AS {quoted(e.name)}") for e in clause.measures),
    )
    if clause.rows:
        made.add(f"  {clause.rows.words}", clause.rows.words, clause.rows.place)
    if clause.skip:
        target = f" {quoted_variable(clause.skip.variable)}" if clause.skip.variable else ""
        made.add(f"  AFTER MATCH {clause.skip.words}{target}", "AFTER MATCH", clause.skip.place)
    if clause.pattern:
        text = _closed(clause.pattern.text)
        made.add(f"  PATTERN ({text})", "PATTERN", clause.pattern.place)
    if clause.within:
        made.add(f"  WITHIN {made.sql_of(clause.within.value)}", "WITHIN", clause.within.place)
    for i, subset in enumerate(clause.subsets):
        names = ", ".join(quoted_variable(name) for name in subset.variables)
        word = "  SUBSET" if i == 0 else "        "
        comma = "," if i + 1 < len(clause.subsets) else ""
        made.add(
            f"{word} {quoted_variable(subset.name)} = ({names}){comma}",
            f"SUBSET {subset.name}",
            subset.place,
        )
    _entries(
        made,
        "DEFINE",
        ((e, f"{quoted_variable(e.name)} AS {made.sql_of(e.value)}") for e in clause.define),
    )
    made.add(")")
    return made


def _keys(made: Statement, words: str, keys: tuple[Entry, ...]) -> None:
    for i, key in enumerate(keys):
        name = f" AS {quoted(key.name)}" if key.name else ""
        comma = "," if i + 1 < len(keys) else ""
        start = f"  {words} " if i == 0 else " " * (len(words) + 3)
        made.add(f"{start}{made.sql_of(key.value)}{name}{comma}", words, key.place)


def _entries(made: Statement, words: str, entries: Iterable[tuple[Entry, str]]) -> None:
    label = "measure" if words == "MEASURES" else "condition of"
    listed = list(entries)
    if listed:
        made.add(f"  {words}")
    for i, (entry, text) in enumerate(listed):
        comma = "," if i + 1 < len(listed) else ""
        made.add(f"    {text}{comma}", f"{label} {entry.name}", entry.place)


def _closed(text: str) -> str:
    """A comment at the end of a text must not hide the closing parenthesis."""
    return text + ("\n" if "--" in text else "")


def explain(error: Exception, statement: Statement) -> None:
    """Adds the Python line to an error of Spark, which stays what it is."""
    found = LINE.search(str(error))
    part = statement.part_at(int(found[1])) if found else None
    if found and part is not None:
        line = ""
        if "== SQL" not in str(error):
            # The analyzer of Spark names a place in a text that the user does not see.
            line = underlined(statement.text, int(found[1]), int(found[2]))
        _append(error, f"{line}\n\nThe {part.label} was written here:\n  {part.place}")


def _append(error: Any, text: str) -> None:
    # Errors of classic sessions print _desc, before Spark 4.0 desc; those of Connect and of
    # PySpark itself print _message or message. The arguments are for all others.
    for name in ("_desc", "desc", "_message", "message"):
        value = getattr(error, name, None)
        if isinstance(value, str):
            setattr(error, name, value.rstrip("\n") + text)
    if error.args and isinstance(error.args[0], str):
        error.args = (error.args[0] + text, *error.args[1:])
