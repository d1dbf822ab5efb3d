"""Shows a value that changes, in the place of the one before where the output can do that."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def of_this_process() -> Notebook | Terminal | Log:
    """Returns the view for where this process runs: a notebook, a terminal or a plain output."""
    # A process that has not imported it is no notebook.
    python: Any = sys.modules.get("IPython")
    # IPython in a terminal has a shell without a kernel.
    if python is not None and getattr(python.get_ipython(), "kernel", None) is not None:
        return Notebook()
    return Terminal() if sys.stdout.isatty() else Log()


class Notebook:
    """Shows a value in the output of the cell that runs."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, value: object) -> None:
        """Shows a value in the place of the one before."""
        if self._handle is None:
            self._handle = import_module("IPython.display").display(value, display_id=True)
        else:
            self._handle.update(value)


class Terminal:
    """Prints over the lines that it printed before."""

    def __init__(self) -> None:
        self._height = 0

    def show(self, value: object) -> None:
        """Prints a value in the place of the one before."""
        lines = str(value).splitlines()
        # ANSI: cursor up to the first line, then erase all after the cursor.
        back = f"\x1b[{self._height}A\r\x1b[J" if self._height else ""
        print(back + "\n".join(lines), flush=True)
        self._height = len(lines)


class Log:
    """Prints each value that differs from the one before."""

    def __init__(self) -> None:
        self._shown = ""

    def show(self, value: object) -> None:
        """Prints a value, and an empty line."""
        text = str(value)
        if text != self._shown:
            print(f"{text}\n", flush=True)
        self._shown = text


@contextmanager
def ctrl_c() -> Generator[threading.Event, None, None]:
    """Gives an event that Ctrl-C sets, in place of what it does otherwise.

    PySpark's handler cancels the jobs of all streaming queries of the session, which then fail.
    In another thread than the main one, which gets no signals, the event is never set.
    """
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return
    before = signal.signal(signal.SIGINT, lambda _number, _frame: pressed.set())
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
