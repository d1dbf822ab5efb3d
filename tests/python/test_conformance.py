"""What docs/conformance.md names exists, and no rule of the contract is missing there."""

from __future__ import annotations

import re

import golden
import pytest
from conftest import ROOT

TEXT = (ROOT / "docs" / "conformance.md").read_text()

RULES = 19

# * `file`: `test`, `test`
PROOF = re.compile(r"^\* `([^`]+)`(?::((?: `[^`]+`,?)+))?$", re.MULTILINE)
PROOFS = [(file, re.findall("`([^`]+)`", names or "")) for file, names in PROOF.findall(TEXT)]


def names_in(file: str) -> set[str]:
    """The names of a file's cases or tests."""
    path = ROOT / file
    text = path.read_text()
    if path.suffix == ".sql":
        # What stands in brackets behind a name is for the reader.
        return {case.name.split(" [")[0] for case in golden.read(path).cases}
    if path.suffix == ".py":
        return set(re.findall(r"def (test_\w+)", text))
    return set(re.findall(r'\btest\(\s*"((?:[^"\\]|\\.)*)"\)', text))


@pytest.mark.parametrize("file", sorted({file for file, _ in PROOFS}))
def test_what_it_names_exists(file: str) -> None:
    named = {name for proof, names in PROOFS if proof == file for name in names}
    assert not named - names_in(file)


def test_each_list_is_read() -> None:
    assert len(PROOFS) == len(re.findall(r"^\* `", TEXT, re.MULTILINE))


def test_each_rule_has_its_tests() -> None:
    sections = re.split(r"^## ", TEXT, flags=re.MULTILINE)
    rules = [section for section in sections if section.startswith("Rule ")]
    numbers = [int(re.match(r"Rule (\d+)\. ", rule).group(1)) for rule in rules]  # type: ignore[union-attr]
    assert numbers == list(range(1, RULES + 1))
    assert all(PROOF.search(rule) for rule in rules)


def test_each_line_of_the_grammar_has_its_tests() -> None:
    lines = re.split(
        r"^##+ ", TEXT.partition("## The grammar of the clause")[2], flags=re.MULTILINE
    )
    for line in lines[1:]:
        if not line.startswith("The grammar of"):
            assert PROOF.search(line), line
