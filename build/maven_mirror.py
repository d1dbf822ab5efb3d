"""Print an sbt repositories file for the mirror of Central that a Maven settings file names.

Usage: ``python3 build/maven_mirror.py ~/.m2/settings.xml``. Prints nothing if no mirror replaces
Central; sbt then uses Central itself.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree

# The values of <mirrorOf> that cover Central, which is neither local nor a file.
COVERS_CENTRAL = {"central", "*", "external:*"}


def central_mirror(settings: str) -> str | None:
    """The address of the first mirror in ``settings`` that replaces Central."""
    for mirror in ElementTree.parse(settings).iterfind(".//{*}mirror"):
        covered = (mirror.findtext("{*}mirrorOf") or "").replace(" ", "").split(",")
        if "!central" not in covered and COVERS_CENTRAL.intersection(covered):
            return (mirror.findtext("{*}url") or "").strip() or None
    return None


if __name__ == "__main__":
    url = central_mirror(sys.argv[1])
    if url:
        print(f"[repositories]\n  local\n  maven-mirror: {url}")
