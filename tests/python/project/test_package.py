"""The package without the engine: picking jars, keeping what the user set, messages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import match_recognize
import pyspark
import pytest
from conftest import ROOT
from match_recognize import MatchRecognizeError
from match_recognize.session import extension, jars, submit
from match_recognize.session.jars import EXTENSION
from pyspark import SparkContext
from pyspark.sql import SparkSession


class Builder:
    """What configure sees of a builder; Spark's own would need a Spark to be looked into."""

    def __init__(self, **options: str) -> None:
        self._options = {key.replace("_", "."): value for key, value in options.items()}

    def config(self, key: str, value: str) -> Builder:
        self._options[key] = value
        return self


def test_the_documentation_names_the_sparks_of_the_list() -> None:
    lines = (jars.FOLDER / "sparks.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    minors, _, compiled, tested = zip(*rows)

    def cells(*words: str) -> str:
        return "| " + " | ".join(words) + " |"

    for page, table in (
        ("README.md", cells("Spark", *minors)),
        ("README.md", cells("tested on", *tested)),
        ("docs/compatibility.md", cells("", *tested).replace("  ", " ")),
    ):
        assert table in (ROOT / page).read_text(), (page, table)
    versions = (ROOT / "docs" / "versions.md").read_text()
    for minor, scala, against, on in rows:
        start = f"| {minor}, Scala {scala.rpartition('.')[0]} |"
        found = [line for line in versions.splitlines() if line.startswith(start)]
        assert found, start
        assert against in found[0] and on in found[0], found
    assert f"pyspark=={compiled[-1]}\n" in (ROOT / "build" / "requirements.txt").read_text()


def test_there_are_few_public_names() -> None:
    names = {name for name in dir(match_recognize) if not name.startswith("__")}
    names -= {"load_ipython_extension", "unload_ipython_extension"}
    assert len(names) <= 15, names
    for name in match_recognize.__all__:
        assert getattr(match_recognize, name).__module__.startswith("match_recognize.")
    assert {"functions", "patterns"} <= names
    with pytest.raises(AttributeError, match="has no attribute 'plot_matches'"):
        match_recognize.plot_matches  # noqa: B018


def test_the_package_imports_nothing_until_it_is_asked() -> None:
    program = (
        "import sys; before = set(sys.modules); import match_recognize; "
        "new = set(sys.modules) - before; "
        "assert not any('pyspark' in name for name in new), new; "
        "assert [name for name in new if name.startswith('match')] == ['match_recognize'], new"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.fixture
def jar_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a (empty) jar for each of three Sparks, instead of the package's own."""
    monkeypatch.setattr(jars, "JAR_FOLDER", tmp_path)
    for name in ("3.5_2.12-0.1.0", "4.1_2.13-0.1.0", "4.3_2.13-0.1.0"):
        (tmp_path / f"spark-match-recognize-spark-{name}.jar").touch()
    return tmp_path


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A process in which no Spark has run yet, though another test may have started one."""
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(SparkSession, "_instantiatedSession", None)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    for name in ("PYSPARK_SUBMIT_ARGS", "SPARK_REMOTE", "SPARK_HOME", "PYSPARK_GATEWAY_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.setattr(pyspark, "__version__", "4.3.0")
    yield
    # configure() sets it itself, without monkeypatch.
    os.environ.pop("PYSPARK_SUBMIT_ARGS", None)


@pytest.fixture
def jar(jar_folder: Path) -> str:
    return str(jar_folder / "spark-match-recognize-spark-4.3_2.13-0.1.0.jar")


class TestJarPath:
    @pytest.mark.parametrize(
        ("version", "name"),
        [
            ("3.5", "3.5_2.12"),
            ("3.5.9", "3.5_2.12"),
            ("4.1.0.dev0", "4.1_2.13"),
            ("4.3.0-amzn-0", "4.3_2.13"),
        ],
    )
    def test_by_the_first_two_numbers(self, jar_folder: Path, version: str, name: str) -> None:
        expected = jar_folder / f"spark-match-recognize-spark-{name}-0.1.0.jar"
        assert match_recognize.jar_path(version) == str(expected)

    def test_default_is_the_installed_spark(
        self, jar: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pyspark, "__version__", "4.3.7")
        assert match_recognize.jar_path() == jar

    def test_of_several_the_one_of_this_version(
        self, jar_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jars, "package_version", lambda: "0.2.0")
        newer = jar_folder / "spark-match-recognize-spark-4.3_2.13-0.2.0.jar"
        newer.touch()
        assert match_recognize.jar_path("4.3") == str(newer)

    @pytest.mark.parametrize("version", ["3.4.1", "4.30.0", "5.0.0", "nonsense"])
    def test_unsupported(self, jar_folder: Path, version: str) -> None:
        with pytest.raises(MatchRecognizeError) as caught:
            match_recognize.jar_path(version)
        assert f"no jar for Spark {version}." in str(caught.value)
        assert "3.5, 4.0, 4.1, 4.2, 4.3" in str(caught.value)

    def test_missing(self, jar_folder: Path) -> None:
        with pytest.raises(MatchRecognizeError) as caught:
            match_recognize.jar_path("4.2.1")
        message = str(caught.value)
        assert "spark-match-recognize-spark-4.2_2.13" in message
        assert "there: spark-match-recognize-spark-3.5_2.12-0.1.0.jar, " in message
        assert "pip install --force-reinstall" in message

    def test_missing_in_a_checkout(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "build.sbt").touch()
        monkeypatch.setattr(jars, "JAR_FOLDER", tmp_path / "python" / "match_recognize" / "jars")
        with pytest.raises(MatchRecognizeError, match=r"there: no jar.*make jar"):
            match_recognize.jar_path("4.3")


@pytest.mark.usefixtures("nothing_runs")
class TestConfigure:
    def test_a_bare_builder(self, jar: str) -> None:
        builder = Builder()
        assert extension.configure(builder) is builder
        assert builder._options == {"spark.jars": jar, "spark.sql.extensions": EXTENSION}
        assert "PYSPARK_SUBMIT_ARGS" not in os.environ

    def test_sparks_own_builder(self, jar: str) -> None:
        builder = extension.configure(SparkSession.builder.appName("mine"))
        assert builder._options["spark.jars"] == jar

    def test_what_the_builder_has_is_kept_and_ours_comes_first(self, jar: str) -> None:
        builder = Builder(spark_jars="a.jar, b.jar", spark_sql_extensions="X,Y")
        extension.configure(builder)
        assert builder._options == {
            "spark.jars": f"a.jar,b.jar,{jar}",
            "spark.sql.extensions": f"{EXTENSION},X,Y",
        }

    def test_again_changes_nothing(self, jar: str) -> None:
        builder = extension.configure(Builder(spark_sql_extensions=f"X,{EXTENSION}"))
        once = dict(builder._options)
        assert once["spark.sql.extensions"] == f"{EXTENSION},X"
        assert extension.configure(builder)._options == once

    def test_submit_arguments_are_kept(self, jar: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(
            "PYSPARK_SUBMIT_ARGS",
            "--verbose --jars a.jar --conf 'spark.sql.extensions=X' "
            "--conf spark.jars=ignored.jar pyspark-shell",
        )
        builder = extension.configure(Builder())
        assert builder._options == {
            "spark.jars": f"a.jar,{jar}",
            "spark.sql.extensions": f"{EXTENSION},X",
        }
        # spark-submit takes --jars for the driver's class path, whatever the builder says.
        arguments = submit.SubmitArguments.of_environment()
        assert arguments.get("spark.jars") == f"a.jar,{jar}"
        assert arguments.words[-1] == "pyspark-shell"
        again = os.environ["PYSPARK_SUBMIT_ARGS"]
        extension.configure(builder)
        assert os.environ["PYSPARK_SUBMIT_ARGS"] == again

    def test_the_builder_beats_submit_arguments(
        self, jar: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--conf spark.jars=a.jar pyspark-shell")
        builder = extension.configure(Builder(spark_jars="b.jar"))
        assert builder._options["spark.jars"] == f"b.jar,{jar}"
        assert f"spark.jars=a.jar,{jar}" in os.environ["PYSPARK_SUBMIT_ARGS"]

    def test_spark_defaults_are_kept(self, jar: str, tmp_path: Path) -> None:
        (tmp_path / "spark-defaults.conf").write_text(
            "# spark.jars  no.jar\nspark.jars   a.jar,b.jar  \nspark.sql.extensions=X\n"
        )
        builder = extension.configure(Builder())
        assert builder._options == {
            "spark.jars": f"a.jar,b.jar,{jar}",
            "spark.sql.extensions": f"{EXTENSION},X",
        }

    def test_a_properties_file_replaces_the_defaults(
        self, jar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "spark-defaults.conf").write_text("spark.jars a.jar\n")
        other = tmp_path / "other.conf"
        other.write_text("spark.jars: b.jar\n")
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--properties-file={other} pyspark-shell")
        assert extension.configure(Builder())._options["spark.jars"] == f"b.jar,{jar}"

    def test_packages_keep_their_jars(self, jar: str) -> None:
        builder = extension.configure(Builder(spark_jars_packages="g:a:1"))
        assert "spark.jars" not in builder._options
        assert os.environ["PYSPARK_SUBMIT_ARGS"] == f"--jars {jar} pyspark-shell"
        extension.configure(builder)
        assert "spark.jars" not in builder._options
        assert os.environ["PYSPARK_SUBMIT_ARGS"] == f"--jars {jar} pyspark-shell"

    @pytest.mark.parametrize("version", ["3.4.0", "5.1.0"])
    def test_unsupported_spark(
        self, jar: str, version: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pyspark, "__version__", version)
        with pytest.raises(MatchRecognizeError, match="Supported are Spark"):
            extension.configure(Builder())

    def test_a_remote_server_configures_itself(
        self, jar: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with pytest.raises(MatchRecognizeError, match="sc://host is a Spark Connect server"):
            extension.configure(Builder(spark_remote="sc://host"))
        monkeypatch.setenv("SPARK_REMOTE", "sc://host")
        with pytest.raises(MatchRecognizeError, match=f"spark.sql.extensions={EXTENSION}"):
            extension.configure(Builder())

    def test_remote_local_is_ours_to_configure(self, jar: str) -> None:
        builder = extension.configure(Builder(spark_remote="local[2]"))
        assert builder._options["spark.jars"] == jar


class TestSubmitArguments:
    @pytest.mark.parametrize(
        "text",
        [
            "--jars a.jar,b.jar pyspark-shell",
            "--jars=a.jar,b.jar pyspark-shell",
            "--conf spark.jars=a.jar,b.jar pyspark-shell",
            "--conf=spark.jars=a.jar,b.jar pyspark-shell",
            "-c spark.jars=x -c 'spark.jars=a.jar, b.jar' pyspark-shell",
        ],
    )
    def test_every_way_to_write_it(self, text: str) -> None:
        arguments = submit.SubmitArguments(text)
        assert submit.split_items(arguments.get("spark.jars")) == ["a.jar", "b.jar"]
        assert arguments.append("spark.jars", "c d.jar")
        read_again = submit.SubmitArguments(arguments.text())
        assert submit.split_items(read_again.get("spark.jars"))[-1] == "c d.jar"
        assert arguments.get("spark.master") is None
        assert not arguments.append("spark.master", "x")
