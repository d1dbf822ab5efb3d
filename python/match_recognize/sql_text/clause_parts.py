"""The parts of each MATCH_RECOGNIZE clause in a statement, with their places in its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from match_recognize.errors import MatchRecognizeError
from match_recognize.sql_text.tokens import Token, closing, tokens


@dataclass(frozen=True)
class Part:
    """A piece of a statement.

    Attributes:
        text: the content, without the part's keywords and without the parentheses of PATTERN.
        start: the index of the content's first character in the statement.
        end: the index after its last character.
        outer_start: where the keywords of the part begin.
        outer_end: where the part ends, after the closing parenthesis if it has one.
    """

    text: str
    start: int
    end: int
    outer_start: int
    outer_end: int


@dataclass(frozen=True)
class Definition:
    """One entry of DEFINE.

    Attributes:
        variable: the name as written, perhaps in backquotes.
        condition: the text after AS.
        start: the index of the condition's first character in the statement.
        end: the index after its last character.
    """

    variable: str
    condition: str
    start: int
    end: int


@dataclass(frozen=True)
class Clause:
    """A MATCH_RECOGNIZE clause. A part that is not written is None.

    Attributes:
        start: where the word MATCH_RECOGNIZE begins in the statement.
        end: the index after its closing parenthesis.
        table: what the clause follows, up to FROM, JOIN or a comma; None in a pipe.
        alias: ``[AS] name [(columns)]`` after the clause; the content begins with the name.
        partition_by: the keys.
        order_by: the keys.
        measures: the measures.
        rows_per_match: ``ONE ROW PER MATCH ...`` or ``ALL ROWS PER MATCH ...`` as a whole.
        after_match: ``AFTER MATCH ...`` as a whole.
        pattern: the row pattern between the parentheses.
        within: the bound after PATTERN.
        subset: the subsets.
        define: all of DEFINE.
        definitions: the entries of DEFINE in the order of the text.
    """

    start: int
    end: int
    pattern: Part
    table: Part | None = None
    alias: Part | None = None
    partition_by: Part | None = None
    order_by: Part | None = None
    measures: Part | None = None
    rows_per_match: Part | None = None
    after_match: Part | None = None
    within: Part | None = None
    subset: Part | None = None
    define: Part | None = None
    definitions: tuple[Definition, ...] = ()


# By name of the part, the words that it begins with. No word is reserved, so `_part_at` also
# looks at what follows.
_WORDS = {
    "partition_by": ("PARTITION", "BY"),
    "order_by": ("ORDER", "BY"),
    "measures": ("MEASURES",),
    "one_row": ("ONE", "ROW"),
    "all_rows": ("ALL", "ROWS"),
    "after_match": ("AFTER", "MATCH"),
    "pattern": ("PATTERN",),
    "within": ("WITHIN",),
    "subset": ("SUBSET",),
    "define": ("DEFINE",),
}

# The rest of such a part is keywords, too.
_WHOLE = {"one_row", "all_rows", "after_match"}

# After a word, these show that it is a name and begins no part.
_NO_ENTRY = {",", ".", "=", "<", ">", "!", ")", "AS", "ASC", "DESC", "NULLS"}

# What comes before a table.
_BEFORE_TABLE = {"FROM", "JOIN", "LATERAL", "USING", "INTO", "TABLE"}

_CONTINUATIONS = """
    WHERE GROUP HAVING ORDER SORT CLUSTER DISTRIBUTE WINDOW LIMIT OFFSET QUALIFY UNION EXCEPT
    MINUS INTERSECT JOIN INNER LEFT RIGHT FULL CROSS SEMI ANTI NATURAL ON USING LATERAL PIVOT
    UNPIVOT TABLESAMPLE MATCH_RECOGNIZE SELECT INSERT WHEN FETCH FOR
