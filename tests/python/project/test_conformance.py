"""What docs/conformance.md names exists, and no section of docs/semantics.md is missing there."""

from __future__ import annotations

import re

import golden
import pytest
from conftest import ROOT

TEXT = (ROOT / "docs" / "conformance.md").read_text()

CONTRACT = (ROOT / "docs" / "semantics.md").read_text()

#: Sections whose rules are in the sections below them, or in those of the grammar.
OTHERS = {"Variables", "Output", "One row per match", "All rows per match", "Event extensions"}

# * `file`: `test`, `test`
PROOF = re.compile(r"^\* `([^`]+)`(?::((?: `[^`]+`,?)+))?$", re.MULTILINE)
PROOFS = [(file, re.findall("`([^`]+)`", names or "")) for file, names in PROOF.findall(TEXT)]


def names_in(file: str) -> set[str]:
    """The names of a file's cases or tests."""
    path = ROOT / file
    text = path.read_text()
    if path.suffix == ".sql":
        # The text in brackets after a name is for the reader.
        return {case.name.split(" [")[0] for case in golden.read(path).cases}
    if path.suffix == ".py":
        return set(re.findall(r"def (test_\w+)", text))
    return set(re.findall(r'\btest\(\s*"((?:[^"\\]|\\.)*)"[,)]', text))


@pytest.mark.parametrize("file", sorted({file for file, _ in PROOFS}))
def test_what_it_names_exists(file: str) -> None:
    named = {name for proof, names in PROOFS if proof == file for name in names}
    assert not named - names_in(file)


def test_each_list_is_read() -> None:
    assert len(PROOFS) == len(re.findall(r"^\* `", TEXT, re.MULTILINE))


def test_each_section_of_the_contract_has_its_tests() -> None:
    rules = CONTRACT[CONTRACT.index("### Preference\n") :]
    titles = set(re.findall(r"^##+ (.+)$", rules, re.MULTILINE)) - OTHERS
    sections = [part.partition("\n") for part in re.split(r"^##+ ", TEXT, flags=re.MULTILINE)]
    proven = {title for title, _, text in sections if PROOF.search(text)}
    assert titles <= proven


def test_the_tests_of_the_contract_name_its_sections() -> None:
    titles = set(re.findall(r"^##+ (.+)$", CONTRACT, re.MULTILINE))
    for path in (ROOT / "tests" / "sql").glob("*.sql"):
        for case in golden.read(path).cases:
            named = re.search(r"\[(.+)\]$", case.name)
            assert not named or any(title in named.group(1) for title in titles), case.name


def test_each_line_of_the_grammar_has_its_tests() -> None:
    lines = re.split(
        r"^##+ ", TEXT.partition("## The grammar of the clause")[2], flags=re.MULTILINE
    )
    for line in lines[1:]:
        if not line.startswith("The grammar of"):
            assert PROOF.search(line), line
