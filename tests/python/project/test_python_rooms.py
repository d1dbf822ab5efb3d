"""Each folder of the Python package imports only the folders that it may; no files in a circle.

A folder of the package is a room here, and so is a module beside the folders. ``test_rooms.py``
does the same for Scala.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import match_recognize
import pytest
from circles import circles
from conftest import ROOT

FOLDER = ROOT / "python" / "match_recognize"

#: The files ``__init__.py`` and ``__main__.py`` of the package itself.
TOP = "the package"

#: By room, the rooms that it may import. The order is from the lowest to the highest.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "kinds": {"errors"},
    "query": set(),
    "tables": set(),
    "sql_text": {"errors"},
    "session": {"errors", "kinds", "sql_text"},
    "streaming": {"errors", "tables"},
    "row_pattern": {"errors", "sql_text"},
    "explanations": {"errors", "kinds", "query", "session", "tables"},
    "plot": {"errors", "kinds", "query", "row_pattern", "session", "sql_text"},
    "builder": {
        "errors",
        "explanations",
        "kinds",
        "plot",
        "query",
        "row_pattern",
        "session",
        "sql_text",
    },
    "functions": {"builder", "row_pattern", "sql_text"},
    "patterns": {"builder", "functions", "row_pattern", "sql_text"},
    "cep": {"builder", "row_pattern", "sql_text"},
    "translation": {"errors", "sql_text"},
    "editors": {"errors", "sql_text"},
    "notebook": {
        "builder",
        "errors",
        "explanations",
        "plot",
        "session",
        "sql_text",
        "tables",
    },
    "demo": {"errors", "session", "tables"},
    TOP: {
        "builder",
        "errors",
        "explanations",
        "notebook",
        "session",
        "streaming",
        "translation",
    },
}

#: The most files in a folder.
MOST = 20

#: The folders of tests that the package does not have.
TEST_FOLDERS = {"language", "project"}

#: Names of public functions that will come.
COMING = {"sessions"}


def dotted(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(FOLDER.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


#: By dotted name, the file of each module, relative to the package.
MODULES = {dotted(path): str(path.relative_to(FOLDER)) for path in sorted(FOLDER.rglob("*.py"))}


def imported(text: str, modules: Mapping[str, str]) -> set[str]:
    """The files of the package that a text imports: also in functions, and for types only.

    That Python runs the ``__init__.py`` of each package on the path does not count.
    """

    def named() -> Iterator[str]:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.module is not None and not node.level, "imports are absolute"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from (name if name in modules else node.module for name in names)

    return {modules[name] for name in named() if name in modules}


USES = {
    file: imported((FOLDER / file).read_text(), MODULES) - {file} for file in MODULES.values()
}


def room(file: str) -> str:
    """The room that a file belongs to."""
    first = Path(file).parts[0]
    return TOP if first in ("__init__.py", "__main__.py") else first.removesuffix(".py")


def faults(
    name: str, uses: Mapping[str, set[str]], allowed: Mapping[str, set[str]]
) -> dict[str, str]:
    """By room, what is wrong with it in the list of those that a room may import."""
    found = {
        room(other): file
        for file, others in uses.items()
        if room(file) == name
        for other in others
        if room(other) != name
    }
    refused = {other: f"{file} imports it" for other, file in found.items()}
    return {
        **{other: refused[other] for other in found if other not in allowed[name]},
        **{other: "no file imports it" for other in allowed[name] if other not in found},
    }


@pytest.mark.parametrize("name", ALLOWED)
def test_a_room_imports_what_it_may(name: str) -> None:
    assert faults(name, USES, ALLOWED) == {}


def test_each_room_is_in_the_list() -> None:
    assert {room(file) for file in USES} == set(ALLOWED)


def test_no_two_rooms_depend_on_each_other() -> None:
    lower: set[str] = set()
    for name, others in ALLOWED.items():
        assert others <= lower
        lower.add(name)


def test_no_two_files_depend_on_each_other() -> None:
    assert circles(USES) == set()


def test_the_folders_of_the_tests_are_those_of_the_code() -> None:
    folders = {path.parent.name for path in (ROOT / "tests" / "python").glob("*/test_*.py")}
    assert folders - set(ALLOWED) == TEST_FOLDERS


def crowded(files: list[Path]) -> dict[Path, int]:
    """The folders with more files than there may be."""
    sizes = Counter(file.parent for file in files)
    return {folder: size for folder, size in sizes.items() if size > MOST}


@pytest.mark.parametrize("folder", [FOLDER, ROOT / "tests" / "python"], ids=lambda f: f.name)
def test_no_folder_is_crowded(folder: Path) -> None:
    assert crowded(list(folder.rglob("*.py"))) == {}


def test_no_room_has_the_name_of_a_public_function() -> None:
    names = set(match_recognize.__all__) | COMING
    assert {"progress", "sessions", "translate", "why"} <= names
    assert {room(file) for file in USES} & names == set()


def test_each_room_is_on_the_page() -> None:
    page = (ROOT / "docs" / "contributing" / "python.md").read_text()
    _, _, text = page.partition("## Folders\n")
    table, _, _ = text.partition("\n## ")
    first_columns = "".join(re.findall(r"^\| (`[^|]*)\|", table, re.MULTILINE))
    rooms = [room(name.rstrip("/")) for name in re.findall(r"`([^`]+)`", first_columns)]
    assert list(dict.fromkeys(rooms)) == list(ALLOWED)


MADE_UP = {"low/a.py": {"high/b.py"}, "high/b.py": set(), "high/c.py": {"low/a.py"}}


def test_faults_are_found() -> None:
    allowed = {"low": {"lowest"}, "high": {"low"}}
    assert faults("high", MADE_UP, allowed) == {}
    assert faults("low", MADE_UP, allowed) == {
        "high": "low/a.py imports it",
        "lowest": "no file imports it",
    }


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("import p.a.b", {"a/b.py"}),
        ("from p.a import b", {"a/b.py"}),
        ("from p.a import f, b", {"a/__init__.py", "a/b.py"}),
        ("from p.a.b import f", {"a/b.py"}),
        ("from p import f", {"__init__.py"}),
        ("def f():\n    from p.a.b import f", {"a/b.py"}),
        ("if TYPE_CHECKING:\n    from p.a.b import F", {"a/b.py"}),
        ("import os\nfrom pathlib import Path\n# import p.a.b", set()),
    ],
)
def test_imports_are_read(text: str, files: set[str]) -> None:
    modules = {"p": "__init__.py", "p.a": "a/__init__.py", "p.a.b": "a/b.py"}
    assert imported(text, modules) == files


def test_crowded_folders_are_found() -> None:
    files = [Path("a", f"{i}.py") for i in range(MOST)]
    assert crowded([*files, Path("b", "0.py")]) == {}
    assert crowded([*files, Path("a", "more.py")]) == {Path("a"): MOST + 1}
