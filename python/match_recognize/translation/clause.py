"""Translates a clause, in the layout that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from match_recognize.sql_text.clause_parts import Clause, Part, entries
from match_recognize.sql_text.tokens import Token, tokens
from match_recognize.translation.definitions import Definitions
from match_recognize.translation.dialects import NotUnderstood
from match_recognize.translation.edits import Edits
from match_recognize.translation.expressions import Expression
from match_recognize.translation.notes import changes
from match_recognize.translation.source import (
    ENGINES,
    lexemes,
    refusal,
    requoted,
    respelled_comment,
)


class ClauseTranslation:
    """Translates one clause of a statement.

    Attributes:
        notes: what the user should know about it.
    """

    def __init__(self, text: str, mask: str, clause: Clause, read: str, edits: Edits) -> None:
        """Adds the replacements for a clause of the mask to those of the statement."""
        self._text = text
        self._mask = mask
        self._read = read
        self._edits = edits
        self._expressions: list[tuple[int, int]] = []
        self.notes: list[str] = []
        self._check_names(clause)
        self._keys(clause.partition_by)
        self._order(clause.order_by)
        for start, end in self._measures(clause.measures):
            self._expression(start, end, "MEASURES")
        self._definitions(clause)
        self._pattern(clause)
        self._names(clause)
        if read == "flink" and clause.after_match is None:
            place = clause.pattern.outer_start
            edits.replace(place, place, "AFTER MATCH SKIP TO NEXT ROW\n  ")
            self.notes.append(
                "AFTER MATCH SKIP TO NEXT ROW is written, which is the default of Flink."
            )

    def _check_names(self, clause: Clause) -> None:
        """Refuses names with ``$`` or ``#``: Spark would read the anchor of a pattern in them."""
        if self._read not in ("oracle", "snowflake"):
            return
        named = re.compile(r"[^\W\d]\w*[$#][\w$#]*").search(self._mask, clause.start, clause.end)
        if named:
            raise refusal(
                self._text,
                *named.span(),
                "Unquoted names have no $ and no # in Spark.",
                "Rename this. If $ is the end of the pattern, write a blank before it.",
            )

    def _entries(self, part: Part) -> Iterator[tuple[int, int]]:
        for start, end in entries(self._mask[part.start : part.end]):
            yield part.start + start, part.start + end

    def _keys(self, part: Part | None) -> None:
        for start, end in self._entries(part) if part else ():
            self._expression(start, end, "PARTITION BY")

    def _order(self, part: Part | None) -> None:
        nulls = False
        for start, end in self._entries(part) if part else ():
            written = re.search(r"\s+NULLS\s+\w+$", self._mask[start:end], re.IGNORECASE)
            if written:
                end = start + written.start()
            source = self._text[start:end]
            translated = self._translated(start, end, ordering=True)
            if written:
                translated.drop_nulls()
            nulls |= translated.has_nulls
            if translated.result != source:
                self._edits.replace(start, end, translated.result)
        if nulls:
            self.notes.append(
                f"{ENGINES[self._read]} sorts NULLs elsewhere than Spark, so ORDER BY of the "
                "clause says where. Remove NULLS FIRST and NULLS LAST if the keys have no NULLs."
            )

    def _measures(self, part: Part | None) -> Iterator[tuple[int, int]]:
        """The places of the expressions; adds AS where the source omits it."""
        for start, end in self._entries(part) if part else ():
            found = list(tokens(self._mask[start:end]))
            if len(found) > 2 and found[-2].word == "AS" and found[-1].is_name:
                yield start, start + found[-3].end
            elif self._read in ("bigquery", "oracle", "snowflake") and _ends_expression(found):
                place = start + found[-1].start
                self._edits.replace(place, place, "AS ")
                yield start, start + found[-2].end
            else:
                raise refusal(
                    self._text, start, end, "This measure has no name.", "Write AS and a name."
                )

    def _definitions(self, clause: Clause) -> None:
        definitions = Definitions(self._text, self._mask, clause)
        for entry in definitions.used:
            self._expression(entry.start, entry.end, "DEFINE")
        for start, end in definitions.removed():
            self._edits.replace(start, end, "")
            # Nothing in there is edited otherwise.
            self._expressions.append((start, end))
        self.notes += definitions.notes()

    def _expression(self, start: int, end: int, part: str) -> None:
        source = self._text[start:end]
        translated = self._translated(start, end)
        if translated.result != source:
            self._edits.replace(start, end, translated.result)
        if translated.changed:
            old, new = (" ".join(text.split()) for text in (source, translated.result))
            self.notes.append(f"{part}: {old} is written {new}.")

    def _translated(self, start: int, end: int, ordering: bool = False) -> Expression:
        self._expressions.append((start, end))
        try:
            translated = Expression(self._text[start:end], self._read, ordering)
        except NotUnderstood as error:
            raise error.as_refusal(
                self._text, self._read, start + error.start, start + error.end
            ) from None
        self.notes += changes(translated.tree, self._read)
        return translated

    def _pattern(self, clause: Clause) -> None:
        """Separates ``$`` from what follows, which Spark would take for a part of a name.

        CLASSIFIER() returns names in capitals in Spark, unless they are in back quotes.
        """
        start, end = clause.pattern.start, clause.pattern.end
        measures = clause.measures.text.upper() if clause.measures else ""
        if self._read == "bigquery" and "CLASSIFIER" in measures:
            for token in tokens(self._mask[start:end]):
                if token.kind == "word" and token.is_name:
                    name = (start + token.start, start + token.end)
                    self._edits.replace(*name, f"`{token.text}`")
        for found in re.finditer(r"\$(?=[\w{])", self._mask[start:end]):
            self._edits.replace(start + found.end(), start + found.end(), " ")

    def _names(self, clause: Clause) -> None:
        """Writes quoted names outside expressions in back quotes."""
        for found in lexemes(self._read).finditer(self._text):
            inside = clause.start <= found.start() and found.end() <= clause.end
            covered = any(start <= found.start() < end for start, end in self._expressions)
            if not inside or covered:
                continue
            piece = found[0]
            if found.lastgroup == "name" and requoted(piece) != piece:
                self._edits.replace(*found.span(), requoted(piece))
            if found.lastgroup == "comment" and respelled_comment(piece) != piece:
                self._edits.replace(*found.span(), respelled_comment(piece))


def _ends_expression(found: list[Token]) -> bool:
    if len(found) < 2 or not found[-1].is_name:
        return False
    before = found[-2]
    return before.kind in ("close", "string") or (
        before.is_name and before.word not in ("AND", "OR", "NOT")
    )
