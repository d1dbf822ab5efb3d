"""What mkdocs does to the pages of docs/: ranks them, and reads tables as GitHub does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

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
    "contributing/threads.md": 1e-4,
    "contributing/pushdown.md": 1e-4,
    "contributing/python.md": 1e-4,
    "releasing.md": 1e-4,
    "versions.md": 1e-4,
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
    """Ranks a page, and takes escapes out of code in its tables.

    Args:
        markdown: the page.
        page: what mkdocs knows of it; gets its rank in the search.
    """
    # WITHIN finds the pages about SQL first, not the method of that name.
    default = 0.5 if page.file.src_uri.startswith("api/") else 1
    page.meta["search"] = {"boost": RANK.get(page.file.src_uri, default)}

    # GitHub wants a backslash before a bar in a table, in code too; Python's Markdown shows it.
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("|"):
            lines[number] = re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), line)
    text = "\n".join(lines)
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
