"""The blocks of a page of the documentation, and the tables below its statements."""

from __future__ import annotations

import re

#: A statement and its answer, if there is one. A block of another product has a title.
BLOCK = re.compile(r"^```sql\n(.*?)^```\n(?:\n((?:    \S[^\n]*\n)+))?", re.DOTALL | re.MULTILINE)

#: Python with the text that it prints.
PYTHON = re.compile(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)


def table(text: str) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a table that is indented, columns apart by two blanks."""
    header, *rows = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    return header, rows
