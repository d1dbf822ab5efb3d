"""Which jar belongs to which Spark."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from match_recognize.errors import MatchRecognizeError

#: The class that ``spark.sql.extensions`` names.
EXTENSION = "org.matchrecognize.spark.MatchRecognizeExtensions"

FOLDER = Path(__file__).resolve().parents[1]

JAR_FOLDER = FOLDER / "jars"


def _supported() -> dict[str, str]:
    lines = (FOLDER / "sparks.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return {minor: scala.rpartition(".")[0] for minor, scala, _, _ in rows}


#: The Spark versions that there is a jar for, each with the Scala version of its jar.
SUPPORTED = _supported()


def package_version() -> str:
    """The version of this package; ``unknown`` where it is used without being installed."""
    try:
        return metadata.version("spark-match-recognize")
    except metadata.PackageNotFoundError:
        return "unknown"


def installed_spark() -> str:
    """The version of the installed pyspark, such as ``4.3.0``."""
    try:
        import pyspark
    except ImportError:
        raise MatchRecognizeError(
            "pyspark is not installed in this Python. Install the version of your cluster, for "
            "instance: pip install 'pyspark>=4.3,<4.4'"
        ) from None
    return str(pyspark.__version__)


def jar_path(spark_version: str | None = None) -> str:
    """The jar of this package for a Spark version, for ``--jars`` and ``spark.jars``.

    Args:
        spark_version: ``4.1``, or a full version such as ``4.1.3`` of which the first two numbers
            count; by default that of the installed pyspark.

    Returns:
        The absolute path of the jar.

    Raises:
        MatchRecognizeError: that Spark version is not supported, or this installation has no jar
            for it.
    """
    wanted = installed_spark() if spark_version is None else spark_version
    numbers = re.match(r"(\d+\.\d+)(?!\d)", wanted)
    minor = numbers[1] if numbers else wanted
    if minor not in SUPPORTED:
        raise MatchRecognizeError(
            f"MATCH_RECOGNIZE has no jar for Spark {wanted}. Supported are Spark "
            f"{', '.join(SUPPORTED)}: use one of these, or see whether a newer release of "
            "spark-match-recognize supports yours (pip install -U spark-match-recognize)."
        )
    name = f"spark-match-recognize-spark-{minor}_{SUPPORTED[minor]}"
    found = sorted(JAR_FOLDER.glob(f"{name}-*.jar"))
    if len(found) > 1:
        # A folder with several is a checkout after a change of version.
        found = [jar for jar in found if jar.name == f"{name}-{package_version()}.jar"]
    if not found:
        raise MatchRecognizeError(_missing(minor, name))
    return str(found[0])


def _missing(minor: str, name: str) -> str:
    present = sorted(jar.name for jar in JAR_FOLDER.glob("*.jar"))
    checkout = JAR_FOLDER.parents[2] / "build.sbt"
    if checkout.is_file():
        suggestion = (
            "This is a checkout: build it with `make jar` (Spark 4.3), or for Spark "
            f"{minor} with `build/sbt -Dspark.version={minor}.<patch> jvm/pythonJar`."
        )
    else:
        suggestion = (
            "The installation is incomplete: install it again with "
            "`pip install --force-reinstall spark-match-recognize`."
        )
    return (
        f"The jar for Spark {minor}, {name}-{package_version()}.jar, is not in {JAR_FOLDER} "
        f"(there: {', '.join(present) or 'no jar'}). {suggestion}"
    )
