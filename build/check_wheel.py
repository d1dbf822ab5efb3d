"""Check that a wheel carries a jar for each supported Spark, with nothing that is not ours.

Usage: ``.venv/bin/python build/check_wheel.py dist/spark_match_recognize-*.whl``. Prints the
size, or what is wrong.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from match_recognize.session.jars import SUPPORTED

LIMIT = 18_000_000

# A second package only for what Spark shows to its own packages alone.
OURS = re.compile(
    r"(org/matchrecognize/spark|org/apache/spark/sql/matchrecognize)/"
    r"|META-INF/(MANIFEST\.MF|LICENSE)$"
)


def wrongs(wheel: Path) -> Iterator[str]:
    """Say what is wrong with a wheel."""
    if wheel.stat().st_size >= LIMIT:
        yield f"{wheel.stat().st_size} bytes are too many: the limit is {LIMIT}"
    version = wheel.name.split("-")[1]
    with zipfile.ZipFile(wheel) as content:
        folder = "match_recognize/jars/"
        present = {name for name in content.namelist() if name.startswith(folder)}
        wanted = {
            f"{folder}spark-match-recognize-spark-{minor}_{scala}-{version}.jar": (minor, scala)
            for minor, scala in SUPPORTED.items()
        }
        yield from (f"{name} is missing" for name in sorted(wanted.keys() - present))
        yield from (f"{name} does not belong there" for name in sorted(present - wanted.keys()))
        for name in sorted(present & wanted.keys()):
            with zipfile.ZipFile(io.BytesIO(content.read(name))) as jar:
                yield from (f"{name}: {wrong}" for wrong in wrongs_of_jar(jar, *wanted[name]))


def wrongs_of_jar(jar: zipfile.ZipFile, minor: str, scala: str) -> Iterator[str]:
    """Say what is wrong with a jar for a Spark and a Scala."""
    files = [name for name in jar.namelist() if not name.endswith("/")]
    yield from (f"{name} is not ours" for name in files if not OURS.match(name))
    text = jar.read("org/matchrecognize/spark/build.properties").decode()
    build = dict(line.split("=", 1) for line in text.splitlines())
    supported = " ".join("_".join(pair) for pair in SUPPORTED.items())
    wanted = {"spark.minor": minor, "scala.binary": scala, "supported": supported}
    for key, value in wanted.items():
        if build.get(key) != value:
            yield f"{key} is {build.get(key)}, not {value}"


if __name__ == "__main__":
    wheel = Path(sys.argv[1])
    found = list(wrongs(wheel))
    print(*(found or [f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB"]), sep="\n")
    sys.exit(1 if found else 0)
