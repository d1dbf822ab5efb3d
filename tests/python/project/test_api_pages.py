"""The pages of docs/api: each public name is on one, and each page is in the navigation."""

from __future__ import annotations

import importlib
import re

import pytest
from conftest import ROOT
from match_recognize import Match

FOLDER = ROOT / "docs" / "api"

#: The modules whose names users import.
PUBLIC = [
    "match_recognize",
    "match_recognize.builder",
    "match_recognize.cep",
    "match_recognize.explanations",
    "match_recognize.functions",
    "match_recognize.patterns",
    "match_recognize.plot",
    "match_recognize.streaming",
    "match_recognize.translation",
]

#: A name of the package whose docstring mkdocstrings puts on the page.
DIRECTIVE = re.compile(r"^::: (match_recognize[\w.]*)\.(\w+)$", re.MULTILINE)


def documented() -> list[object]:
    """The objects on all pages."""
    found = [pair for page in FOLDER.glob("*.md") for pair in DIRECTIVE.findall(page.read_text())]
    return [getattr(importlib.import_module(module), name) for module, name in found]


@pytest.mark.parametrize("module", PUBLIC)
def test_each_public_name_is_on_a_page(module: str) -> None:
    imported = importlib.import_module(module)
    shown = {id(each) for each in documented()}
    missing = [name for name in imported.__all__ if id(getattr(imported, name)) not in shown]
    assert not missing


def test_each_is_there_once() -> None:
    shown = [id(each) for each in documented()]
    assert len(shown) == len(set(shown))


def test_each_method_of_the_builder_is_listed() -> None:
    text = (FOLDER / "match.md").read_text()
    listed = re.findall(r"^        - (\w+)$", text, re.MULTILINE)
    assert sorted(listed) == [name for name in dir(Match) if not name.startswith("_")]


def test_all_modules_with_public_names_are_checked() -> None:
    package = ROOT / "python" / "match_recognize"
    declaring = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in package.rglob("*.py")
        if re.search(r"^__all__ = ", path.read_text(), re.MULTILINE)
    }
    assert declaring == set(PUBLIC)


def test_each_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text()
    missing = [
        page.name for page in FOLDER.glob("*.md") if f": api/{page.name}\n" not in navigation
    ]
    assert not missing
