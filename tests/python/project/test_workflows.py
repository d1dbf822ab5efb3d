"""The workflows of .github call Make targets, and do nothing that these do not do."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest
import yaml
from conftest import ROOT

FOLDER = ROOT / ".github" / "workflows"
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in FOLDER.glob("*.yml")}

#: The steps of a workflow that are no Make targets.
OTHERS = {"mkdir dist && cp staged/*.whl staged/*.tar.gz dist/"}


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_run_make(name: str) -> None:
    commands = {step["run"] for step in steps(WORKFLOWS[name]) if "run" in step} - OTHERS
    assert commands and all(command.startswith("make ") for command in commands)
    makefile = (ROOT / "Makefile").read_text()
    for command in commands:
        assert f"\n{command.split()[1]}:" in makefile, command


def test_the_nightly_run_has_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    parts = importlib.import_module("parts")
    (job,) = WORKFLOWS["nightly"]["jobs"].values()
    assert job["strategy"]["matrix"]["part"] == [p.target for p in parts.PLANS["nightly"]]


def test_each_suite_of_make_fuzz_exists() -> None:
    # sbt says nothing of a name that no suite has.
    makefile = (ROOT / "Makefile").read_text()
    lists = r"^FUZZ_(?:MATCHERS|SUITES) +:= ((?:.*\\\n)*.*)$"
    words = re.findall(lists, makefile, re.MULTILINE)
    names = re.findall(r"\*(\w+Suite)", " ".join(words))
    assert len(names) > 20
    sources = (ROOT / "jvm" / "src" / "test").rglob("*.scala")
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    there = set(re.findall(r"^(?:final )?class (\w+Suite)\b", text, re.MULTILINE))
    assert set(names) <= there
