"""What the tests of the surfaces share; the servers are started in surface.py."""

from __future__ import annotations

import signal
from pathlib import Path

import match_recognize
import pytest


def pytest_configure() -> None:
    """A signal that ends the tests also ends their servers, as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def jar() -> Path:
    """The jar that the commands of the page find; without it each would fail in its own way."""
    return Path(match_recognize.jar_path())
