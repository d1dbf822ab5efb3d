"""Reads the golden files of tests/sql; the format is described in tests/sql/README.md."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

DIRECTIVE = re.compile(
    r"--\s*(?:(case|why|conf|spark|error|underlines|says)\s*:\s*(.*?)|(ordered|script)|(expect)\s*:)\s*$"
)
ROW = re.compile(r"--\s*(\|.*\|)\s*$")
BAR = re.compile(r"(?<!\\)((?:\\\\)*)\|")


Version = tuple[int, int]


def version(text: str) -> Version:
    """``4.1`` or ``4.1.4`` as (4, 1)."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@dataclass(frozen=True)
class Sparks:
    """The Spark versions that a case is for, and why not for the others."""

    first: Version = (0, 0)
    last: Version = (99, 0)
    reason: str = ""

    def __contains__(self, running: object) -> bool:
        assert isinstance(running, tuple)
        return self.first <= running <= self.last


# `4.1+, reason`, `3.5, reason` or `3.5-4.0, reason`: as the folders scala-spark-* are named.
SPARKS = re.compile(r"(\d+\.\d+)(\+|-(\d+\.\d+))?,\s*(\S.*)")


def sparks(text: str) -> Sparks | None:
    """What a ``-- spark:`` line says; None where it says no versions, or no reason."""
    said = SPARKS.fullmatch(text)
    if not said:
        return None
    first = version(said[1])
    last = Sparks.last if said[2] == "+" else version(said[3] or said[1])
    return Sparks(first, last, said[4])


@dataclass(frozen=True)
class Column:
    """A column of an expected answer; ``type`` is None where it is not checked."""

    name: str
    type: str | None


@dataclass(frozen=True)
class Answer:
    """The table that a query must give."""

    columns: list[Column]
    rows: list[list[str]]


@dataclass
class Refusal:
    """The error that a statement must give."""

    condition: str
    sql_state: str | None
    underlines: str | None = None
    says: list[str] = field(default_factory=list)


@dataclass
class Case:
    """One named case; ``line`` is where it starts, for the reader of a failure."""

    name: str
    line: int
    why: str = ""
    conf: dict[str, str] = field(default_factory=dict)
    sparks: Sparks = Sparks()
    ordered: bool = False
    script: bool = False
    sql: list[str] = field(default_factory=list)
    answer: Answer | None = None
    refusal: Refusal | None = None

    def statements(self) -> list[str]:
        """What to run; the last one gives the answer."""
        return ["\n".join(self.sql)] if self.script else split_statements(self.sql)


@dataclass
class GoldenFile:
    """A file: what sets it up, and its cases."""

    path: Path
    setup: list[str]
    conf: dict[str, str]
    sparks: Sparks
    cases: list[Case]


class GoldenFormatError(Exception):
    """A golden file that does not follow the format."""


def split_statements(lines: list[str]) -> list[str]:
    """Cuts lines of SQL into statements, each without its final semicolon."""
    statements: list[str] = []
    current: list[str] = []
    for line in lines:
        if line.rstrip().endswith(";") and not line.lstrip().startswith("--"):
            current.append(line.rstrip()[:-1])
            statements.append("\n".join(current))
            current = []
        else:
            current.append(line)
    # What follows the last semicolon counts if it is more than comments.
    if any(line.strip() and not line.lstrip().startswith("--") for line in current):
        statements.append("\n".join(current))
    return [statement.strip("\n") for statement in statements]


def cells(line: str) -> list[str]:
    """The cells of a table's line ``| a | b |``, escapes still in them."""
    marked = BAR.sub(lambda bar: bar.group(1) + "\0", line)
    return [cell.strip() for cell in marked.split("\0")[1:-1]]


def show(value: str | None) -> str:
    """A value, cast to string by Spark, as a golden file writes it."""
    if value is None:
        return "NULL"
    if value in ("", "NULL") or value != value.strip():
        value = f"'{value}'"
    return value.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")


def column(cell: str) -> Column:
    """A cell of the header: a name, or ``name : type``."""
    name, colon, type_name = cell.rpartition(" : ")
    return Column(name.strip(), type_name.strip()) if colon else Column(cell, None)


