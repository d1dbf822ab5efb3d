"""The messages that a person meets, as PySpark shows them: classic and Connect.

More errors, each with its underlined text, are in the golden files; here is what a message looks
like as a whole, and what happens where the extension itself is the trouble.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import golden
import match_recognize
import pyspark
import pytest
import scripts
from conftest import SPARK, needs_connect
from match_recognize.session import jars
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import SparkSession
from refusals import refusal

RUNNING = ".".join(map(str, SPARK))

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
    assert refusal(error).condition == "MATCH_RECOGNIZE.SECOND_QUANTIFIER"
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
    assert refusal(error).condition == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert error.getSqlState() == "42703"
    message = str(error)
    assert "`prise`" in message
    assert "`price`" in message
    assert "line 4" in message
    # Spark's check of a plan prints that plan, with what we have put into it.
    assert "MatchRecognize" not in message
    assert "Project" not in message


def test_unknown_variable(session: SparkSession) -> None:
    error = error_of(
        session,
        f"""SELECT * FROM {TICKS} MATCH_RECOGNIZE (
              PARTITION BY symbol ORDER BY day
              MEASURES C.price AS price
              PATTERN (A B+)
              DEFINE B AS price < PREV(price))""",
    )
    assert refusal(error).condition == "MATCH_RECOGNIZE.UNKNOWN_VARIABLE"
    assert error.getSqlState() == "42703"
    message = str(error)
    assert "Write one of the variables A, B, or a column" in message
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
    assert refusal(error).condition == "MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET"
    assert error.getSqlState() == "42601"
    message = str(error)
    assert "C in AFTER MATCH is not a variable of PATTERN or SUBSET." in message
    assert any(text.startswith("C") for text, _ in golden.underlined(message)), message


def test_getters_agree_with_the_text(session: SparkSession) -> None:
    error = error_of(
        session, f"SELECT * FROM {TICKS} MATCH_RECOGNIZE (PATTERN (A) DEFINE X AS true)"
    )
    assert refusal(error).condition == "MATCH_RECOGNIZE.DEFINE_NOT_IN_PATTERN"
    assert error.getMessageParameters()["variable"] == "X"
    if SPARK >= (4, 0):  # pyspark 3.5 has no such getter
        # Spark's own reader of conditions knows only Spark's; ours are registered with it.
        text = error.getMessage()
        assert "DEFINE has a condition for X, which is not a variable of PATTERN." in text
        assert "Write a variable of PATTERN (A), add X to PATTERN, or" in text


# Without the extension.
BARE = """
    spark = {session}.getOrCreate()
    try:
        spark.sql(probe.QUERY).collect()
    except Exception as error:
        # All that Spark can say, since nothing of ours is there.
        get = getattr(error, "getCondition", None) or error.getErrorClass
        print(type(error).__name__, get(), error.getSqlState())
        assert "MATCH_RECOGNIZE" in str(error), error
    # With the package there is more to say.
    print(refusal(lambda: match_recognize.sql(spark, probe.QUERY)))
    print(refusal(lambda: {action}))
    """


def test_without_the_extension_classic() -> None:
    said = scripts.run(BARE.format(session="builder()", action="configure(builder())"))
    assert "ParseException PARSE_SYNTAX_ERROR 42601" in said
    assert "spark = match_recognize.enable(spark)" in said
    assert "already running" in said


@needs_connect
def test_without_the_extension_connect() -> None:
    said = scripts.run(
        BARE.format(session='builder(None).remote("local[2]")', action="enable(spark)")
    )
    assert "ParseException PARSE_SYNTAX_ERROR 42601" in said
    assert "Start the server with" in said


def real_jars_of_other_sparks() -> list[str]:
    """Those that `make jars` has built, except the running Spark's."""
    built = {path.name: path for path in jars.JAR_FOLDER.glob("*.jar")}
    built.pop(Path(match_recognize.jar_path()).name)
    return [str(built[name]) for name in sorted(built)]


