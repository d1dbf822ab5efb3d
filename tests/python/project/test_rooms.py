"""Each part of the Scala sources imports only the parts that docs/architecture.md lets it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from circles import circles
from conftest import ROOT

OURS = "org.matchrecognize.spark"

#: Accessors to what Spark keeps private.
PRIVATE = "org.apache.spark.sql.matchrecognize"

#: By part, the parts that it may import. The order is from the lowest to the highest.
ALLOWED: dict[str, set[str]] = {
    "accessors": set(),
    "text": set(),
    "errors": {"accessors", "text"},
    "pattern": {"text"},
    "expressions": {"pattern"},
    "logical": {"expressions", "pattern", "text"},
    "conditions": {"expressions", "logical", "pattern"},
    "causes": {"expressions", "logical", "pattern"},
    "parser": {"accessors", "errors", "expressions", "logical", "pattern", "text"},
    "analysis": {
        "accessors",
        "causes",
        "errors",
        "expressions",
        "logical",
        "pattern",
        "text",
    },
    "optimizer": {"conditions", "expressions", "logical"},
    "execution": {
        "accessors",
        "conditions",
        "errors",
        "expressions",
        "logical",
        "pattern",
    },
    "streaming": {"accessors", "execution", "logical", "pattern"},
    "explain": {"execution", "logical", "pattern"},
    "the extension": {
        "accessors",
        "analysis",
        "errors",
        "execution",
        "explain",
        "optimizer",
        "parser",
        "streaming",
    },
}

#: Within a part, by folder, the other folders of the part that it may import, from the lowest to
#: the highest. "" is the part itself.
FOLDERS: dict[str, dict[str, set[str]]] = {
    "parser": {
        "tokens": set(),
        "clause": {"tokens"},
        "grammar": {"clause", "tokens"},
        "hiding": {"clause", "grammar", "tokens"},
        "plan": {"clause", "hiding", "tokens"},
        "": {"clause", "grammar", "hiding", "plan", "tokens"},
    },
    "pattern": {
        "": set(),
        "program": {""},
        "matching": {"program"},
        "keys": {"matching"},
        "onepass": {"program"},
        "automaton": {"matching", "program"},
        "threads": {"matching", "program"},
        "flink": {"", "matching", "program", "threads"},
        "search": {"", "automaton", "flink", "matching", "program", "threads"},
    },
    "execution": {
        "rows": set(),
        "slots": set(),
        "fused": set(),
        "ranges": set(),
        "evaluation": {"rows", "slots"},
        "": {"evaluation", "fused", "ranges", "rows", "slots"},
        "tracing": {"", "evaluation", "rows", "slots"},
    },
}

#: By part, the folders of tests that the code does not have. Whole statements test all folders of
#: the operator at once.
TEST_FOLDERS: dict[str, set[str]] = {"execution": {"statements"}}

SOURCES = sorted(
    path
    for path in (ROOT / "jvm" / "src" / "main").rglob("*")
    if path.suffix in {".scala", ".java"}
)

TESTS = sorted((ROOT / "jvm" / "src" / "test").rglob("*.scala"))


def split(path: Path) -> tuple[str, str]:
    """The package that a file is in, and the rest of its text without comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
    package = re.search(r"^package ([\w.]+);?$", text, re.MULTILINE)
    assert package is not None, path
    return package.group(1), text[package.end() :]


def part(package: str) -> str:
    """The part that a package belongs to."""
    if package.startswith(PRIVATE):
        return "accessors"
    return package[len(OURS) :].lstrip(".").split(".")[0] or "the extension"


def imported(text: str) -> set[str]:
    """The parts that a file names, in imports or in full."""
    names = set(re.findall(rf"{re.escape(OURS)}\.([a-z]\w*)", text))
    return names | ({"accessors"} if PRIVATE in text else set())


@pytest.mark.parametrize("name", ALLOWED)
def test_a_part_imports_what_it_may(name: str) -> None:
    files = [
        (path, text)
        for path in SOURCES
        for package, text in [split(path)]
        if part(package) == name
    ]
    assert files
    found = {other: path.name for path, text in files for other in imported(text) - {name}}
    assert {other: file for other, file in found.items() if other not in ALLOWED[name]} == {}
    unused = ALLOWED[name] - set(found)
    assert not unused, f"{name} imports none of {unused}: take them off the list"


