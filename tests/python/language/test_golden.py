"""Runs the golden files of tests/sql. The format and the paths: tests/sql/README.md."""

from __future__ import annotations

import os
from collections.abc import Iterator

import golden
import pytest
from conftest import HAS_CONNECT, ROOT, SPARK, close_connect, copy_settings
from paths import CODEGEN, CONNECT, INTERPRETED, NOT_ADAPTIVE, Path
from pyspark.sql import DataFrame, SparkSession
from refusals import EXCEPTIONS, refusal
from seeds import turn

FILES = [golden.read(path) for path in sorted((ROOT / "tests" / "sql").glob("**/*.sql"))]


def paths(file: golden.GoldenFile, case: golden.Case) -> list[Path]:
    asked = os.environ.get("GOLDEN_PATHS")
    every = asked == "all"
    # All errors come to the client in the same way.
    by_client = every or (case.refusal and turn(f"{file.path.stem} {case.name}", 3) == 0)
    connect = [CONNECT] if HAS_CONNECT and by_client else []
    if asked == "alternate":
        of_file: tuple[list[Path], ...] = ([CODEGEN], [INTERPRETED], [], [])
        return of_file[turn(file.path.stem, len(of_file))]
    # Random suites compare both paths, too.
    interpreted = [INTERPRETED] if every or turn(file.path.stem, 6) == 0 else []
    return [CODEGEN, *interpreted, *connect, *([NOT_ADAPTIVE] if every else [])]


# Path by path within a file, so that a session serves all the cases of its file and path.
CASES = [
    pytest.param(
        file,
        case,
        path,
        id=f"{file.path.stem}-{case.name}-{path.name}",
        # Which files run so is drawn, too.
        marks=[pytest.mark.seeds] if path in (INTERPRETED, CONNECT) else [],
    )
    for file in FILES
    for path in (CODEGEN, INTERPRETED, CONNECT, NOT_ADAPTIVE)
    for case in file.cases
    if path in paths(file, case)
]


class Sessions:
    """The session of the file and path at hand, its setup done once."""

    def __init__(self, spark: SparkSession, connect_address: str | None) -> None:
        self.spark = spark
        self.connect_address = connect_address
        self.key: object = None
        self.session: SparkSession | None = None

    def get(self, file: golden.GoldenFile, path: Path) -> SparkSession:
        if self.key == (file.path, path.name) and self.session:
            return self.session
        self.close()
        session = copy_settings(self._open(path))
        self.key, self.session = (file.path, path.name), session
        for key, value in {**path.conf, **file.conf}.items():
            session.conf.set(key, value)
        for statement in file.setup:
            session.sql(statement)
        return session

    def _open(self, path: Path) -> SparkSession:
        if not path.connect:
            return self.spark.newSession()
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        return ConnectSession.builder.remote(self.connect_address).create()

    def close(self) -> None:
        if self.session is not None and self.key[1] == CONNECT.name:  # type: ignore[index]
            close_connect(self.session)
        self.key = self.session = None


@pytest.fixture(scope="module")
def sessions(spark: SparkSession, connect_address: str | None) -> Iterator[Sessions]:
    sessions = Sessions(spark, connect_address)
    yield sessions
    sessions.close()


@pytest.mark.parametrize(("file", "case", "path"), CASES)
def test_golden(
    file: golden.GoldenFile, case: golden.Case, path: Path, sessions: Sessions
) -> None:
    for sparks in (file.sparks, case.sparks):
        if SPARK not in sparks:
            pytest.skip(sparks.reason)
    session = sessions.get(file, path)
    before = {key: session.conf.get(key, None) for key in case.conf}
    where = f"{file.path}:{case.line} {case.name} ({path.name})\nwhy: {case.why or '-'}"
    try:
        for key, value in case.conf.items():
            session.conf.set(key, value)
        *first, last = case.statements()
        for statement in first:
            session.sql(statement)
        if case.answer:
            check_answer(session.sql(last), case, where)
        else:
            check_refusal(session, last, case.refusal, where)
    finally:
        for key, old in before.items():
            if old is None:
                session.conf.unset(key)
            else:
                session.conf.set(key, old)


def check_answer(frame: DataFrame, case: golden.Case, where: str) -> None:
    answer = case.answer
    assert answer
    assert frame.columns == [column.name for column in answer.columns], where
    types = [field.dataType.simpleString() for field in frame.schema.fields]
    for column, actual in zip(answer.columns, types):
        assert column.type in (None, actual), f"{column.name} is {actual}\n{where}"
    # Two columns may have one name, hence names of our own for the cast.
    names = [f"c{i}" for i in range(len(answer.columns))]
    texts = frame.toDF(*names).selectExpr(*[f"CAST({name} AS STRING)" for name in names])
    actual_rows = [[golden.show(value) for value in row] for row in texts.collect()]
    expected = answer.rows
    if not case.ordered:
        actual_rows, expected = sorted(actual_rows), sorted(expected)
    assert actual_rows == expected, f"{where}\nactual:\n{table(actual_rows)}"


def table(rows: list[list[str]]) -> str:
    """Rows as a golden file writes them, to be copied from a failure."""
    return "\n".join("-- | " + " | ".join(row) + " |" for row in rows)


def check_refusal(
    session: SparkSession, statement: str, expected: golden.Refusal | None, where: str
) -> None:
    assert expected
    with pytest.raises(EXCEPTIONS) as caught:
        rows = session.sql(statement).collect()
        where += f"\nno error; rows: {rows}"
        pytest.fail(where)
    said = refusal(caught.value)
    message = said.message
    where += f"\n{message}"
    assert said.condition == expected.condition, where
    if expected.sql_state:
        assert said.sql_state == expected.sql_state, where
    for text in expected.says:
        assert text in message, where
    if expected.underlines:
        marks = golden.underlined(message)
        assert any(
            text == expected.underlines if exact else text.startswith(expected.underlines)
            for text, exact in marks
        ), f"underlined: {marks}\n{where}"
