"""The tokens of a statement of Spark SQL, as far as names, strings and brackets go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Comments in /* */ nest, so only their start is here. A string's own backslash escapes unless an
# r precedes it.
_TOKEN = re.compile(
    r"""
    (?P<comment> --(?:\\\n|[^\r\n])* )
  | (?P<block>   /\* )
  | (?P<raw>     [rR](?:'[^']*'|"[^"]*") )
  | (?P<string>  '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
  | (?P<quoted>  `(?:[^`]|``)*` )
  | (?P<dollar>  \$(?P<tag>[A-Za-z]*)\$.*?\$(?P=tag)\$ )
  | (?P<variable>\$\{[^}]*\} )
  | (?P<word>    [^\W\d]\w* | \d\w* )
  | (?P<frame>   \{\s*(?P<name>[^\W\d]\w*)\s*\} )
  | (?P<open>    \( )
  | (?P<close>   \) )
  | (?P<symbol>  \S )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A token of a statement; comments and blanks are none.

    Attributes:
        kind: word (also a number), quoted (in backquotes), string, raw (a string after an r),
            dollar (a string between dollar signs), variable (``${name}``), frame (``{name}``),
            open, close, or symbol (any other character).
        text: as written.
        start: the index of its first character.
        end: the index after its last character.
        name: the name in the braces of a frame, otherwise empty.
    """

    kind: str
    text: str
    start: int
    end: int
    name: str = ""

    @property
    def word(self) -> str:
        """The word in capitals; empty for every other kind of token."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def is_name(self) -> bool:
        """Whether it can be the name of a table, column or variable."""
        return self.kind == "quoted" or (self.kind == "word" and not self.text[0].isdigit())


def closing(found: Sequence[Token], opening: int) -> int | None:
    """Returns the index of the token that closes a parenthesis, or None."""
    depth = 0
    for i in range(opening, len(found)):
        depth += (found[i].kind == "open") - (found[i].kind == "close")
        if depth == 0:
            return i
    return None


def tokens(text: str) -> Iterator[Token]:
    """Reads the tokens of a text, without its comments."""
    position = 0
    while True:
        found = _TOKEN.search(text, position)
        if found is None:
            return
        kind = found.lastgroup or ""
        position = found.end()
        if kind == "block":
            position = _end_of_comment(text, found.start())
        elif kind != "comment":
            yield Token(kind, found[0], found.start(), position, found["name"] or "")


def _end_of_comment(text: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)