def test_no_two_parts_depend_on_each_other() -> None:
    lower: set[str] = set()
    for name, others in ALLOWED.items():
        assert others <= lower
        lower.add(name)


def folder(package: str) -> str:
    """The folder of its part that a package belongs to; "" is the part itself."""
    return ".".join(package[len(OURS) :].lstrip(".").split(".")[1:])


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_imports_what_it_may(name: str) -> None:
    found: dict[str, set[str]] = {}
    sizes: dict[str, int] = {}
    for path in SOURCES:
        package, text = split(path)
        if part(package) == name:
            place = folder(package)
            others = re.findall(rf"{re.escape(OURS)}\.{name}\.([a-zA-Z]\w*)", text)
            folders = {other if other[0].islower() else "" for other in others}
            found[place] = found.get(place, set()) | (folders - {place})
            sizes[place] = sizes.get(place, 0) + 1
    assert found == FOLDERS[name]
    assert max(sizes.values()) <= 20, sizes


@pytest.mark.parametrize("name", FOLDERS)
def test_no_two_folders_depend_on_each_other(name: str) -> None:
    lower: set[str] = set()
    for place, others in FOLDERS[name].items():
        assert others <= lower
        lower.add(place)


@pytest.mark.parametrize("name", FOLDERS)
def test_the_folders_of_the_tests_are_those_of_the_code(name: str) -> None:
    sizes = Counter[str]()
    for path in TESTS:
        package, _ = split(path)
        if part(package) == name:
            assert path.parent.as_posix().endswith(package.replace(".", "/"))
            sizes[folder(package)] += 1
    assert set(sizes) - set(FOLDERS[name]) == TEST_FOLDERS.get(name, set())
    assert max(sizes.values()) <= 20, sizes


#: A class, object or trait at the top level of a file.
DEFINITION = re.compile(
    r"^(?:(?:final|sealed|abstract|private(?:\[\w+\])?|case|implicit) )*"
    r"(?:class|object|trait) (\w+)",
    re.MULTILINE,
)

#: A string or a character of Scala.
LITERAL = re.compile(r"""\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.DOTALL)


def uses() -> dict[str, set[str]]:
    """By file, the other files of its part that it uses by a name that they define.

    The files of one name for different Spark versions (`scala-spark-*`) count as one.
    """
    words: dict[str, set[str]] = {}
    owners: dict[str, dict[str, str]] = {}
    for path in SOURCES:
        package, text = split(path)
        code = LITERAL.sub("", text)
        file = "/".join(filter(None, [part(package), folder(package), path.stem]))
        words[file] = words.get(file, set()) | set(re.findall(r"\w+", code))
        owners.setdefault(part(package), {}).update(dict.fromkeys(DEFINITION.findall(code), file))
    return {
        file: {owner for name, owner in owners[file.split("/")[0]].items() if name in names}
        - {file}
        for file, names in words.items()
    }


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set()}
    assert circles(graph) == {frozenset({"a", "b", "c"})}


def test_no_two_files_depend_on_each_other() -> None:
    assert circles(uses()) == set()


def test_patterns_know_nothing_of_spark() -> None:
    for path in SOURCES:
        package, text = split(path)
        if part(package) in {"pattern", "text"}:
            assert "org.apache.spark" not in text, path


def test_each_part_is_on_the_page() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    found = {part(split(path)[0]) for path in SOURCES}
    assert found == set(ALLOWED)
    assert all(f"`{name}/`" in page for name in found - {"accessors", "the extension"})


def test_the_files_of_a_path_are_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    batch, stream = page.split("## The files of a path")[1].split("\n## ")[0].split("|\n\n")
    said = [int(n) for n in re.findall(r"\b(?:passes|store passes) (\d+)", batch + stream)]
    named = [re.findall(r"`(\w+)`", text) for text in (batch, stream)]
    assert [len(set(names)) for names in named] == said
    assert {path.stem for path in SOURCES} >= {name for names in named for name in names}
