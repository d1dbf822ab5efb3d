"""Underlines the wrong word of a statement as Spark's own errors do."""

from __future__ import annotations

import re

from match_recognize.sql_text.frame_names import names


def underlined(text: str, number: int, column: int, prefix: int = 0) -> str:
    """Returns a line of a statement with its wrong word underlined, to follow a message.

    Spark counts lines from 1 and columns from 0, in a text that begins with `prefix` more
    characters. The result begins with a line break, and is empty if there is no such line.
    """
    lines = text.split("\n")
    if not 1 <= number <= len(lines):
        return ""
    line = lines[number - 1]
    column -= prefix if number == 1 else 0
    place = f"\n== SQL (line {number}) ==\n{line}"
    # The names of frames have another length in the text that Spark reads.
    if names(line) or not 0 <= column < len(line):
        return place
    word = re.match(r"[^\W\d]\w*|`[^`]*`|.", line[column:])
    assert word is not None
    blanks = re.sub(r"\S", " ", line[:column])
    return f"{place}\n{blanks}{'^' * len(word[0])}"
