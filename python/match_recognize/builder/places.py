"""Where in the user's Python a part of a clause was written, for errors that name the line."""

from __future__ import annotations

import itertools
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from match_recognize.errors import MatchRecognizeError

#: The folder of this package, whose own lines are never the answer.
OURS = str(Path(__file__).resolve().parents[1])


@dataclass(frozen=True)
class Place:
    """A line of a Python file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f'File "{self.file}", line {self.line}'


def caller() -> Place:
    """Returns the line of the innermost call that is outside this package."""
    frame = _outside()
    if frame is None:
        return Place("<unknown>", 0)
    return Place(frame.f_code.co_filename, frame.f_lineno)


def caller_of(name: str) -> Place:
    """Returns the line of the caller's call that gives a keyword argument.

    Before Python 3.11, frames do not know where a call ends: the answer is its first line then.
    """
    frame = _outside()
    if frame is None:
        return Place("<unknown>", 0)
    file, first = frame.f_code.co_filename, frame.f_lineno
    argument = re.compile(rf"(?<![\w.]){re.escape(name)}\s*=(?!=)")
    for line in range(first, _last_line(frame) + 1):
        if argument.search(linecache.getline(file, line)):
            return Place(file, line)
    return Place(file, first)


def _outside() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _last_line(frame: FrameType) -> int:
    positions: Callable[[], Iterator[tuple[int | None, ...]]] | None = getattr(
        frame.f_code, "co_positions", None
    )
    if positions is None:
        return frame.f_lineno
    # One entry for each instruction of two bytes.
    _, last, _, _ = next(itertools.islice(positions(), frame.f_lasti // 2, None))
    return last or frame.f_lineno


def _is_ours(file: str) -> bool:
    # The demo runs as __main__ of this package: it is a user of the builder.
    ours = file.startswith(OURS) and not file.startswith(str(Path(OURS) / "demo"))
    # A column of PySpark calls the methods of its operands.
    return ours or any(file.startswith(folder) for folder in _folders_of_pyspark())


def _folders_of_pyspark() -> Iterator[str]:
    for name in ("pyspark", "py4j"):
        module = sys.modules.get(name)
        if module is not None and module.__file__:
            yield str(Path(module.__file__).parent)


def refusal(message: str, place: Place | None = None) -> MatchRecognizeError:
    """Makes an error whose last line is a Python line: the place, or the caller's line."""
    return MatchRecognizeError(f"{message}\n  {place or caller()}")