"""

# What can follow a table, and is no alias of it.
_AFTER_TABLE = set(_CONTINUATIONS.split())


def clauses(text: str) -> list[Clause]:
    """Finds the MATCH_RECOGNIZE clauses of a statement, in the order in which they begin.

    Words in strings, comments and quoted names do not count. A clause in a subquery of another
    one has an entry of its own. Refuses a clause without its closing parenthesis or without
    PATTERN, and a part that comes twice.
    """
    found = list(tokens(text))
    return [_clause(text, found, i) for i, _ in enumerate(found) if _opens_clause(found, i)]


def only_clause(text: str) -> Clause:
    """Finds the MATCH_RECOGNIZE clause of a statement that must have one."""
    found = clauses(text)
    if not found:
        raise MatchRecognizeError(
            "The text has no MATCH_RECOGNIZE clause. Write it after a table: "
            "FROM t MATCH_RECOGNIZE ( ... )."
        )
    if len(found) > 1:
        places = ", ".join(place(text, clause.start) for clause in found)
        raise MatchRecognizeError(
            f"The text has {len(found)} MATCH_RECOGNIZE clauses, at {places}. Give the text of "
            "one of them."
        )
    return found[0]


def entries(text: str) -> list[tuple[int, int]]:
    """Splits a list at its commas outside brackets, strings and comments.

    Returns of each entry the indexes of its first character and after its last one.
    """
    found = list(tokens(text))
    return [(piece[0].start, piece[-1].end) for piece in _split(found) if piece]


def place(text: str, index: int) -> str:
    """Says where a character is: ``line 2, column 5``, both counted from 1."""
    before = text[:index]
    return f"line {before.count(chr(10)) + 1}, column {index - (before.rfind(chr(10)) + 1) + 1}"


def _opens_clause(found: Sequence[Token], i: int) -> bool:
    return found[i].word == "MATCH_RECOGNIZE" and _text(found, i + 1) == "("


def _text(found: Sequence[Token], i: int) -> str:
    """What a token is compared by: a word in capitals, or a symbol; empty at the end."""
    if not 0 <= i < len(found):
        return ""
    return found[i].word or found[i].text


def _levels(found: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Of each token its index and the level of parentheses it is on; both ends are outside."""
    level = 0
    for i, token in enumerate(found):
        level -= token.kind == "close"
        yield i, level
        level += token.kind == "open"


def _split(found: Sequence[Token]) -> list[list[Token]]:
    """The tokens between commas that are in no parentheses or square brackets."""
    pieces: list[list[Token]] = [[]]
    square = 0
    for i, level in _levels(found):
        square += (found[i].text == "[") - (found[i].text == "]")
        if level == 0 and square <= 0 and found[i].text == ",":
            pieces.append([])
        else:
            pieces[-1].append(found[i])
    return pieces


def _clause(text: str, found: list[Token], keyword: int) -> Clause:
    close = closing(found, keyword + 1)
    where = place(text, found[keyword].start)
    if close is None:
        raise MatchRecognizeError(
            f"The parenthesis after MATCH_RECOGNIZE ({where}) is not closed. Write the missing )."
        )
    content = found[keyword + 2 : close]
    parts: dict[str, Part] = {}
    for name, first, end in _extents(content):
        field = "rows_per_match" if name in ("one_row", "all_rows") else name
        if field in parts:
            raise MatchRecognizeError(
                f"The clause has {' '.join(_WORDS[name])} twice. The second is at "
                f"{place(text, content[first].start)}; remove one of them."
            )
        parts[field] = _part(text, content, name, first, end)
    if "pattern" not in parts:
        raise MatchRecognizeError(
            f"The MATCH_RECOGNIZE clause ({where}) has no PATTERN. Write PATTERN ( ... ) before "
            "DEFINE."
        )
    return Clause(
        start=found[keyword].start,
        end=found[close].end,
        table=_table(text, found, keyword),
        alias=_alias(text, found, close),
        definitions=tuple(_definitions(text, parts.get("define"))),
        **parts,
    )


