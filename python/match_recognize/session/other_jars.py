"""Jars of this package that Spark would load beside the right one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from match_recognize.session import submit

#: The name of a jar, in a path or in a list of several.
_NAME = re.compile(r"spark-match-recognize-spark-[\w.-]+?\.jar\b")


def other_jars(jar: str) -> Iterator[tuple[str, str]]:
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
    found = [(name, place) for text, place in texts for name in _NAME.findall(text)]
    yield from dict.fromkeys(each for each in found if each[0] != Path(jar).name)
