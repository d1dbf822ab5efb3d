"""Reads options that are set before Spark runs: PYSPARK_SUBMIT_ARGS and the defaults file.

PySpark starts its JVM by ``spark-submit``, with the builder's options as ``--conf`` and then the
words of PYSPARK_SUBMIT_ARGS. Of two values for one setting spark-submit takes the later one, and
``--jars`` before ``spark.jars``; the defaults file fills in what neither says.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PYSPARK_SUBMIT_ARGS"

#: The options of spark-submit that are settings by another name, as far as we need them.
ALIASES = {"--jars": "spark.jars", "--packages": "spark.jars.packages"}

#: The options that we look at; each has a value, after ``=`` or as the next word.
VALUED = {"--conf", "-c", "--properties-file", *ALIASES}


@dataclass(frozen=True)
class Option:
    """A setting among the words of a spark-submit command.

    Attributes:
        key: the setting's name.
        value: its value.
        direct: given by an option of its own such as ``--jars``, not by ``--conf``.
        word: which word holds the value.
        prefix: what precedes the value in that word.
    """

    key: str
    value: str
    direct: bool
    word: int
    prefix: str


class SubmitArguments:
    """The words of PYSPARK_SUBMIT_ARGS."""

    def __init__(self, text: str) -> None:
        # As PySpark does.
        self.words: list[str] = shlex.split(text)

    @classmethod
    def of_environment(cls) -> SubmitArguments:
        """Those of this process."""
        return cls(os.environ.get(VARIABLE, ""))

    def get(self, key: str) -> str | None:
        """The value that spark-submit takes for a setting, or None."""
        options = [option for option in self._options() if option.key == key]
        direct = [option for option in options if option.direct]
        return (direct or options)[-1].value if options else None

    def properties_file(self) -> str | None:
        """The file of ``--properties-file``, which replaces the defaults file, or None."""
        return self.get("--properties-file")

    def append(self, key: str, item: str) -> bool:
        """Appends a missing item wherever the words give a list. Returns False if nowhere."""
        options = [option for option in self._options() if option.key == key]
        for option in options:
            self.words[option.word] = option.prefix + append_item(option.value, item)
        return bool(options)

    def prepend_option(self, name: str, value: str) -> None:
        """Adds an option before all others."""
        # What PySpark runs where the variable is not set.
        self.words = [name, value, *(self.words or ["pyspark-shell"])]

    def text(self) -> str:
        """The words as the variable holds them."""
        return shlex.join(self.words)

    def _options(self) -> Iterator[Option]:
        position = 0
        while position < len(self.words):
            name, equals, value = self.words[position].partition("=")
            prefix = name + equals
            if name in VALUED and not equals and position + 1 < len(self.words):
                position += 1
                value, prefix = self.words[position], ""
            if name in ("--conf", "-c"):
                key, _, setting = value.partition("=")
                yield Option(key.strip(), setting, False, position, f"{prefix}{key}=")
            elif name in VALUED:
                yield Option(ALIASES.get(name, name), value, True, position, prefix)
            position += 1


def append_item(items: str | None, item: str) -> str:
    """A comma-separated list with one more item, unless it is there."""
    present = split_items(items)
    return ",".join(present if item in present else [*present, item])


def prepend_item(items: str | None, item: str) -> str:
    """Moves or adds an item to the start of a comma-separated list."""
    return ",".join([item, *(other for other in split_items(items) if other != item)])


def split_items(items: str | None) -> list[str]:
    """The items of a comma-separated list, without blanks around them and without empty ones."""
    return [item.strip() for item in (items or "").split(",") if item.strip()]


def default_settings(arguments: SubmitArguments) -> dict[str, str]:
    """The settings of the defaults file that spark-submit will read; empty without a file."""
    named = arguments.properties_file()
    folder = os.environ.get("SPARK_CONF_DIR")
    file = Path(named) if named else Path(folder or spark_home() / "conf", "spark-defaults.conf")
    if not file.is_file():
        return {}
    settings: dict[str, str] = {}
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        # A Java properties file: a key, then blanks, `=` or `:`, then the value.
        entry = re.match(r"\s*([^#!\s=:][^\s=:]*)\s*[=:\s]\s*(.*?)\s*$", line)
        if entry:
            settings[entry[1]] = entry[2]
    return settings


def spark_home() -> Path:
    """The Spark that PySpark will start: SPARK_HOME, else the one inside the pyspark package."""
    named = os.environ.get("SPARK_HOME")
    if named:
        return Path(named)
    import pyspark

    return Path(pyspark.__file__).parent