def _extents(content: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
    """Of each part its name, the index of its first token and that after its last one."""
    begun: list[tuple[str, int]] = []
    seen: set[str] = set()
    for i, level in _levels(content):
        # After AS or a dot, every word is a name.
        named = i > 0 and _text(content, i - 1) in ("AS", ".")
        name = _part_at(content, i, seen) if level == 0 and not named else ""
        if name:
            seen.add(name)
            begun.append((name, i))
    ends = [first for _, first in begun[1:]] + [len(content)]
    for (name, first), end in zip(begun, ends):
        yield name, first, end


def _part_at(content: Sequence[Token], i: int, seen: set[str]) -> str:
    """The part that begins at a token, or an empty text."""
    for name, words in _WORDS.items():
        if tuple(_text(content, i + k) for k in range(len(words))) != words:
            continue
        next_text = _text(content, i + len(words))
        starts = next_text not in _NO_ENTRY and next_text != ""
        named = starts and i + 1 < len(content) and content[i + 1].is_name
        if name == "pattern":
            return name if next_text == "(" else ""
        if name == "measures":
            return name if starts else ""
        if name == "within":
            # Not LISTAGG(x) WITHIN GROUP (ORDER BY x).
            bound = starts and next_text != "GROUP"
            return name if bound and ("pattern" in seen or next_text == "INTERVAL") else ""
        if name in ("subset", "define"):
            follows = "=" if name == "subset" else "AS"
            expected = "pattern" in seen or _text(content, i + 2) == follows
            return name if named and expected else ""
        return name
    return ""


def _part(text: str, content: Sequence[Token], name: str, first: int, end: int) -> Part:
    outer_start, outer_end = content[first].start, content[end - 1].end
    if name == "pattern":
        close = closing(content, first + 1)
        assert close is not None, "the clause's own parenthesis is closed"
        if close + 1 < end:
            raise MatchRecognizeError(
                f"{content[close + 1].text} ({place(text, content[close + 1].start)}) cannot "
                "follow PATTERN ( ... ). Write WITHIN, SUBSET, DEFINE or the closing parenthesis."
            )
        start, stop = content[first + 1].end, content[close].start
        return Part(text[start:stop], start, stop, outer_start, outer_end)
    body = first if name in _WHOLE else first + len(_WORDS[name])
    if body >= end:
        raise MatchRecognizeError(
            f"{' '.join(_WORDS[name])} ({place(text, outer_start)}) is empty. Write its entries "
            "after it, or remove it."
        )
    start = content[body].start
    return Part(text[start:outer_end], start, outer_end, outer_start, outer_end)


def _definitions(text: str, define: Part | None) -> Iterator[Definition]:
    if define is None:
        return
    # The tokens of the whole statement decide where a comment or a string is, and so do those of
    # a part, which begins outside both.
    for piece in _split(list(tokens(define.text))):
        if len(piece) < 3 or not piece[0].is_name or piece[1].word != "AS":
            index = define.start + (piece[0].start if piece else len(define.text))
            raise MatchRecognizeError(
                f"DEFINE has an entry that cannot be read ({place(text, index)}). Write "
                "variable AS condition."
            )
        start, end = define.start + piece[2].start, define.start + piece[-1].end
        yield Definition(piece[0].text, text[start:end], start, end)


def _table(text: str, found: Sequence[Token], keyword: int) -> Part | None:
    """The table before the clause: what follows the last FROM, JOIN or comma on its level."""
    level = 0
    first = keyword
    commas: list[int] = []
    while first > 0:
        token = found[first - 1]
        level += token.kind == "close"
        level -= token.kind == "open"
        if level < 0 or (level == 0 and token.word in _BEFORE_TABLE):
            break
        if level == 0 and token.text == ">" and _text(found, first - 2) == "|":
            return None
        if level == 0 and token.text in (",", ";"):
            commas.append(first - 1)
        first -= 1
    # The rows of VALUES are separated by commas, too.
    for comma in reversed(commas):
        if not (_text(found, first) == "VALUES" and _text(found, comma + 1) == "("):
            first = comma + 1
    if first >= keyword:
        return None
    start, end = found[first].start, found[keyword - 1].end
    return Part(text[start:end], start, end, start, end)


def _alias(text: str, found: Sequence[Token], close: int) -> Part | None:
    name = close + 2 if _text(found, close + 1) == "AS" else close + 1
    if name >= len(found) or not found[name].is_name:
        return None
    if name == close + 1 and found[name].word in _AFTER_TABLE:
        return None
    last = name
    if _text(found, name + 1) == "(":
        last = closing(found, name + 1) or name
    start, end = found[name].start, found[last].end
    return Part(text[start:end], start, end, found[close + 1].start, end)
