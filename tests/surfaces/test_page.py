"""No command of docs/deployment.md that no test runs."""

from __future__ import annotations

import re

import surface


def test_every_block_has_a_name() -> None:
    fences = re.findall(r"^```", surface.PAGE.read_text(), re.MULTILINE)
    assert len(fences) == 2 * len(surface.blocks())


def test_every_block_is_used() -> None:
    tests = "".join(path.read_text() for path in surface.HERE.glob("test_*.py"))
    used = set(re.findall(r"""block\(["']([a-z-]+)["']""", tests))
    assert set(surface.blocks()) - used == set()
