"""python -m match_recognize."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import match_recognize
import pytest
from conftest import SPARK
from match_recognize import __main__ as cli
from match_recognize.session import doctor, jars, submit


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert "doctor" in capsys.readouterr().out


def test_jar(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["jar"]) == 0
    assert capsys.readouterr().out == match_recognize.jar_path() + "\n"


def test_jar_of_each_spark(capsys: pytest.CaptureFixture[str]) -> None:
    for minor, scala in jars.SUPPORTED.items():
        if not list(jars.JAR_FOLDER.glob(f"*-spark-{minor}_*.jar")):
            continue  # make jars builds them all
        assert cli.main(["jar", "--spark", minor]) == 0
        path = Path(capsys.readouterr().out.rstrip("\n"))
        assert path.name.startswith(f"spark-match-recognize-spark-{minor}_{scala}-")
        assert path.is_file()


def test_jar_that_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jars, "JAR_FOLDER", tmp_path)
    assert cli.main(["jar", "--spark", "4.1"]) == 1
    captured = capsys.readouterr()
    # Nothing on standard output: the command is used in $( ) of other commands.
    assert captured.out == ""
    assert "The jar for Spark 4.1" in captured.err


def test_doctor_finds_all_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "match_recognize", "doctor"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    assert match_recognize.jar_path() in done.stdout
    assert jars.EXTENSION in done.stdout
    assert "query on executors    the right answer" in done.stdout
    assert "All is well" in done.stdout


def test_doctor_says_why_spark_does_not_start() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "match_recognize", "doctor"],
        capture_output=True,
        text=True,
        timeout=300,
        env={
            **os.environ,
            submit.VARIABLE: "--conf spark.serializer=no.Serializer pyspark-shell",
        },
    )
    assert done.returncode == 1
    assert "this can take two minutes" in done.stdout
    _, _, advice = done.stdout.partition("TO DO: ")
    assert advice.startswith("Spark's log says why: "), done.stdout
    assert "no.Serializer" in advice.partition("\n")[0]
    assert "PYSPARK_SUBMIT_ARGS" in advice


class TestDoctorSays:
    """What is checked before a Spark starts. Every problem comes with what to do about it."""

    @pytest.fixture(autouse=True)
    def no_session(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(doctor, "_look_at_session", lambda report, master: None)
        for name in ("SPARK_HOME", "SPARK_REMOTE", submit.VARIABLE):
            monkeypatch.delenv(name, raising=False)

    def said(self, capsys: pytest.CaptureFixture[str], code: int) -> str:
        assert doctor.run() == code
        return capsys.readouterr().out

    def test_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = self.said(capsys, 0)
        assert "WRONG" not in said
        assert "Scala 2.1" in said

    def test_no_java(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        said = self.said(capsys, 1)
        assert "WRONG: Spark needs Java" in said
        assert "TO DO: install a JDK 17" in said

    def test_old_java(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        java = tmp_path / "bin" / "java"
        java.parent.mkdir()
        java.write_text("#!/bin/sh\necho 'java version \"1.7.0_80\"' >&2\n")
        java.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        needed = 17 if SPARK >= (4, 0) else 8
        assert f"needs Java {needed}, and this is Java 7." in self.said(capsys, 1)

    def test_no_jar(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(jars, "JAR_FOLDER", tmp_path)
        assert "WRONG: there is no jar for this Spark." in self.said(capsys, 1)

    @pytest.mark.parametrize("text", ["--jars {},a.jar", "--conf spark.jars=a.jar,{}"])
    def test_another_jar_in_submit_arguments(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str
    ) -> None:
        jar = "/old/spark-match-recognize-spark-3.4_2.12-0.1.0.jar"
        monkeypatch.setenv(submit.VARIABLE, text.format(jar) + " pyspark-shell")
        said = self.said(capsys, 1)
        name = Path(jar).name
        assert f"The second is {name}, from PYSPARK_SUBMIT_ARGS.\nTO DO: remove it from" in said
        assert said.count("WRONG") == 1

    def test_other_jars_in_files(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        own = Path(match_recognize.jar_path()).name
        old = own.replace(".jar", ".1.jar")
        (tmp_path / "spark-defaults.conf").write_text(
            f"spark.driver.extraClassPath /jars/{own}:/jars/{old}\n"
        )
        monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
        said = self.said(capsys, 1)
        assert f"The second is {old}, from spark-defaults.conf." in said
        assert said.count("WRONG") == 1

    def test_the_same_jar_twice(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        jar = match_recognize.jar_path()
        monkeypatch.setenv(submit.VARIABLE, f"--jars {jar},/copy/{Path(jar).name} pyspark-shell")
        assert "WRONG" not in self.said(capsys, 0)

    def test_another_spark_home(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "jars").mkdir()
        (tmp_path / "jars" / "spark-core_2.12-3.4.1.jar").touch()
        monkeypatch.setenv("SPARK_HOME", str(tmp_path))
        said = self.said(capsys, 1)
        assert f"SPARK_HOME ({tmp_path}) holds Spark 3.4.1" in said
        assert "or unset SPARK_HOME" in said

    def test_empty_spark_home(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("SPARK_HOME", str(tmp_path))
        assert "holds no Spark." in self.said(capsys, 1)

    def test_a_remote_server(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SPARK_REMOTE", "sc://host")
        assert "unset SPARK_REMOTE" in self.said(capsys, 1)
