"""The text of a statement of another engine: its strings, quoted names and comments."""

from __future__ import annotations

import re

from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.clause_parts import place

#: By engine, what it is called in messages.
ENGINES = {
    "bigquery": "BigQuery",
    "databricks": "Databricks",
    "flink": "Flink",
    "oracle": "Oracle",
    "snowflake": "Snowflake",
    "trino": "Trino",
}

#: Engines whose strings and names are spelled as in Spark, apart from some strings of BigQuery.
_SPELLED_AS_HERE = ("bigquery", "databricks")

_COMMENT = r"--[^\n]*|/\*.*?(?:\*/|\Z)"
_STRING = r"'(?:[^']|'')*'"
_NAME = r'"(?:[^"]|"")*"'
_ESCAPED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""

#: By engine, the patterns of its comments, strings and quoted names.
_LEXEMES = {
    "bigquery": (
        _COMMENT + r"|\#[^\n]*",
        rf"""(?:\b[rRbB]{{1,2}})?(?:(?P<quotes>'''|\"{{3}})(?:[^\\]|\\.)*?(?P=quotes)|{_ESCAPED})""",
        r"`(?:[^`\\]|\\.)*`",
    ),
    "databricks": (
        r"--(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)",
        rf"""\b[rR](?:'[^']*'|"[^"]*")|{_ESCAPED}""",
        r"`(?:[^`]|``)*`",
    ),
    "flink": (_COMMENT, _STRING, r"`(?:[^`]|``)*`"),
    "oracle": (
        _COMMENT,
        r"[nN]?[qQ]'(?:\[.*?\]'|\{.*?\}'|\(.*?\)'|<.*?>'|(?P<end>[^\s\[{(<]).*?(?P=end)')|"
        + _STRING,
        _NAME,
    ),
    "snowflake": (_COMMENT + r"|//[^\n]*", r"'(?:[^'\\]|''|\\.)*'|\$\$.*?\$\$", _NAME),
    "trino": (_COMMENT, _STRING, _NAME),
}


def lexemes(read: str) -> re.Pattern[str]:
    """Returns the pattern of a comment, a string or a quoted name: the last group says which."""
    comment, string, name = _LEXEMES[read]
    pattern = rf"(?P<comment>{comment})|(?P<string>{string})|(?P<name>{name})"
    return re.compile(pattern, re.DOTALL)


def masked(text: str, read: str) -> str:
    """Replaces what is lexically different in Spark by text of the same length.

    Every place in the result is the same place in the statement. Comments become blanks, strings
    hold nothing but ``x``, and quoted names are in back quotes.
    """

    def mask(found: re.Match[str]) -> str:
        if found.lastgroup == "comment":
            return re.sub(r"[^\n]", " ", found[0])
        quote = "'" if found.lastgroup == "string" else "`"
        return quote + "x" * (len(found[0]) - 2) + quote

    return lexemes(read).sub(mask, text)


def requoted(name: str) -> str:
    """Writes a quoted name in back quotes."""
    quote = name[0]
    return "`" + name[1:-1].replace(quote * 2, quote).replace("`", "``") + "`"


def respelled_comment(piece: str) -> str:
    """Writes a comment, without the end of its line, as Spark reads it."""
    if piece.startswith("/*"):
        return piece
    # Spark continues a comment on the next line after a backslash.
    return re.sub("^(?:--|//|#)", "--", piece) + (" " if piece.endswith("\\") else "")


def respelled(text: str, read: str) -> str:
    """Writes strings, quoted names and comments as Spark reads them."""
    return lexemes(read).sub(lambda found: _respelled(found[0], found.lastgroup, read), text)


def _respelled(piece: str, kind: str | None, read: str) -> str:
    if kind == "name":
        return requoted(piece)
    if kind == "comment":
        return respelled_comment(piece)
    if read in _SPELLED_AS_HERE:
        inner = piece[1:-1].replace('\\"', '"').replace("'", "\\'")
        return f"'{inner}'" if re.match('"(?!"")', piece) else piece
    if piece[0] == "'":
        content = piece[1:-1].replace("''", "\\'")
        if read != "snowflake":
            content = piece[1:-1].replace("\\", "\\\\").replace("''", "\\'")
        return f"'{content}'"
    return piece


def refusal(text: str, start: int, end: int, wrong: str, fix: str) -> MatchRecognizeError:
    """Makes an error that names the line and underlines a piece of the statement."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    line = text[first : last if last >= 0 else len(text)]
    blanks = re.sub(r"[^\t]", " ", line[: start - first])
    marks = "^" * max(1, min(end, first + len(line)) - start)
    return MatchRecognizeError(f"{wrong} ({place(text, start)})\n{line}\n{blanks}{marks}\n{fix}")
