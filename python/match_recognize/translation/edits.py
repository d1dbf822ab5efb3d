"""Replacements in a text, and the way back from the new text to the old one."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Edits:
    """Replacements in a text.

    Attributes:
        text: the text as it was.
        made: of each replacement its start and end in the text, and what comes there.
    """

    text: str
    made: list[tuple[int, int, str]] = field(default_factory=list["tuple[int, int, str]"])

    def replace(self, start: int, end: int, new: str) -> None:
        """Replaces what is from start until before end. No two replacements may overlap."""
        self.made.append((start, end, new))

    def result(self, first: int = 0, last: int | None = None) -> str:
        """The text with the replacements, or a part of the old text with its own ones."""
        last = len(self.text) if last is None else last
        pieces: list[str] = []
        at = first
        for start, end, new in sorted(self.made):
            if first <= start and end <= last:
                pieces += [self.text[at:start], new]
                at = end
        return "".join([*pieces, self.text[at:last]])

    def old(self, index: int) -> int:
        """The place in the old text of a place in the new one, the `result` of the whole."""
        shift = 0
        for start, end, new in sorted(self.made):
            if start + shift > index:
                break
            if index < start + shift + len(new):
                return start
            shift += len(new) - (end - start)
        return index - shift
