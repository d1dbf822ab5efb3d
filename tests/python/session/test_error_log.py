"""What PySpark logs of the errors that our own functions raise: nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import match_recognize
import pytest
from match_recognize import cep, match, trace, why
from match_recognize.plot import plot_matches
from match_recognize.session import probe
from match_recognize.session.error_log import without_error_log
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

logger = pytest.importorskip("pyspark.logger", reason="Spark 3.5 does not log errors")

#: There is no column price.
TEXT = """SELECT * FROM VALUES (1), (2) AS t(day)
    MATCH_RECOGNIZE (ORDER BY day MEASURES A.price AS p PATTERN (A))"""


@pytest.fixture(params=["classic", "connect"])
def session(request: pytest.FixtureRequest) -> SparkSession:
    return request.getfixturevalue("connect" if request.param == "connect" else "spark")


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """The messages that PySpark logs."""
    messages: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    log = logger.PySparkLogger.getLogger("SQLQueryContextLogger")
    handler = Handler()
    log.addHandler(handler)
    filters = list(log.filters)
    yield messages
    log.removeHandler(handler)
    assert log.filters == filters


def of_sql(spark: SparkSession) -> object:
    return match_recognize.sql(spark, TEXT).collect()


def of_builder(spark: SparkSession) -> object:
    return built(spark).measures(p="A.price").to_df()


def of_computed_column(spark: SparkSession) -> object:
    of_another_frame = spark.sql("SELECT 2 AS day, 3 AS n").n
    return built(spark).measures(p=of_another_frame + 1).to_df()


def of_rows(spark: SparkSession) -> object:
    return built(spark).measures(p="RAISE_ERROR('no')").to_pandas()


def of_why(spark: SparkSession) -> object:
    return why(TEXT, spark)


def of_trace(spark: SparkSession) -> object:
    return trace(TEXT, spark)


def of_plot(spark: SparkSession) -> object:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    return plot_matches(built(spark).measures(p="A.price"), y="day")


def of_table(spark: SparkSession) -> object:
    found = match("no_such_table", spark).order_by("day").pattern("A").measures(p="1")
    return found.to_df()


def of_arrow(spark: SparkSession) -> object:
    return built(spark).measures(p="RAISE_ERROR('no')").to_arrow()


def of_polars(spark: SparkSession) -> object:
    pytest.importorskip("polars", reason="Polars is not installed")
    return built(spark).measures(p="RAISE_ERROR('no')").to_polars()


def of_plan(spark: SparkSession) -> object:
    return built(spark).measures(p="A.price").explain()


def of_methods(spark: SparkSession) -> object:
    made = built(spark).measures(p="A.price")
    with pytest.raises(PySparkException):
        made.trace()
    return made.why()


def of_cep(spark: SparkSession) -> object:
    pattern = cep.Pattern.begin("start").where("price > 1")
    return cep.matches(spark.sql("SELECT 1 AS day"), pattern, order_by="day")


def built(spark: SparkSession) -> Any:
    return match(spark.sql("SELECT 1 AS day")).order_by("day").pattern("A")


@pytest.mark.parametrize(
    "run",
    [
        of_sql,
        of_builder,
        of_computed_column,
        of_rows,
        of_arrow,
        of_polars,
        of_plan,
        of_methods,
        of_cep,
        of_why,
        of_trace,
        of_plot,
        of_table,
    ],
)
def test_our_errors(
    session: SparkSession,
    run: Callable[[SparkSession], object],
    logged: list[str],
) -> None:
    with pytest.raises((PySparkException, match_recognize.MatchRecognizeError)):
        run(session)
    assert logged == []


@pytest.mark.parametrize("options", ["", "--rows 2", "--to kept", "--why", "--plot day price"])
@pytest.mark.parametrize("broken", [("A.price", "A.prise"), ("PATTERN", "PATERN"), ("1)", "1")])
def test_cells(
    session: SparkSession, options: str, broken: tuple[str, str], logged: list[str]
) -> None:
    interactiveshell = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactiveshell.InteractiveShell()
    shell.history_manager.enabled = False
    shell.run_line_magic("load_ext", "match_recognize")
    try:
        shell.user_ns["spark"] = session
        outcome = shell.run_cell(f"%%match_recognize {options}\n{TEXT.replace(*broken)}")
        assert isinstance(outcome.error_in_exec, PySparkException)
        assert logged == []
    finally:
        shell.run_line_magic("unload_ext", "match_recognize")
        shell.history_manager.end_session()


def test_a_session_without_the_clause(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    monkeypatch.setattr(probe, "QUERY", "SELECT nowhere")
    assert not probe.understands(spark)
    assert "nowhere" in str(probe.failure(spark))
    assert logged == []


def test_other_errors_are_logged(spark: SparkSession, logged: list[str]) -> None:
    def fail(text: str) -> None:
        with pytest.raises(PySparkException):
            spark.sql(text)

    with pytest.raises(PySparkException):
        match_recognize.sql(spark, TEXT)
    fail("SELECT before")
    with without_error_log():
        fail("SELECT muted")
        with without_error_log():
            pass
        fail("SELECT also_muted")
        other = threading.Thread(target=fail, args=["SELECT of_another_thread"])
        other.start()
        other.join()
    fail("SELECT after")
    named = ["before", "of_another_thread", "after"]
    assert len(logged) == len(named)
    assert all(name in message for name, message in zip(named, logged))
