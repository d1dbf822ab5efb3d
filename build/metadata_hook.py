"""What the metadata of the Python package say that depends on where the project lives.

``PROJECT_URL`` is that address. With it, the links of README.md become absolute, since a Python
registry has no files to link to, and the addresses of the project are listed. Without it, the
links become plain text. A source distribution keeps what it was built with.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parents[1]

#: A link or a picture of Markdown: its mark, its text and where it leads to.
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def description(text: str, address: str, version: str) -> str:
    """Returns the README for a page that has no other file of the project.

    Args:
        text: the README.
        address: where the project lives, or empty.
        version: of the package; the files are those of its tag.
    """

    def absolute(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if target.startswith(("http:", "https:", "#")):
            return found[0]
        if not address:
            return "" if picture else words
        path = target.partition("#")[0]
        kind = "raw" if picture else "tree" if (ROOT / path).is_dir() else "blob"
        return f"{picture}[{words}]({address}/{kind}/v{version}/{target})"

    return LINK.sub(absolute, text)


def addresses(address: str, version: str) -> dict[str, str]:
    """Returns the addresses of the project by their labels.

    Args:
        address: where the project lives, or empty.
        version: of the package.
    """
    if not address:
        return {}
    return {
        "Documentation": f"{address}/tree/v{version}/docs",
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
    }


class ProjectMetadata(MetadataHookInterface):
    """Gives the package its long description and its addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds what is not there.

        Args:
            metadata: what pyproject.toml has, and in a source distribution its PKG-INFO.
        """
        if "readme" in metadata:
            # It has no addresses, if they are not there.
            metadata.setdefault("urls", {})
            return
        address = os.environ.get("PROJECT_URL", "").rstrip("/")
        version = metadata["version"]
        text = description((ROOT / "README.md").read_text(encoding="utf-8"), address, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(address, version)
