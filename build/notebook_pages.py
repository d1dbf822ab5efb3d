"""What mkdocs does to the notebooks of docs/: makes a page of each, with its saved outputs."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

#: A link to a notebook, which GitHub shows as it is. The site has a page in its place.
LINK = re.compile(r"(\]\([\w./-]+)\.ipynb(#[\w-]+)?\)")

MAGIC = "%%match_recognize"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds a page for each notebook.

    Args:
        files: of the site.
        config: of the site.
    """
    for file in list(files):
        if file.src_uri.endswith(".ipynb") and file.abs_src_path is not None:
            path = Path(file.abs_src_path)
            uri = file.src_uri.replace(".ipynb", ".md")
            files.append(File.generated(config, uri, content=page(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lets links to notebooks lead to their pages.

    Args:
        markdown: the page.
    """
    return LINK.sub(r"\1.md\2)", markdown)


def page(path: Path) -> str:
    """Returns a notebook as Markdown.

    Args:
        path: the notebook.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, *rest = [_cell(cell) for cell in cells]
    download = f'<a href="{path.name}" download>Download this notebook</a>'
    return "\n\n".join([title, download, *rest]) + "\n"


def _cell(cell: Any) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    language = "sql" if source.startswith(MAGIC) else "python"
    return "\n\n".join(
        [f"```{language}\n{source}\n```", *(_output(output) for output in cell["outputs"])]
    )


def _output(output: Any) -> str:
    if output["output_type"] == "stream":
        return _block(f"<pre><code>{escape(''.join(output['text']))}</code></pre>")
    data = {kind: "".join(text) for kind, text in output["data"].items()}
    if "text/html" in data:
        return _block(data["text/html"])
    if "image/png" in data:
        encoded = data["image/png"].replace("\n", "")
        return _block(f'<img alt="Matches" src="data:image/png;base64,{encoded}">')
    return _block(f"<pre><code>{escape(data['text/plain'])}</code></pre>")


def _block(html: str) -> str:
    # A blank line could end the block of HTML for Markdown.
    lines = (line if line.strip() else "&#8203;" for line in html.strip().splitlines())
    return '<div class="notebook-output">\n{}\n</div>'.format("\n".join(lines))
