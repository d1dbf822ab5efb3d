"""Keeps what the JVM writes to standard error off the terminal, and at hand."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def jvm_log() -> Generator[Path, None, None]:
    """Sends the standard error of processes started inside to a file; the caller removes it.

    PySpark starts the JVM with our standard error, so what the JVM logs all its life goes where
    that pointed at its start. Python's own messages inside the block go to the file, too.
    """
    handle, name = tempfile.mkstemp(prefix="match_recognize-", suffix=".log")
    sys.stderr.flush()
    saved = os.dup(2)
    os.dup2(handle, 2)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        sys.stderr.flush()
        os.dup2(saved, 2)
        os.close(saved)