@pytest.fixture(scope="module")
def jar_of_another_spark(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A jar that is not for this Spark; where no other is built, ours that says so of itself."""
    return next(iter(real_jars_of_other_sparks()), None) or _relabelled(
        tmp_path_factory.mktemp("jars")
    )


def _relabelled(folder: Path) -> str:
    ours = Path(match_recognize.jar_path())
    copy = folder / ours.name.replace(f"{RUNNING}_", "3.3_")
    properties = "org/matchrecognize/spark/build.properties"
    with zipfile.ZipFile(ours) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == properties:
                assert f"spark.minor={RUNNING}".encode() in content
                content = content.replace(f"spark.minor={RUNNING}".encode(), b"spark.minor=3.3")
            target.writestr(entry, content)
    return str(copy)


def spark_and_scala(jar: str) -> tuple[str, str]:
    """What the name of a jar says: 4.1 and 2.13."""
    said = re.search(r"-spark-([\d.]+)_([\d.]+)-", jar)
    assert said, jar
    return said[1], said[2]


def names_the_right_jar(said: str, wrong: str) -> None:
    """The message for a jar on the running Spark."""
    minor, scala = spark_and_scala(wrong)
    _, running_scala = spark_and_scala(match_recognize.jar_path())
    assert "[MATCH_RECOGNIZE.WRONG_SPARK]" in said, said
    assert (
        f"is built for Spark {minor} (Scala {scala}), but this is Spark "
        f"{pyspark.__version__} (Scala {running_scala}). "
        f"Use {Path(match_recognize.jar_path()).name}, which" in said
    ), said
    assert "SQLSTATE: 0A000" in said, said


@pytest.mark.parametrize(
    "session_of",
    [
        'builder("local[2]")',
        pytest.param('builder(None).remote("local[2]")', marks=needs_connect),
    ],
)
def test_the_jar_of_another_spark(jar_of_another_spark: str, session_of: str) -> None:
    said = scripts.run(f"""
        from match_recognize.session.jars import EXTENSION
        other = {session_of}.config("spark.jars", {jar_of_another_spark!r})
        other = other.config("spark.sql.extensions", EXTENSION)
        try:
            other.getOrCreate().sql("SELECT 1").collect()
        except Exception as error:
            print(probe.first_lines(error))
        """)
    names_the_right_jar(said, jar_of_another_spark)


def test_enable_says_it_of_a_wrong_jar(jar_of_another_spark: str) -> None:
    said = scripts.run(f"""
        from match_recognize.session import extension
        extension.jar_path = lambda version=None: {jar_of_another_spark!r}
        spark = builder().getOrCreate()
        print(refusal(lambda: enable(spark)))
        """)
    names_the_right_jar(said, jar_of_another_spark)


def test_every_other_jar_names_the_right_one(spark: SparkSession) -> None:
    others = real_jars_of_other_sparks()
    if not others:
        pytest.skip("no other jar is built: make jars")
    jvm: Any = spark._jvm
    gateway: Any = spark.sparkContext._gateway
    none, nothing = gateway.new_array(jvm.Class, 0), gateway.new_array(jvm.Object, 0)
    for jar in others:
        urls = gateway.new_array(jvm.java.net.URL, 1)
        urls[0] = jvm.java.io.File(jar).toURI().toURL()
        # This loader has Spark's classes, and does not have our jar.
        loader = jvm.java.net.URLClassLoader(urls, jvm.ClassLoader.getSystemClassLoader())
        extension = loader.loadClass(jars.EXTENSION)
        arguments = gateway.new_array(jvm.Object, 1)
        arguments[0] = jvm.org.apache.spark.sql.SparkSessionExtensions()
        types = gateway.new_array(jvm.Class, 1)
        types[0] = jvm.Class.forName("org.apache.spark.sql.SparkSessionExtensions")
        # By reflection: py4j remembers a class by its name alone, and these have one name.
        apply = extension.getMethod("apply", types)
        with pytest.raises(Py4JJavaError) as caught:
            apply.invoke(extension.getConstructor(none).newInstance(nothing), arguments)
        said = caught.value.java_exception.getCause().getMessage()
        names_the_right_jar(said, jar)
