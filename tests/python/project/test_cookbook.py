"""The recipes of docs/cookbook: their answers, in both forms, and data that shows each condition.

The merge gate runs a quarter of them by turns, the nightly run all.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from match_recognize import Match
from match_recognize.plot import diagram
from match_recognize.sql_text.clause_parts import clauses
from match_recognize.sql_text.tokens import Token, tokens
from pages import BLOCK, PYTHON, table
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr
from seeds import turn

FOLDER = ROOT / "docs" / "cookbook"
RECIPES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "index")

IS_NIGHTLY = os.environ.get("MATCH_RECOGNIZE_DRAWS") == "nightly"
TODAY = [name for name in RECIPES if IS_NIGHTLY or turn(name, 4) == 0]


class Recipe:
    """The page of a recipe.

    Attributes:
        parts: the text below each heading of the second level.
    """

    def __init__(self, name: str) -> None:
        text = (FOLDER / f"{name}.md").read_text()
        self.head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
        self.parts = {title: rest for title, _, rest in (p.partition("\n") for p in parts)}

    def statements(self, title: str) -> list[tuple[str, str]]:
        """The statements of a part, each with its answer."""
        return BLOCK.findall(self.parts[title])

    @property
    def query(self) -> str:
        """The first query of the page."""
        return self.statements("Query")[0][0]


def texts(frame: DataFrame) -> list[list[str]]:
    """The rows as a page shows them, in any order."""
    return sorted([str(value) for value in row] for row in frame.collect())


def shown(text: str) -> tuple[list[str], list[list[str]]]:
    header, rows = table(text)
    return header, sorted(rows)


@pytest.fixture
def session(new_session: Callable[[], SparkSession]) -> SparkSession:
    return new_session()


def with_data(recipe: Recipe, session: SparkSession) -> None:
    for statement, _ in recipe.statements("Data"):
        session.sql(statement)


@pytest.mark.parametrize("name", TODAY)
def test_the_answers(name: str, session: SparkSession) -> None:
    recipe = Recipe(name)
    with_data(recipe, session)
    blocks = [*recipe.statements("Query"), *recipe.statements("Variations")]
    for statement, answer in blocks:
        if answer:
            frame = session.sql(statement)
            assert (frame.columns, texts(frame)) == shown(answer), statement
        else:
            assert statement.startswith("CREATE"), f"no answer below it: {statement}"
            session.sql(statement)
    (plan,) = session.sql(f"EXPLAIN FORMATTED {recipe.query}").collect()[0]
    (matcher,) = re.findall(r"^Matcher\s*: (\w+)", plan, re.MULTILINE)
    assert f"The matcher is `{matcher}`" in recipe.parts["Cost"]
    names: dict[str, object] = {"spark": session}
    for code, _ in PYTHON.findall(recipe.parts["In Python"]):
        exec(code, names)
    found = names["found"]
    frame = found.to_df() if isinstance(found, Match) else found
    assert isinstance(frame, DataFrame)
    assert (frame.columns, texts(frame)) == shown(blocks[0][1])


def conjuncts(found: list[Token]) -> Iterator[tuple[int, int]]:
    """The first and the last place of each operand of AND in a condition."""
    depth, start, between = 0, 0, False
    for i, token in enumerate(found):
        depth += (token.kind == "open") - (token.kind == "close")
        depth += (token.word == "CASE") - (token.word == "END")
        if depth == 0 and token.word == "AND" and not between:
            yield found[start].start, found[i - 1].end
            start = i + 1
        between = (between and token.word != "AND") or token.word == "BETWEEN"
    yield found[start].start, found[-1].end


def weaker(query: str) -> Iterator[tuple[str, str]]:
    """The query without one of its conditions, which is TRUE instead; and that condition."""
    (clause, *_) = clauses(query)
    for entry in clause.definitions:
        found = list(tokens(entry.condition))
        for start, end in conjuncts(found):
            yield (
                query[: entry.start + start] + "TRUE" + query[entry.start + end :],
                f"{entry.variable} AS {entry.condition[start:end]}",
            )
    if clause.within is not None:
        yield query[: clause.within.outer_start] + query[clause.within.outer_end :], "WITHIN"


@pytest.mark.parametrize("name", TODAY)
def test_each_condition_is_needed(name: str, session: SparkSession) -> None:
    recipe = Recipe(name)
    with_data(recipe, session)
    right = texts(session.sql(recipe.query))
    for statement, left_out in weaker(recipe.query):
        try:
            assert texts(session.sql(statement)) != right, f"the data does not need {left_out}"
        except PySparkException as error:
            # A pattern that nothing bounds is no query at all.
            assert "MATCH_RECOGNIZE" in str(error), left_out


@pytest.mark.nightly
@pytest.mark.parametrize("name", RECIPES)
def test_the_query_over_a_stream(name: str, session: SparkSession, tmp_path: Path) -> None:
    recipe = Recipe(name)
    with_data(recipe, session)
    answer = session.sql(recipe.query)
    right = texts(answer)
    view, order = (
        re.findall(rf"{words} (\w+)", recipe.statements(title)[0][0])[-1]
        for words, title in (("TEMP VIEW", "Data"), ("ORDER BY", "Query"))
    )
    rows, columns = session.table(view), answer.columns
    kind = rows.schema[order].dataType.typeName()
    time = f"timestamp_seconds({order})" if kind == "integer" else f"CAST({order} AS TIMESTAMP)"
    rows.withColumn("time__", expr(time)).write.parquet(str(tmp_path / "rows"))
    table = session.read.parquet(str(tmp_path / "rows"))
    stream = session.readStream.schema(table.schema).parquet(str(tmp_path / "rows"))
    stream.withWatermark("time__", "0 seconds").createOrReplaceTempView(view)
    query = session.sql(recipe.query.replace(f"ORDER BY {order}", "ORDER BY time__"))
    (
        query.writeStream.format("memory")
        .queryName("found")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
        .awaitTermination()
    )
    found = texts(session.table("found").select(*columns))
    # The last matches of a key can wait for a row that never comes.
    assert not Counter(map(tuple, found)) - Counter(map(tuple, right))


@pytest.mark.parametrize("name", RECIPES)
def test_the_page(name: str) -> None:
    recipe = Recipe(name)
    assert re.search(r"^\*Also called:\* \w", recipe.head, re.MULTILINE)
    titles = ["Data", "Query", "In Python", "Variations", "Cost"]
    assert list(recipe.parts) == [*titles, "On a stream"]
    assert len([answer for _, answer in recipe.statements("Variations") if answer]) >= 2
    (data, _), *_ = recipe.statements("Data")
    assert "NULL" in data
    picture = FOLDER.parent / "images" / "cookbook" / f"{name}.svg"
    assert f"](../images/cookbook/{name}.svg)" in recipe.parts["Query"]
    assert picture.read_text() == str(diagram(recipe.query))


def test_the_index_has_each_recipe() -> None:
    index = (FOLDER / "index.md").read_text()
    navigation = (ROOT / "mkdocs.yml").read_text()
    for name in RECIPES:
        assert f"]({name}.md)" in index, name
        assert f": cookbook/{name}.md" in navigation, name


def test_conditions_are_taken_apart() -> None:
    query = (
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY o PATTERN (A B) WITHIN 3 "
        "DEFINE A AS x BETWEEN 1 AND 2 AND (y > 1 AND z), B AS x)"
    )
    assert [left_out for _, left_out in weaker(query)] == [
        "A AS x BETWEEN 1 AND 2",
        "A AS (y > 1 AND z)",
        "B AS x",
        "WITHIN",
    ]
    assert [statement.partition("DEFINE ")[2] for statement, _ in weaker(query)] == [
        "A AS TRUE AND (y > 1 AND z), B AS x)",
        "A AS x BETWEEN 1 AND 2 AND TRUE, B AS x)",
        "A AS x BETWEEN 1 AND 2 AND (y > 1 AND z), B AS TRUE)",
        "A AS x BETWEEN 1 AND 2 AND (y > 1 AND z), B AS x)",
    ]
