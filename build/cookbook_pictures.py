"""Draw the pattern of each recipe of docs/cookbook, from its first query.

Usage: ``.venv/bin/python build/cookbook_pictures.py``. ``tests/python/project/test_cookbook.py``
checks that the pictures are up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

from match_recognize.plot import diagram

DOCS = Path(__file__).resolve().parents[1] / "docs"

if __name__ == "__main__":
    for page in (DOCS / "cookbook").glob("*.md"):
        query = re.search(r"^## Query\n.*?^```sql\n(.*?)^```", page.read_text(), re.S | re.M)
        if query:
            diagram(query[1]).save(DOCS / "images" / "cookbook" / f"{page.stem}.svg")
