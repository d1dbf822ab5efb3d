"""Checks the pages of docs/: every query returns the table below it, and code fits the site.

Pictures and generated pages are up to date.
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable

import pytest
from conftest import ROOT
from match_recognize.sql_text.clause_parts import clauses
from pages import BLOCK, PYTHON, table
from pyspark.sql import SparkSession

DOCS = ROOT / "docs"
PAGES = [
    "index.md",
    "guide.md",
    "by-example.md",
    "semantics.md",
    "event-patterns.md",
    "faq.md",
    "matchers.md",
    "performance.md",
    *sorted(f"migration/{p.name}" for p in DOCS.glob("migration/*.md")),
]


@pytest.mark.parametrize("page", PAGES)
def test_queries(page: str, new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    tables = 0
    for query, answer in BLOCK.findall((DOCS / page).read_text()):
        if session.version < "4" and re.search(r"\|>|^EXECUTE IMMEDIATE", query):
            # Spark 3.5 has neither.
            continue
        frame = session.sql(query)
        if answer:
            tables += 1
            header, rows = table(answer)
            assert frame.columns == header, query
            assert [[str(value) for value in row] for row in frame.collect()] == rows, query
        else:
            assert query.startswith("CREATE"), f"no answer below it: {query}"
    assert tables > 0


@pytest.mark.parametrize(("page", "answers"), [("first-stream.md", 6), ("alarms.md", 3)])
def test_tutorials_of_streams(
    page: str,
    answers: int,
    new_session: Callable[[], SparkSession],
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = new_session()
    names: dict[str, object] = {"spark": session}
    blocks = PYTHON.findall((DOCS / page).read_text())
    try:
        for code, printed in blocks:
            # Blocks without a text below them print nothing.
            exec(code, names)
            assert capsys.readouterr().out.split() == printed.split(), code
    finally:
        for query in session.streams.active:
            query.stop()
    assert sum(1 for _, printed in blocks if printed) == answers


STREAMS = ["first-stream", "alarms", "streaming", "streaming-service", "pipelines"]
RECIPES = [f"cookbook/{p.stem}" for p in sorted(DOCS.glob("cookbook/*.md")) if p.stem != "index"]


@pytest.mark.parametrize("page", [*STREAMS, *RECIPES])
def test_statements_have_no_warning(page: str) -> None:
    """WITHIN without AFTER MATCH is warned of: the default is another one in Flink."""
    blocks = re.findall(r"(?ms)^```(?:sql|python)\n(.*?)^```", (DOCS / f"{page}.md").read_text())
    # A statement is a block of its own, or a text in Python.
    texts = [text for block in blocks for text in block.split('"""')]
    found = [clause for text in texts if "MATCH_RECOGNIZE (" in text for clause in clauses(text)]
    assert found
    for clause in found:
        assert clause.within is None or clause.after_match is not None, clause.pattern


def test_the_python_page(
    new_session: Callable[[], SparkSession], capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, object] = {"spark": new_session()}
    blocks = PYTHON.findall((DOCS / "python.md").read_text())
    for code, printed in blocks:
        exec(code, names)
        assert capsys.readouterr().out.split() == printed.split(), code
    assert sum(1 for _, printed in blocks if printed) == 8


def test_the_query_of_the_streaming_page(new_session: Callable[[], SparkSession]) -> None:
    session = new_session()
    (code, _), *_ = PYTHON.findall((DOCS / "streaming.md").read_text())
    assert code.count('format("console")') == 1
    names: dict[str, object] = {"spark": session}
    exec(code.replace('format("console")', 'format("noop")'), names)
    (query,) = session.streams.active
    try:
        # Its source always has more rows: the query would never be done with all.
        while query.lastProgress is None and query.exception() is None:
            time.sleep(0.1)
    finally:
        query.stop()
    assert query.exception() is None


@pytest.mark.parametrize(
    ("module", "target", "maker"),
    [
        ("configuration_page", "PAGE", "page"),
        ("contiguity_picture", "PICTURE", "picture"),
    ],
)
def test_generated(
    module: str,
    target: str,
    maker: str,
    new_session: Callable[[], SparkSession],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module(module)
    assert getattr(made, target).read_text() == getattr(made, maker)(new_session())


@pytest.mark.parametrize("name", ["matcher_fused", "matcher_automaton", "matcher_threads"])
def test_pictures_of_matchers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module("matcher_pictures")
    assert (made.IMAGES / f"{name}.svg").read_text() == made.PICTURES[name]()


def test_pictures_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "build"))
    made = importlib.import_module("grammar_pictures")
    drawn = {name: made.picture(name) for name in made.LINES}
    assert {path.stem: path.read_text() for path in made.IMAGES.glob("*")} == drawn
    shown = re.findall(r"\(images/grammar/([\w-]+)\.svg\)", (DOCS / "reference.md").read_text())
    assert shown == list(drawn)


# What a window of 1,280 pixels shows of a line of code, next to the site's two columns of links.
CODE_COLUMNS = 84


@pytest.mark.parametrize("page", sorted(str(p.relative_to(DOCS)) for p in DOCS.rglob("*.md")))
def test_code_does_not_scroll(page: str) -> None:
    fenced = False
    for line in (DOCS / page).read_text().splitlines():
        fenced ^= line.startswith("```")
        if fenced or line.startswith("    "):
            shown = line if fenced else line[4:]
            assert len(shown) <= CODE_COLUMNS, line


SOURCES = ROOT / "jvm" / "src"
SPARK_MAIN = SOURCES / "main" / "scala" / "org" / "matchrecognize" / "spark"
SPARK_TEST = SOURCES / "test" / "scala" / "org" / "matchrecognize" / "spark"
PACKAGE = ROOT / "python" / "match_recognize"


@pytest.mark.parametrize("page", sorted(p.name for p in (DOCS / "contributing").glob("*.md")))
def test_files_that_contributors_are_sent_to(page: str) -> None:
    text = (DOCS / "contributing" / page).read_text()
    named = set(re.findall(r"`([\w./-]+\.(?:scala|py|md|sql))`", text)) - {"ours.sql"}
    scala = (SPARK_MAIN, SPARK_TEST, SPARK_TEST / "reference", SPARK_MAIN / "pattern")
    folders = (ROOT, PACKAGE, *scala)
    missing = {name for name in named if not any((folder / name).exists() for folder in folders)}
    assert not missing
