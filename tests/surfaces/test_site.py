"""The search of the documentation's site finds what a person pastes from an error or a setting.

The site is built as ``make docs`` builds it. Its search runs in the browser, by the index and
the rules that Material for MkDocs gives to lunr; ``ranked`` follows these rules as far as the
order of the pages depends on them.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from collections.abc import Callable, Iterator

import pytest
import surface

PREFIX = "spark.sql.matchRecognize"


def headings(page: str, pattern: str) -> list[str]:
    """Those of a page that is generated: it has all errors, or all settings."""
    found = re.findall(pattern, (surface.ROOT / "docs" / page).read_text(), re.MULTILINE)
    assert found
    return found


Search = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Search:
    """Places of the site that have words of a query, the best first."""
    site = tmp_path_factory.mktemp("site")
    subprocess.run(
        [surface.tools("docs") / "mkdocs", "build", "--quiet", "--site-dir", site],
        cwd=surface.ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    index = json.loads((site / "search" / "search_index.json").read_text())
    separator = re.compile(index["config"]["separator"])
    title_boost = index["config"]["fields"]["title"]["boost"]

    def words(text: str) -> Iterator[str]:
        for piece in re.split(r"<[^>]*>", text):
            yield from (word.lower() for word in separator.split(piece) if word)

    entries = [
        (entry, set(words(entry["title"])), set(words(entry["text"]))) for entry in index["docs"]
    ]

    every = sorted({word for _, title, text in entries for word in title | text})

    def rarity(word: str) -> float:
        found = sum(word in title or word in text for _, title, text in entries)
        return math.log(1 + abs((len(entries) - found + 0.5) / (found + 0.5)))

    def ranked(query: str) -> list[str]:
        # The browser cuts the query by the same rule. A word of it matches all that begin so.
        meant = [
            {word: rarity(word) for word in every if word.startswith(asked)}
            for asked in words(query)
        ]
        scored = []
        for entry, title, text in entries:
            hits = [
                sum(
                    weight * (title_boost * (word in title) + (word in text))
                    for word, weight in weights.items()
                )
                for weights in meant
            ]
            # More of the query counts more, and so does the head of a page.
            share = sum(hit > 0 for hit in hits) / len(hits) + ("#" not in entry["location"])
            points = sum(hits) * entry.get("boost", 1) * (1 + share**2)
            scored.append((points, entry["location"]))
        return [place for points, place in sorted(scored, reverse=True) if points > 0]

    return ranked


def test_each_error_has_a_heading_that_is_found(search: Search) -> None:
    for name in headings("errors.md", r"^### (\w+)$"):
        place = f"errors.html#{name.lower()}"
        for query in (name, f"MATCH_RECOGNIZE.{name}", f"[MATCH_RECOGNIZE.{name}]"):
            # A word matches all that begin so: UNKNOWN_SKIP finds UNKNOWN_SKIP_TARGET, too.
            found = search(query)
            assert place in found, query
            before = found[: found.index(place)]
            assert all(each.startswith(place) for each in before), query


def test_each_setting_has_a_heading_that_is_found(search: Search) -> None:
    for key in headings("configuration.md", rf"^## ({PREFIX}\.\w+)$"):
        name = key.rpartition(".")[2]
        place = f"configuration.html#sparksqlmatchrecognize{name.lower()}"
        for query in (name, key, f"SET {key}=1", f"`{key}`"):
            assert search(query)[:1] == [place], query


@pytest.mark.parametrize(
    "words",
    ["PERMUTE", "MEASURES", "DEFINE", "SUBSET", "PARTITION BY", "SKIP TO NEXT ROW", "quantifier"],
)
def test_the_reference_comes_before_the_lists_of_tests(search: Search, words: str) -> None:
    pages = [place.partition("#")[0] for place in search(words)]
    assert pages.index("reference.html") < pages.index("conformance.html"), pages


def test_the_limitations_are_found(search: Search) -> None:
    assert search("limitations")[0] == "limitations.html"
