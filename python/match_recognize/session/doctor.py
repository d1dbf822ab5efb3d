"""``python -m match_recognize doctor``: does it work here, and if not, what to do."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from match_recognize.errors import MatchRecognizeError
from match_recognize.session import submit
from match_recognize.session.jars import EXTENSION, installed_spark, jar_path, package_version
from match_recognize.session.quiet import jvm_log

# What Spark logs, and nothing more, when the class that spark.sql.extensions names is not found.
NOT_FOUND = "to configure session extensions"

# How lines of Spark's log begin, or what they have, that say why something failed.
CAUSE = re.compile(r"^Caused by: |\b\w+(?:Exception|Error)\b")

#: The name of a jar of this package, in a path or in a list of several.
JAR = re.compile(r"spark-match-recognize-spark-[\w.-]+?\.jar\b")


@dataclass
class Report:
    """Collects the results: lines to print, and problems, each with what to do about it."""

    problems: list[tuple[str, str]] = field(default_factory=list["tuple[str, str]"])

    def title(self, text: str) -> None:
        """Begins a part."""
        print(f"\n{text}", flush=True)

    def fact(self, name: str, value: str) -> None:
        """Prints a line."""
        print(f"  {name:<22}{value}", flush=True)

    def problem(self, what: str, suggestion: str) -> None:
        """Notes a problem; it is printed at the end."""
        self.problems.append((what, suggestion))


def run(master: str = "local[2]") -> int:
    """Looks at everything and prints it. Returns 0 if MATCH_RECOGNIZE works here, else 1."""
    report = Report()
    _look_at_versions(report)
    _look_at_environment(report)
    # A session that cannot start says less than the reason that is known already.
    if not report.problems:
        _look_at_session(report, master)
    print()
    for what, suggestion in report.problems:
        print(f"WRONG: {what}\nTO DO: {suggestion}\n")
    if not report.problems:
        print("All is well: MATCH_RECOGNIZE works here.")
    return 1 if report.problems else 0


def _look_at_versions(report: Report) -> None:
    report.title("Versions")
    report.fact("match_recognize", f"{package_version()} in {Path(__file__).parents[1]}")
    report.fact("python", f"{platform.python_version()}")
    try:
        spark = installed_spark()
    except MatchRecognizeError as error:
        report.fact("pyspark", "not installed")
        report.problem("there is no pyspark.", str(error))
        return
    home = submit.spark_home()
    report.fact("pyspark", f"{spark} in {home}")
    _look_at_java(report, spark)
    _look_at_home(report, spark, home)
    try:
        jar = jar_path()
    except MatchRecognizeError as error:
        report.fact("jar", "none")
        report.problem("there is no jar for this Spark.", str(error))
        return
    report.fact("jar", jar)
    for name, place in _other_jars(jar):
        report.fact("another jar", f"{name} in {place}")
        report.problem(
            f"Spark would load two jars of this package. The second is {name}, from {place}.",
            f"remove it from {place}, so that {Path(jar).name} remains alone.",
        )


def _other_jars(jar: str) -> Iterator[tuple[str, str]]:
    """Finds jars of this package for another Spark, or of another version.

    Each comes with the place that brings it: a variable, a file or a folder.
    """
    arguments = submit.SubmitArguments.of_environment()
    defaults = arguments.properties_file() or "spark-defaults.conf"
    folder = submit.spark_home() / "jars"
    texts = [
        (os.environ.get(submit.VARIABLE, ""), submit.VARIABLE),
        *((value, defaults) for value in submit.default_settings(arguments).values()),
        *(
            (file.name, str(folder))
            for file in sorted(folder.glob("spark-match-recognize-*.jar"))
        ),
    ]
    found = [(name, place) for text, place in texts for name in JAR.findall(text)]
    yield from dict.fromkeys(each for each in found if each[0] != Path(jar).name)


def _look_at_java(report: Report, spark: str) -> None:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if java is None or not Path(java).exists():
        report.fact("java", f"not found{f' in JAVA_HOME ({home})' if home else ''}")
        report.problem(
            "Spark needs Java, and there is none.",
            "install a JDK 17 and put its bin folder on PATH, or set JAVA_HOME to it.",
        )
        return
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    report.fact("java", f"{(said.splitlines() or ['?'])[0]} ({java})")
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    needed = 17 if int(spark.split(".")[0]) >= 4 else 8
    if found and int(found[1]) < needed:
        report.problem(
            f"Spark {spark} needs Java {needed}, and this is Java {found[1]}.",
            f"install a JDK {needed} and set JAVA_HOME to it.",
        )


def _look_at_home(report: Report, spark: str, home: Path) -> None:
    """Looks at the Spark that pyspark starts; SPARK_HOME may point to another one."""
    core = next((home / "jars").glob("spark-core_*.jar"), None)
    version = re.match(r"spark-core_([\d.]+)-(.+)\.jar", core.name) if core else None
    if version is None:
        report.fact("spark", f"no jars in {home}")
        report.problem(
            f"{home} holds no Spark.",
            "unset SPARK_HOME to use pyspark's own, or set it to a folder that has jars/.",
        )
        return
    report.fact("spark", f"{version[2]}, Scala {version[1]}")
    library = next((home / "jars").glob("scala-library-*.jar"), None)
    if library:
        report.fact("scala", library.stem.rpartition("-")[2])
    if version[2].split(".")[:2] != spark.split(".")[:2]:
        report.problem(
            f"pyspark is {spark}, but SPARK_HOME ({home}) holds Spark {version[2]}.",
            f"install pyspark of that version (pip install pyspark=={version[2]}), or unset "
            "SPARK_HOME.",
        )


def _look_at_environment(report: Report) -> None:
    report.title("Environment")
    names = ("SPARK_HOME", "SPARK_CONF_DIR", submit.VARIABLE, "SPARK_REMOTE", "JAVA_HOME")
    for name in names:
        report.fact(name, os.environ.get(name, "-"))
    remote = os.environ.get("SPARK_REMOTE", "")
    if remote and not remote.startswith("local"):
        report.problem(
            "SPARK_REMOTE names a Spark Connect server, so sessions here are clients of it.",
            "unset SPARK_REMOTE to look at this machine's Spark. To look at the server: "
            "match_recognize.enable(SparkSession.builder.getOrCreate()) says whether it has the "
            "extension.",
        )


def _look_at_session(report: Report, master: str) -> None:
    from pyspark.sql import SparkSession

    from match_recognize.session import probe
    from match_recognize.session.extension import configure

    report.title(f"Session on {master}")
    session = None
    report.fact("Spark", "starts, and runs a query; this can take two minutes")
    with jvm_log() as log:
        try:
            builder = SparkSession.builder.master(master).appName("match_recognize doctor")
            builder.config("spark.ui.enabled", "false")
            session = configure(builder).getOrCreate()
        except Exception as error:
            report.fact("start", "failed")
            report.problem(
                f"a session does not start: {probe.first_lines(error)}",
                _cause(log),
            )
    if session is not None:
        for key in ("spark.jars", "spark.sql.extensions"):
            report.fact(key, session.conf.get(key, "-") or "-")
        problem = probe.failure(session)
        session.stop()
        report.fact("query on executors", "failed" if problem else "the right answer")
        if problem:
            report.problem(
                f"a query with MATCH_RECOGNIZE fails: {problem}", _suggestion(problem, log)
            )
    if report.problems:
        _show_log(log)
    # Windows does not remove a file that a JVM holds open.
    with suppress(OSError):
        log.unlink()


def _cause(log: Path) -> str:
    """What to do where a session does not start."""
    lines = [line for line in _lines(log) if CAUSE.search(line)]
    said = f"Spark's log says why: {lines[-1].strip()[:300]}\n" if lines else ""
    where = f"{submit.VARIABLE}, spark-defaults.conf and the variables above"
    return (
        f"{said}Do what the message says. If the message is not about this package, look for the "
        f"option that causes it in {where}; unset them one by one."
    )


def _suggestion(problem: str, log: Path) -> str:
    if NOT_FOUND in log.read_text(errors="replace"):
        return (
            f"Spark did not find {EXTENSION}: something takes the jar off the class path. See "
            "whether PYSPARK_SUBMIT_ARGS or spark-defaults.conf set spark.jars or "
            "spark.driver.extraClassPath, and whether the jar can be read."
        )
    if "PARSE_SYNTAX_ERROR" in problem:
        return (
            "the extension is not active. See above whether spark.sql.extensions names "
            f"{EXTENSION}; something sets it after configure()."
        )
    return "please report this, with all that is printed here."


def _show_log(log: Path) -> None:
    lines = _lines(log)
    if lines:
        print("\nSpark's log, its last lines")
        for line in lines[-25:]:
            print(f"  {line[:300]}")


def _lines(log: Path) -> list[str]:
    """The lines of a log without stack traces, which would push the others out of sight."""
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return [line for line in lines if not line.startswith(("\tat ", '{"ts"'))]
