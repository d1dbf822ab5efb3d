"""The options of ``%%match_recognize``."""

from __future__ import annotations

import argparse
import shlex
from typing import NoReturn

from IPython.core.error import UsageError

ROWS = 20


class _Parser(argparse.ArgumentParser):
    """Raises what IPython shows without a traceback, and never ends the process."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage()}".rstrip())


def _parser() -> _Parser:
    parser = _Parser(prog="%%match_recognize", add_help=False, allow_abbrev=False)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--session", metavar="NAME")
    parser.add_argument("--to", metavar="NAME")
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--plot", nargs=2, metavar=("X", "Y"))
    parser.add_argument("--group", nargs="+", default=[], metavar="COLUMN")
    return parser


def read_options(line: str) -> argparse.Namespace:
    """Reads the line of the magic: the options by their names."""
    parser = _parser()
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{error} in the options. Close the quotation.") from error
    given = parser.parse_args(words)
    if given.why and (given.plot or given.to):
        other = "--plot" if given.plot else "--to"
        raise UsageError(f"--why and {other} exclude each other. Remove one of them.")
    if given.group and not given.plot:
        raise UsageError("--group needs --plot, as in --plot day price --group symbol.")
    if given.rows < 1:
        raise UsageError("--rows must be at least 1.")
    if given.to and not given.to.isidentifier():
        raise UsageError(f"--to needs the name of a variable, not {given.to}.")
    return given
