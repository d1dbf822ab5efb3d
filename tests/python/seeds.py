"""The seeds of random tests, which follow from the number in tests/seeds.txt."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from conftest import ROOT


def _number() -> int:
    lines = (ROOT / "tests" / "seeds.txt").read_text().splitlines()
    # `make fuzz` tries the next number before it writes it there.
    return int(os.environ.get("MATCH_RECOGNIZE_SEEDS") or next(n for n in lines if n[:1] != "#"))


NUMBER = _number()


def drawn(test: str, count: int) -> range:
    """So many seeds, for the test of that name.

    They are noted in seeds.tsv in the folder PART_LOG, where `build/parts.py` adds them up.
    """
    if folder := os.environ.get("PART_LOG"):
        with Path(folder, "seeds.tsv").open("a") as out:
            out.write(f"{test}\t{count}\n")
    start = NUMBER * 1_000_000
    return range(start, start + count)


def turn(name: str, turns: int) -> int:
    """Which of so many turns a file has under the number: each has its turn as numbers rise."""
    return (zlib.crc32(name.encode()) + NUMBER) % turns
