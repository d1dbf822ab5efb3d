"""The pictures of the pages are what the code of the pages draws."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from conftest import ROOT
from pyspark.sql import SparkSession


def structure(svg: str) -> list[tuple[str, str]]:
    """The elements of a picture with their names and texts, but without places."""
    # Versions of matplotlib differ in places and in names that they derive from them.
    named = re.sub(r"\b(?=\w*\d)[mpC][0-9a-f_]{6,}\b", "", svg)
    return [
        (each.tag, (each.get("id") or "") + (each.text or "").strip())
        for each in ElementTree.fromstring(named).iter()
    ]


def test_the_pages(
    new_session: Callable[[], SparkSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("altair")
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module("pictures_page")
    drawn = made.pictures(new_session())
    stored = {name: (made.IMAGES / name).read_text() for name in drawn}
    assert stored["pattern.svg"] == drawn["pattern.svg"]
    plotted = {"matches.svg": "pictures.md", "w_shape.svg": "python.md"}
    plotted.update({f"gallery_{name}.svg": "gallery.md" for name in made.GALLERY})
    for name in plotted:
        assert structure(stored[name]) == structure(drawn[name])
    for name, page in {**plotted, "pattern.svg": "pictures.md"}.items():
        assert f"(images/{name})" in (made.DOCS / page).read_text()
    assert set(drawn) == {*plotted, "pattern.svg"}


def test_the_picture_of_the_readme(
    new_session: Callable[[], SparkSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module("v_shape_picture")
    assert structure(made.PICTURE.read_text()) == structure(made.picture(new_session()))
    assert "(docs/images/v_shape.svg)" in (ROOT / "README.md").read_text()