class _Reader:
    """Reads one file line by line; ``case`` is the open one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.preamble: list[str] = []
        self.conf: dict[str, str] = {}
        self.sparks = Sparks()
        self.cases: list[Case] = []
        self.case: Case | None = None
        self.table: list[list[str]] | None = None
        self.in_why = False

    def read(self) -> GoldenFile:
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            self._line(number, line)
        self._close()
        return GoldenFile(
            self.path, split_statements(self.preamble), self.conf, self.sparks, self.cases
        )

    def _fail(self, line: int, reason: str) -> GoldenFormatError:
        return GoldenFormatError(f"{self.path}:{line}: {reason}")

    def _line(self, number: int, line: str) -> None:
        directive = DIRECTIVE.match(line)
        row = ROW.match(line)
        if directive:
            word = directive[1] or directive[3] or directive[4]
            self.in_why = word == "why"
            self._directive(number, word, directive[2] or "")
        elif self.table is not None and row:
            self.table.append(cells(row[1]))
        elif self.in_why and line.startswith("--"):
            assert self.case
            self.case.why += " " + line[2:].strip()
        else:
            self.in_why = False
            self._sql(number, line)

    def _sql(self, number: int, line: str) -> None:
        if self.case is None:
            self.preamble.append(line)
        elif self.table is None and self.case.refusal is None:
            self.case.sql.append(line)
        elif line.strip() and not line.startswith("--"):
            raise self._fail(number, "SQL after the answer of a case: a `-- case:` is missing")

    def _directive(self, number: int, word: str, text: str) -> None:
        if word == "case":
            self._close()
            self.case = Case(text.split("[")[0].strip(), number)
        elif word == "conf":
            key, equals, value = text.partition("=")
            if not equals:
                raise self._fail(number, "write -- conf: key=value")
            (self.case or self).conf[key.strip()] = value.strip()
        elif word == "spark":
            said = sparks(text)
            if said is None:
                raise self._fail(number, "write -- spark: 4.1+, and the reason")
            (self.case or self).sparks = said
        elif self.case is None:
            raise self._fail(number, f"-- {word} before the first -- case:")
        elif word == "why":
            self.case.why = text
        elif word == "ordered":
            self.case.ordered = True
        elif word == "script":
            self.case.script = True
        elif word == "expect":
            self.table = []
        elif word == "error":
            condition, _, state = text.partition("[")
            self.case.refusal = Refusal(condition.strip(), state.strip(" ]") or None)
        elif self.case.refusal is None:
            raise self._fail(number, f"-- {word}: without -- error:")
        elif word == "underlines":
            self.case.refusal.underlines = text
        else:
            self.case.refusal.says.append(text)

    def _close(self) -> None:
        """Checks the open case and files it."""
        case = self.case
        if case is None:
            return
        if not case.statements():
            raise self._fail(case.line, f"case {case.name} has no SQL")
        if (self.table is None) == (case.refusal is None):
            raise self._fail(case.line, f"case {case.name}: one of -- expect: and -- error:")
        if self.table is not None:
            if not self.table or any(len(row) != len(self.table[0]) for row in self.table):
                raise self._fail(case.line, f"case {case.name}: rows of different width")
            case.answer = Answer([column(cell) for cell in self.table[0]], self.table[1:])
        if any(other.name == case.name for other in self.cases):
            raise self._fail(case.line, f"a second case named {case.name}")
        self.cases.append(case)
        self.case = self.table = None


def read(path: Path) -> GoldenFile:
    """Reads a golden file.

    Raises:
        GoldenFormatError: it does not follow the format; the message names file and line.
    """
    return _Reader(path).read()


def underlined(message: str) -> list[tuple[str, bool]]:
    """The text above the carets of an error message.

    Gives, for each line of carets, the text above it from the first caret on, cut where the
    carets end; and whether they end it. A parse error of Spark's has always three carets after
    dashes: they mark where it starts only, so all the rest of the line is given.
    """
    marks = []
    lines = message.split("\n")
    for above, line in zip(lines, lines[1:]):
        carets = re.fullmatch(r"([- ]*)(\^+)-*\s*", line)
        if carets and "-" in line:
            marks.append((above[carets.start(2) :], False))
        elif carets:
            marks.append((above[carets.start(2) : carets.end(2)], True))
    return marks
