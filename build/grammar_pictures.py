"""Draw the grammar of docs/reference.md as railroad diagrams.

Usage: ``.venv/bin/python build/grammar_pictures.py``. ``tests/python/project/test_pages.py``
checks that the pictures are up to date.
"""

from __future__ import annotations

from pathlib import Path

from match_recognize.plot import shapes
from match_recognize.plot.railroad import Around, Box, Choice, Lines, Row, Shape, Way

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images" / "grammar"

MARGIN = 12


class Listed(Around):
    """A shape once or more, with a separator between two."""

    def __init__(self, item: Shape, separator: str) -> None:
        # The line back leads through the middle of the separator, which must not touch the item.
        item.down += 10
        super().__init__(item, None, Way())
        self.box = word(separator)
        self.down += self.box.down

    def draw(self, x: float, y: float) -> list[str]:
        """Draws the separator over the line back."""
        drawn = super().draw(x, y)
        start = x + (self.width - self.box.width) / 2
        return [*drawn, *self.box.draw(start, y + self.item.down + 12)]


def word(text: str) -> Box:
    """Returns words or signs that are typed as they are."""
    return Box(text, text)


def part(text: str) -> Box:
    """Returns what has a diagram of its own, or is Spark's."""
    return Box(text, text, kind="frame", dashed=True)


def optional(*items: Shape) -> Around:
    """Returns shapes that may be missing."""
    return Around(Row(items), Way(), None)


def listed(*items: Shape) -> Listed:
    """Returns entries with commas between them."""
    return Listed(Row(items), ",")


def either(*items: Shape) -> Choice:
    """Returns alternatives."""
    return Choice(items, numbered=False)


#: The lines of each diagram, by the name of its file.
LINES: dict[str, list[Shape]] = {
    "clause": [
        Row([part("table"), word("MATCH_RECOGNIZE (")]),
        optional(word("PARTITION BY"), listed(part("expression"), optional(part("name")))),
        optional(word("ORDER BY"), listed(part("sort key"))),
        optional(word("MEASURES"), listed(part("expression"), word("AS"), part("name"))),
        Row([optional(part("rows per match")), optional(part("after match"))]),
        Row(
            [
                word("PATTERN ("),
                part("row pattern"),
                word(")"),
                optional(word("WITHIN"), part("interval")),
            ]
        ),
        optional(
            word("SUBSET"),
            listed(part("name"), word("= ("), listed(part("variable")), word(")")),
        ),
        optional(word("DEFINE"), listed(part("variable"), word("AS"), part("condition"))),
        Row([word(")"), optional(optional(word("AS")), part("alias"))]),
    ],
    "rows-per-match": [
        Row(
            [
                either(
                    word("ONE ROW PER MATCH"),
                    Row(
                        [
                            word("ALL ROWS PER MATCH"),
                            optional(
                                either(
                                    word("SHOW EMPTY MATCHES"),
                                    word("OMIT EMPTY MATCHES"),
                                    word("WITH UNMATCHED ROWS"),
                                )
                            ),
                        ]
                    ),
                ),
            ]
        ),
        optional(word("SHOW TIMEOUT MATCHES")),
    ],
    "after-match": [
        Row(
            [
                word("AFTER MATCH"),
                either(
                    word("SKIP PAST LAST ROW"),
                    word("SKIP TO NEXT ROW"),
                    Row(
                        [
                            word("SKIP TO"),
                            optional(either(word("FIRST"), word("LAST"))),
                            part("variable"),
                        ]
                    ),
                    word("NO SKIP"),
                ),
            ]
        )
    ],
    "row-pattern": [
        Listed(Around(Row([part("element"), optional(part("quantifier"))]), None, Way()), "|")
    ],
    "element": [
        either(
            part("variable"),
            Row([word("("), optional(part("row pattern")), word(")")]),
            either(word("^"), word("$")),
            Row([word("PERMUTE ("), listed(part("row pattern")), word(")")]),
            Row([word("{-"), part("row pattern"), word("-}")]),
            Row([word("[^"), part("variable"), word("]")]),
        )
    ],
    "quantifier": [
        Row(
            [
                either(
                    word("*"),
                    word("+"),
                    word("?"),
                    Row([word("{"), part("n"), word("}")]),
                    Row(
                        [
                            word("{"),
                            optional(part("n")),
                            word(","),
                            optional(part("m")),
                            word("}"),
                        ]
                    ),
                ),
                optional(either(word("?"), word("??"), word("???"))),
                optional(word("{"), part("variable"), word("}")),
            ]
        )
    ],
    "navigation": [
        either(
            Row([optional(part("variable"), word(".")), part("column")]),
            Row(
                [
                    optional(either(word("RUNNING"), word("FINAL"))),
                    either(word("FIRST"), word("LAST")),
                    word("("),
                    part("expression"),
                    optional(word(","), part("rows")),
                    word(")"),
                ]
            ),
            Row(
                [
                    either(word("PREV"), word("NEXT")),
                    word("("),
                    either(part("expression"), part("first or last")),
                    optional(word(","), part("rows")),
                    word(")"),
                ]
            ),
            Row([word("CLASSIFIER ("), optional(part("variable")), word(")")]),
            word("MATCH_NUMBER()"),
            word("MATCH_SEQUENCE_NUMBER()"),
            word("MATCH_TIMED_OUT()"),
            word("MATCH_ROWTIME()"),
            word("MATCH_PROCTIME()"),
        )
    ],
}


def picture(name: str) -> str:
    """Returns a diagram as SVG.

    Args:
        name: of the diagram.
    """
    # No item fits beside another one within no room: each has a line of its own.
    rails = Lines(LINES[name], 0)
    drawn = rails.draw(MARGIN, MARGIN + rails.up)
    height = rails.up + rails.down + 2 * MARGIN
    return shapes.document(
        rails.width + 2 * MARGIN, height, drawn, f"Grammar: {name.replace('-', ' ')}"
    )


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name in LINES:
        (IMAGES / f"{name}.svg").write_text(picture(name))
