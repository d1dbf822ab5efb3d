"""No block of a tested page that no test runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import surface

PAGES = pytest.mark.parametrize(
    "page", [surface.PAGE, surface.PIPELINES], ids=["deployment", "pipelines"]
)


@PAGES
def test_every_block_has_a_name(page: Path) -> None:
    fences = re.findall(r"^```", page.read_text(), re.MULTILINE)
    assert len(fences) == 2 * len(surface.blocks(page))


@PAGES
def test_every_block_is_used(page: Path) -> None:
    tests = "".join(path.read_text() for path in surface.HERE.glob("test_*.py"))
    used = set(re.findall(r"""block\(["']([a-z-]+)["']""", tests))
    assert set(surface.blocks(page)) - used == set()
