"""What the metadata of the package say: the README as a page of a registry, and addresses."""

from __future__ import annotations

import importlib
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

pytest.importorskip("hatchling")

README = (ROOT / "README.md").read_text()
ADDRESS = "https://forge.example/org/project"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    return importlib.import_module("metadata_hook")


def targets(text: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", text)


def test_links_are_absolute(hook: Any) -> None:
    described = hook.description(README, ADDRESS, "1.2.3")
    assert len(targets(described)) == len(targets(README)) > 20
    for before, after in zip(targets(README), targets(described)):
        assert (ROOT / before).exists()
        kind = "raw" if before.endswith(".svg") else "tree" if before == "tests/sql" else "blob"
        assert after == f"{ADDRESS}/{kind}/v1.2.3/{before}"


def test_without_an_address_links_are_text(hook: Any) -> None:
    described = hook.description(README, "", "1.2.3")
    assert not targets(described)
    assert "Your first patterns continues from here" in described
    assert "docs/images" not in described


def test_other_links_stay(hook: Any) -> None:
    text = "[a](https://b.example/c) [d](#e) [f\ng](docs/guide.md#h)"
    expected = text.replace("docs/", f"{ADDRESS}/blob/v1/docs/")
    assert hook.description(text, ADDRESS, "1") == expected


@pytest.mark.parametrize("address", ["", ADDRESS, f"{ADDRESS}/"])
def test_the_metadata(hook: Any, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROJECT_URL", address)
    metadata: dict[str, Any] = {"version": "1.2.3"}
    hook.ProjectMetadata(str(ROOT), {}).update(metadata)
    assert metadata["readme"]["content-type"] == "text/markdown"
    assert metadata["urls"].get("Source") == (ADDRESS if address else None)
    # A source distribution says it already.
    monkeypatch.setenv("PROJECT_URL", "https://other.example")
    # It does not have an empty list.
    again = {key: value for key, value in metadata.items() if value}
    hook.ProjectMetadata(str(ROOT), {}).update(again)
    assert again == metadata


class TestCheckRelease:
    """What build/check_release.py says of a wheel."""

    @pytest.fixture
    def check(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        monkeypatch.syspath_prepend(str(ROOT / "build"))
        made = importlib.import_module("check_release")
        monkeypatch.setattr(made, "ADDRESS", ADDRESS)
        return made

    def wheel(self, folder: Path, metadata: str) -> Path:
        path = folder / "a-1-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as content:
            content.writestr("a-1.dist-info/METADATA", metadata)
        return path

    def test_a_good_one(self, check: Any, tmp_path: Path) -> None:
        text = f"Project-URL: Source, {ADDRESS}\n\n[a](https://b.example) [c](#d)"
        assert not list(check.wrongs_of_metadata(self.wheel(tmp_path, text)))

    def test_a_bad_one(self, check: Any, tmp_path: Path) -> None:
        wrong = list(check.wrongs_of_metadata(self.wheel(tmp_path, "\n[a](docs/guide.md)")))
        assert [ADDRESS in wrong[0], "docs/guide.md" in wrong[1]] == [True, True]
