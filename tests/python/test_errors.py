"""The messages that a person meets, as PySpark shows them: classic and Connect.

More errors, each with its underlined text, are in the golden files; here is what a message looks
like as a whole, and what happens where the extension itself is the trouble.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import golden
import match_recognize
import pytest
import scripts
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession

TICKS = "(SELECT * FROM VALUES ('a', 1, 10.0), ('a', 2, 9.0) AS v(symbol, day, price))"


@pytest.fixture(params=["classic", "connect"])
def session(request: pytest.FixtureRequest) -> SparkSession:
    if request.param == "connect":
        return request.getfixturevalue("connect")
    return request.getfixturevalue("spark")


def error_of(session: SparkSession, text: str) -> PySparkException:
    with pytest.raises(PySparkException) as caught:
        session.sql(text).collect()
    return caught.value


def test_syntax_error(session: SparkSession) -> None:
    error = error_of(
        session,
        f"""SELECT * FROM {TICKS} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day
              PATTERN (A B+*)
              DEFINE B AS price < PREV(price))""",
    )
    assert isinstance(error, ParseException)
    assert error.getCondition() == "MATCH_RECOGNIZE.SECOND_QUANTIFIER"
    assert error.getSqlState() == "42601"
    message = str(error)
    assert "[MATCH_RECOGNIZE.SECOND_QUANTIFIER]" in message
    assert "SQLSTATE: 42601" in message
    assert "line 3" in message
    assert any(text.startswith("*") for text, _ in golden.underlined(message)), message


def test_unknown_column(session: SparkSession) -> None:
    error = error_of(
        session,
        f"""SELECT * FROM {TICKS} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day
              PATTERN (A B+)
              DEFINE B AS B.prise < PREV(price))""",
    )
    assert isinstance(error, AnalysisException)
    # Spark's own condition: its rules resolve the columns.
    assert error.getCondition() == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert error.getSqlState() == "42703"
    message = str(error)
    assert "`prise`" in message
    assert "`price`" in message
    assert "line 4" in message


def test_unknown_variable(session: SparkSession) -> None:
    error = error_of(
        session,
        f"""SELECT * FROM {TICKS} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day
              MEASURES C.price AS price
              PATTERN (A B+)
              DEFINE B AS price < PREV(price))""",
    )
    assert error.getCondition() == "MATCH_RECOGNIZE.UNKNOWN_VARIABLE"
    assert error.getSqlState() == "42703"
    message = str(error)
    assert "The variables are: A, B" in message
    assert any(text.startswith("C") for text, _ in golden.underlined(message)), message


def test_unknown_skip_target(session: SparkSession) -> None:
    error = error_of(
        session,
        f"""SELECT * FROM {TICKS} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day
              AFTER MATCH SKIP TO C
              PATTERN (A B+)
              DEFINE B AS price < PREV(price))""",
    )
    assert error.getCondition() == "MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET"
    assert error.getSqlState() == "42601"
    message = str(error)
    assert "SKIP TO C: no variable of that name" in message
    assert any(text.startswith("C") for text, _ in golden.underlined(message)), message


def test_getters_agree_with_the_text(session: SparkSession) -> None:
    error = error_of(
        session, f"SELECT * FROM {TICKS} MATCH_RECOGNIZE (PATTERN (A) DEFINE X AS true)"
    )
    assert error.getCondition() == "MATCH_RECOGNIZE.DEFINE_NOT_IN_PATTERN"
    assert error.getMessageParameters()["variable"] == "X"
    # Spark's own reader of conditions knows only Spark's; ours are registered with it.
    assert "DEFINE X: PATTERN does not use" in error.getMessage()


def test_without_the_extension_classic_and_connect() -> None:
    script = """
        spark = {session}.getOrCreate()
        try:
            spark.sql(probe.QUERY).collect()
        except Exception as error:
            # All that Spark can say, since nothing of ours is there.
            print(type(error).__name__, error.getCondition(), error.getSqlState())
            assert "MATCH_RECOGNIZE" in str(error), error
        # With the package there is more to say.
        print(refusal(lambda: match_recognize.sql(spark, probe.QUERY)))
        print(refusal(lambda: {action}))
        """
    said = scripts.run(script.format(session="builder()", action="configure(builder())"))
    assert "ParseException PARSE_SYNTAX_ERROR 42601" in said
    assert "spark = match_recognize.enable(spark)" in said
    assert "already running" in said
    said = scripts.run(
        script.format(session='builder(None).remote("local[2]")', action="enable(spark)")
    )
    assert "ParseException PARSE_SYNTAX_ERROR 42601" in said
    assert "Start the server with" in said


@pytest.fixture(scope="module")
def jar_of_another_spark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our jar, saying of itself that it was built for Spark 3.5 and Scala 2.12."""
    ours = Path(match_recognize.jar_path())
    copy = tmp_path_factory.mktemp("jars") / ours.name.replace("4.3_2.13", "3.5_2.12")
    properties = "org/matchrecognize/spark/build.properties"
    with zipfile.ZipFile(ours) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == properties:
                text = content.decode()
                assert "spark.minor=4.3" in text
                assert "scala.binary=2.13" in text
                text = text.replace("spark.minor=4.3", "spark.minor=3.5")
                content = text.replace("scala.binary=2.13", "scala.binary=2.12").encode()
            target.writestr(entry, content)
    return copy


@pytest.mark.parametrize(
    "session_of", ['builder("local[2]")', 'builder(None).remote("local[2]")']
)
def test_the_jar_of_another_spark(jar_of_another_spark: Path, session_of: str) -> None:
    said = scripts.run(f"""
        from match_recognize.jars import EXTENSION
        other = {session_of}.config("spark.jars", {str(jar_of_another_spark)!r})
        other = other.config("spark.sql.extensions", EXTENSION)
        try:
            other.getOrCreate().sql("SELECT 1").collect()
        except Exception as error:
            print(probe.first_lines(error))
        """)
    assert "[MATCH_RECOGNIZE.WRONG_SPARK]" in said, said
    assert "is built for Spark 3.5 (Scala 2.12), but this is Spark 4.3" in said, said
    assert "spark-match-recognize-spark-4.3_2.13" in said, said
    assert "SQLSTATE: 0A000" in said, said


def test_enable_says_it_of_a_wrong_jar(jar_of_another_spark: Path) -> None:
    said = scripts.run(f"""
        from match_recognize import session
        session.jar_path = lambda version=None: {str(jar_of_another_spark)!r}
        spark = builder().getOrCreate()
        print(refusal(lambda: enable(spark)))
        """)
    assert "[MATCH_RECOGNIZE.WRONG_SPARK]" in said, said
