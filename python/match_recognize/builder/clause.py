"""The parts of a clause as the builder collects them."""

from __future__ import annotations

from dataclasses import dataclass

from match_recognize.builder.expression import Expression
from match_recognize.builder.places import Place
from match_recognize.row_pattern.tree import RowPattern
from match_recognize.row_pattern.writer import write_pattern


@dataclass(frozen=True)
class Entry:
    """A condition, a measure or a key, under its name."""

    name: str
    value: Expression
    place: Place


@dataclass(frozen=True)
class Subset:
    """A name for several variables."""

    name: str
    variables: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class WrittenPattern:
    """PATTERN as text or as built."""

    content: str | RowPattern
    place: Place

    @property
    def text(self) -> str:
        """The SQL text."""
        content = self.content
        return content.strip() if isinstance(content, str) else write_pattern(content)


@dataclass(frozen=True)
class Option:
    """Words of the clause: the rows per match, or where the search goes on."""

    words: str
    place: Place
    variable: str = ""


@dataclass(frozen=True)
class Clause:
    """All parts; each method of the builder makes a changed copy."""

    partition_by: tuple[Entry, ...] = ()
    order_by: tuple[Entry, ...] = ()
    measures: tuple[Entry, ...] = ()
    rows: Option | None = None
    skip: Option | None = None
    pattern: WrittenPattern | None = None
    within: Entry | None = None
    subsets: tuple[Subset, ...] = ()
    define: tuple[Entry, ...] = ()
    dialect: Option | None = None
