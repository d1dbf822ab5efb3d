"""Draw the pictures of docs/pictures.md, by the code that the page shows.

Usage: ``.venv/bin/python build/pictures_page.py``. ``tests/python/test_plots.py`` checks that the
pictures are up to date.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

DOCS = Path(__file__).resolve().parents[1] / "docs"
IMAGES = DOCS / "images"


def run_page(spark: SparkSession) -> dict[str, Any]:
    """Run the Python of the page.

    Args:
        spark: a session with the extension.

    Returns:
        The names that it defines. Its files are gone.
    """
    names: dict[str, Any] = {"spark": spark}
    code = re.findall(r"^```python\n(.*?)^```$", (DOCS / "pictures.md").read_text(), re.S | re.M)
    with _elsewhere():
        for block in code:
            exec(block, names)
    return names


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def pictures(spark: SparkSession) -> dict[str, str]:
    """Draw the pictures.

    Args:
        spark: a session with the extension.

    Returns:
        By name of the file in docs/images, its text.
    """
    from matplotlib import rc_context

    names = run_page(spark)
    written = io.StringIO()
    # The same bytes each time: no date, and names that do not depend on chance.
    with rc_context({"svg.hashsalt": "match_recognize", "svg.fonttype": "none"}):
        names["figure"].savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    drawn = "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"
    return {"pattern.svg": str(names["picture"]), "matches.svg": drawn}


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    for name, text in pictures(session).items():
        (IMAGES / name).write_text(text)
