"""What mkdocs does to the pages of docs/: draws the grammar, and reads tables as GitHub does.

``![name](railroad:name)`` is the place of a diagram.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from railroad import (
    Choice,
    Diagram,
    DiagramItem,
    NonTerminal,
    OneOrMore,
    Optional,
    Sequence,
    Stack,
    Terminal,
)

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

# How the site's search ranks pages that contain the same words. A rare word counts about six
# times a common one, and the names of errors are rare. Nevertheless DEFINE is to find the
# reference first, not DEFINE_NOT_IN_PATTERN. A word in a heading counts a thousand times one in
# the text, so a page for developers needs less than a thousandth.
RANK = {
    "reference.md": 8,
    "semantics.md": 4,
    "configuration.md": 8,
    "errors.md": 2,
    "limitations.md": 1.5,
    "migration/flink.md": 4,
    "architecture.md": 1e-4,
    "conformance.md": 1e-4,
    "contributing/matchers.md": 1e-4,
    "releasing.md": 1e-4,
    "versions.md": 1e-4,
}


def words(text: str) -> Sequence:
    """Keywords one after the other."""
    return Sequence(*[Terminal(word) for word in text.split()])


def part(text: str) -> NonTerminal:
    """What has a diagram of its own, or is Spark's."""
    return NonTerminal(text)


def listed(*items: DiagramItem | str) -> OneOrMore:
    """Entries with commas between them."""
    return OneOrMore(Sequence(*items), Terminal(","))


def diagrams() -> dict[str, Diagram]:
    """All diagrams, by name."""
    return {
        "clause": Diagram(
            Stack(
                Sequence(part("table"), words("MATCH_RECOGNIZE (")),
                Optional(
                    Sequence(
                        words("PARTITION BY"), listed(part("expression"), Optional(part("name")))
                    )
                ),
                Optional(Sequence(words("ORDER BY"), listed(part("sort key")))),
                Optional(
                    Sequence(
                        Terminal("MEASURES"),
                        listed(part("expression"), Terminal("AS"), part("name")),
                    )
                ),
                Optional(part("rows per match")),
                Optional(part("after match")),
                Sequence(
                    words("PATTERN ("),
                    part("row pattern"),
                    Terminal(")"),
                    Optional(Sequence(Terminal("WITHIN"), part("interval"))),
                ),
                Optional(
                    Sequence(
                        Terminal("SUBSET"),
                        listed(
                            part("name"), words("= ("), listed(part("variable")), Terminal(")")
                        ),
                    )
                ),
                Optional(
                    Sequence(
                        Terminal("DEFINE"),
                        listed(part("variable"), Terminal("AS"), part("condition")),
                    )
                ),
                Sequence(
                    Terminal(")"), Optional(Sequence(Optional(Terminal("AS")), part("alias")))
                ),
            )
        ),
        "rows-per-match": Diagram(
            Choice(
                0,
                words("ONE ROW PER MATCH"),
                Sequence(
                    words("ALL ROWS PER MATCH"),
                    Optional(
                        Choice(
                            0,
                            words("SHOW EMPTY MATCHES"),
                            words("OMIT EMPTY MATCHES"),
                            words("WITH UNMATCHED ROWS"),
                        )
                    ),
                ),
            ),
            Optional(Sequence(words("SHOW TIMEOUT MATCHES"))),
        ),
        "after-match": Diagram(
            words("AFTER MATCH"),
            Choice(
                0,
                words("SKIP PAST LAST ROW"),
                words("SKIP TO NEXT ROW"),
                Sequence(
                    words("SKIP TO"),
                    Optional(Choice(0, Terminal("FIRST"), Terminal("LAST"))),
                    part("variable"),
                ),
                words("NO SKIP"),
            ),
        ),
        "row-pattern": Diagram(
            OneOrMore(
                OneOrMore(Sequence(part("element"), Optional(part("quantifier")))),
                Terminal("|"),
            )
        ),
        "element": Diagram(
            Choice(
                0,
                part("variable"),
                Sequence(Terminal("("), Optional(part("row pattern")), Terminal(")")),
                Sequence(Choice(0, Terminal("^"), Terminal("$"))),
                Sequence(words("PERMUTE ("), listed(part("row pattern")), Terminal(")")),
                Sequence(Terminal("{-"), part("row pattern"), Terminal("-}")),
                Sequence(Terminal("[^"), part("variable"), Terminal("]")),
            )
        ),
        "quantifier": Diagram(
            Choice(
                0,
                Terminal("*"),
                Terminal("+"),
                Terminal("?"),
                Sequence(Terminal("{"), part("n"), Terminal("}")),
                Sequence(
                    Terminal("{"),
                    Optional(part("n")),
                    Terminal(","),
                    Optional(part("m")),
                    Terminal("}"),
                ),
            ),
            Optional(Choice(0, Terminal("?"), Terminal("??"), Terminal("???"))),
            Optional(Sequence(Terminal("{"), part("variable"), Terminal("}"))),
        ),
        "navigation": Diagram(
            Choice(
                0,
                Sequence(Optional(Sequence(part("variable"), Terminal("."))), part("column")),
                Sequence(
                    Optional(Choice(0, Terminal("RUNNING"), Terminal("FINAL"))),
                    Choice(0, Terminal("FIRST"), Terminal("LAST")),
                    Terminal("("),
                    part("expression"),
                    Optional(Sequence(Terminal(","), part("rows"))),
                    Terminal(")"),
                ),
                Sequence(
                    Choice(0, Terminal("PREV"), Terminal("NEXT")),
                    Terminal("("),
                    Choice(0, part("expression"), part("first or last")),
                    Optional(Sequence(Terminal(","), part("rows"))),
                    Terminal(")"),
                ),
                Sequence(words("CLASSIFIER ("), Optional(part("variable")), Terminal(")")),
                words("MATCH_NUMBER ( )"),
                words("MATCH_SEQUENCE_NUMBER ( )"),
                words("MATCH_TIMED_OUT ( )"),
                words("MATCH_ROWTIME ( )"),
                words("MATCH_PROCTIME ( )"),
            )
        ),
    }


