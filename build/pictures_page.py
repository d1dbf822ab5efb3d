"""Draw the pictures of pictures.md, gallery.md and python.md by the code that the pages show.

Usage: ``.venv/bin/python build/pictures_page.py``. ``tests/python/plot/test_picture_pages.py``
checks that the pictures are up to date.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from figures import svg_text
from pyspark.sql import SparkSession

DOCS = Path(__file__).resolve().parents[1] / "docs"
IMAGES = DOCS / "images"

#: The figures of docs/gallery.md.
GALLERY = ("v_shapes", "w_shape", "overlaps", "logins", "funnel", "sessions")


def run_page(spark: SparkSession, page: str) -> dict[str, Any]:
    """Run the Python of a page.

    Args:
        spark: a session with the extension.
        page: the name of the file in docs.

    Returns:
        The names that it defines. Its files are gone.
    """
    names: dict[str, Any] = {"spark": spark}
    code = re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.S | re.M)
    with _elsewhere(), contextlib.redirect_stdout(None):
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
    names, gallery = run_page(spark, "pictures.md"), run_page(spark, "gallery.md")
    return {
        "pattern.svg": str(names["picture"]),
        "matches.svg": svg_text(names["figure"]),
        "w_shape.svg": svg_text(run_page(spark, "python.md")["figure"]),
        **{f"gallery_{name}.svg": svg_text(gallery[name]) for name in GALLERY},
    }


if __name__ == "__main__":
    from match_recognize import configure

    session = configure(SparkSession.builder.master("local[1]")).getOrCreate()
    for name, text in pictures(session).items():
        (IMAGES / name).write_text(text)
