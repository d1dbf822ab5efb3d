"""Check that dist/ holds a whole release: all files for both kinds of registry.

Usage: ``.venv/bin/python build/check_release.py``, which ``make release`` runs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from match_recognize.session.jars import SUPPORTED

DIST = Path("dist")
POM = {"m": "http://maven.apache.org/POM/4.0.0"}
GROUP = "org.matchrecognize"
# What a public Maven repository asks of a POM.
WANTED = [
    "groupId",
    "artifactId",
    "version",
    "name",
    "description",
    "licenses/m:license/m:name",
    "developers/m:developer/m:name",
]
# Where the project lives, once that is decided: make release PROJECT_URL=...
ADDRESS = os.environ.get("PROJECT_URL")
if ADDRESS:
    WANTED += ["url", "scm/m:url", "scm/m:connection"]


def wrongs(version: str) -> Iterator[str]:
    """Say what is wrong with what is staged."""
    (wheel,) = DIST.glob("*.whl")
    yield from (f"{name} is missing" for name in missing_of_python(version))
    yield from (f"{wheel.name}: {wrong}" for wrong in wrongs_of_metadata(wheel))
    for source in DIST.glob("*.tar.gz"):
        yield from (f"{source.name}: {wrong}" for wrong in wrongs_of_source(source, wheel))
    for minor, scala in SUPPORTED.items():
        artifact = f"spark-match-recognize-spark-{minor}_{scala}"
        folder = DIST.joinpath("maven", *GROUP.split("."), artifact, version)
        stem = f"{artifact}-{version}"
        names = [f"{stem}{end}" for end in (".jar", "-sources.jar", "-javadoc.jar", ".pom")]
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            yield from (f"{folder / name} is missing" for name in missing)
            continue
        with zipfile.ZipFile(wheel) as content:
            if (
                content.read(f"match_recognize/jars/{stem}.jar")
                != (folder / names[0]).read_bytes()
            ):
                yield f"{names[0]} is not the jar in the wheel"
        yield from (f"{names[1]}: {wrong}" for wrong in wrongs_of_sources(folder / names[1]))
        spark = f"spark-sql_{scala} {minor}."
        yield from (f"{names[3]}: {wrong}" for wrong in wrongs_of_pom(folder / names[3], spark))


def missing_of_python(version: str) -> Iterator[str]:
    """Say which files for a Python registry are missing."""
    name = f"spark_match_recognize-{version}"
    for end in ("-py3-none-any.whl", ".tar.gz", ".cdx.json"):
        if not (DIST / f"{name}{end}").is_file():
            yield f"{name}{end}"


def wrongs_of_metadata(wheel: Path) -> Iterator[str]:
    """Say what is wrong with what a Python registry shows of a wheel."""
    with zipfile.ZipFile(wheel) as content:
        (name,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        text = content.read(name).decode()
    if ADDRESS and f"Project-URL: Source, {ADDRESS.rstrip('/')}\n" not in text:
        yield f"the metadata do not name {ADDRESS}: build the wheel anew"
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("https:", "#")):
            yield f"the description has a link to {target}, which is no file of a registry"


def wrongs_of_source(source: Path, wheel: Path) -> Iterator[str]:
    """Say how the wheel that pip would build from a source distribution differs from the wheel.

    Args:
        source: the source distribution.
        wheel: the wheel that was built from the checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source) as content:
            content.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        # As elsewhere: without the address, which the source distribution knows.
        environment = {key: value for key, value in os.environ.items() if key != "PROJECT_URL"}
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(unpacked)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            yield f"no wheel can be built from it: {done.stdout}{done.stderr}"
            return
        (built,) = unpacked.glob("dist/*.whl")
        ours, theirs = contents(wheel), contents(built)
    yield from (f"a wheel from it lacks {name}" for name in sorted(ours.keys() - theirs.keys()))
    yield from (f"a wheel from it adds {name}" for name in sorted(theirs.keys() - ours.keys()))
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] != theirs[name]:
            yield f"a wheel from it has another {name}"


def contents(archive: Path) -> dict[str, bytes]:
    """Return the files of a wheel by their names."""
    with zipfile.ZipFile(archive) as content:
        return {name: content.read(name) for name in content.namelist()}


def wrongs_of_sources(jar: Path) -> Iterator[str]:
    """Say what is wrong with a jar of sources."""
    with zipfile.ZipFile(jar) as content:
        names = content.namelist()
    for wanted in ("MatchRecognizeExtensions.java", "Extensions.scala"):
        if not any(name.endswith(f"/{wanted}") for name in names):
            yield f"{wanted} is missing"


def wrongs_of_pom(file: Path, spark: str) -> Iterator[str]:
    """Say what is wrong with a POM.

    Args:
        file: the POM.
        spark: how its one dependency begins, with its version.
    """
    pom = ElementTree.parse(file).getroot()
    for wanted in WANTED:
        if not pom.findtext(f"m:{wanted}", namespaces=POM):
            yield f"no {wanted.replace('m:', '')}"
    parts = ("artifactId", "version", "scope")
    dependencies = [
        " ".join(dependency.findtext(f"m:{part}", "", POM) for part in parts)
        for dependency in pom.iterfind("m:dependencies/m:dependency", POM)
    ]
    first = dependencies[0] if len(dependencies) == 1 else ""
    if not (first.startswith(spark) and first.endswith(" provided")):
        yield f"depends on {dependencies}, not on {spark}* alone, as provided"


if __name__ == "__main__":
    found = list(wrongs(Path("VERSION").read_text().strip()))
    print(*(found or ["dist/ holds a whole release"]), sep="\n")
    if not ADDRESS:
        print("Staged without PROJECT_URL: public repositories ask for url and scm in a POM.")
    sys.exit(1 if found else 0)
