"""What the tests of the surfaces share; the servers are started in surface.py."""

from __future__ import annotations

from pathlib import Path

import match_recognize
import pytest


@pytest.fixture(scope="session", autouse=True)
def jar() -> Path:
    """The jar that the commands of the page find; without it each would fail in its own way."""
    return Path(match_recognize.jar_path())