# A table without titles has no empty row for them; on_page_content says where names may break.
# On a phone, lines of code wrap, but not those of a query's result, whose columns would be lost:
# it is no code that is coloured, so there are no spans in it.
STYLE = """\
.md-typeset td code {word-break: normal}
.md-typeset pre > code {font-size: .8em}
.md-typeset thead:not(:has(th:not(:empty))) {display: none}
@media (max-width: 44.9em) {
  .md-typeset pre > code:has(span) {white-space: pre-wrap; overflow-wrap: anywhere}
}
svg.railroad {background: none; max-width: 100%; height: auto}
svg.railroad path {stroke-width: 2; stroke: currentColor; fill: none}
svg.railroad text {font: 14px monospace; text-anchor: middle; fill: currentColor}
svg.railroad rect {stroke-width: 1.5; stroke: currentColor; fill: none}
svg.railroad g.non-terminal rect {stroke-dasharray: 4 2}
"""

# A message that is pasted whole is searched for by its condition. All its words together would
# find the pages that have most of them, and the search cannot read some patterns: [^B].
SCRIPT = """\
document.addEventListener("paste", event => {
  const field = event.target
  if (!field.matches("[data-md-component=search-query]")) return
  const found = /\\bMATCH_RECOGNIZE\\.[A-Z_]+/.exec(event.clipboardData.getData("text"))
  if (!found) return
  event.preventDefault()
  field.value = found[0]
  field.dispatchEvent(new Event("keyup"))
})
"""


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Puts the diagrams of a page in their places, and takes escapes out of code in its tables.

    Args:
        markdown: the page.
        page: what mkdocs knows of it; gets its rank in the search.
    """
    page.meta["search"] = {"boost": RANK.get(page.file.src_uri, 1)}
    drawn = diagrams()

    def draw(found: re.Match[str]) -> str:
        text = io.StringIO()
        drawn[found[1]].writeSvg(text.write)
        # A line that starts with a blank would be code for Markdown.
        # Without a blank between them, the search would read the words of two boxes as one.
        svg = " ".join(line.strip() for line in text.getvalue().splitlines())
        return svg.replace(
            'class="railroad-diagram"', f'class="railroad" aria-label="{found[1]}"'
        )

    # GitHub wants a backslash before a bar in a table, in code too; Python's Markdown shows it.
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|"):
            lines[number] = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
    text = re.sub(r"!\[[^\]]*\]\(railroad:([\w-]+)\)", draw, "\n".join(lines))
    return f"{text}\n\n<style>{STYLE}</style>\n\n<script>{SCRIPT}</script>\n"


def on_page_content(html: str, **_: Any) -> str:
    """Lets long names in tables break after their dots and underscores, and nowhere else.

    Args:
        html: what a page has become.
    """

    def breakable(code: re.Match[str]) -> str:
        return re.sub(r"(?<=\w)[._](?=[A-Za-z])", r"\g<0><wbr>", code[0])

    def cell(found: re.Match[str]) -> str:
        return re.sub(r"<code>[^<]*</code>", breakable, found[0])

    return re.sub(r"<td[ >].*?</td>", cell, html, flags=re.DOTALL)
