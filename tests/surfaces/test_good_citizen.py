"""A session with the extension is like one without, but for the clause."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import match_recognize
import surface
from match_recognize.session import probe
from match_recognize.session.jars import EXTENSION

#: Statements of other kinds than queries, and names that the clause uses.
OTHERS = {
    "insert": "INSERT INTO item SELECT * FROM item WHERE i_item_sk = 1",
    "ctas": "CREATE TABLE copy USING parquet AS SELECT * FROM item",
    "view": "CREATE TEMPORARY VIEW v AS SELECT * FROM item",
    "cache": "CACHE TABLE cached AS SELECT * FROM item",
    "show": "SHOW TABLES",
    "describe": "DESCRIBE TABLE item",
    "set": "SET spark.sql.shuffle.partitions=3",
    "analyze": "ANALYZE TABLE item COMPUTE STATISTICS",
    "window": "SELECT FIRST(i_item_sk) OVER (PARTITION BY i_size ORDER BY i_color) FROM item",
    "names": "SELECT match_recognize.pattern, define AS measures, classifier AS prev FROM VALUES"
    " (1, 2, 3) AS match_recognize(pattern, define, classifier)",
    "functions": "SELECT FIRST(i_item_sk), LAST(i_item_sk), COUNT(*) FROM item GROUP BY i_size",
    "pipes": "FROM item |> WHERE i_item_sk > 1 |> AGGREGATE COUNT(*) AS n GROUP BY i_size",
    "pivot": "SELECT * FROM (SELECT i_size, i_color FROM item)"
    " PIVOT (COUNT(*) FOR i_color IN ('red', 'blue'))",
    "lateral": "SELECT * FROM item, LATERAL (SELECT i_item_sk + 1 AS next_sk)",
    "explode": "SELECT n FROM item LATERAL VIEW EXPLODE(SEQUENCE(1, 3)) AS n",
    "hint": "SELECT /*+ BROADCAST(a) */ a.i_size FROM item a JOIN item b USING (i_item_sk)",
    "syntax error": "SELECT FROM WHERE",
    "unknown table": "SELECT * FROM nowhere",
    "unknown function": "SELECT classifier(i_item_sk), match_number() FROM item",
}

#: Neither the standard's clause nor a table: what is left of it must be Spark's own error.
OURS_ALONE = {"unknown function"}

#: Threads by which Spark drops broadcasts and shuffles, once the JVM has collected their handles,
#: and of the JVM while a command such as rm runs.
BY_CHANCE = re.compile("block-manager-|process reaper$")


def run(folder: Path, given: Any, **settings: str) -> tuple[Any, list[str]]:
    """What plans.py printed, and the lines of Spark's log without their times."""
    folder.mkdir()
    data = folder.parent / "data"
    done = subprocess.run(
        ["python", surface.HERE / "clients" / "plans.py", data],
        cwd=folder,
        env=surface.home(folder, **settings),
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    log = [re.sub(r"^\d\d/\d\d/\d\d \d\d:\d\d:\d\d ", "", x) for x in done.stderr.splitlines()]
    return json.loads(done.stdout), log


def test_all_but_the_clause_is_as_without_it(tmp_path: Path) -> None:
    tpcds = subprocess.run(
        [surface.tools("tpcds") / "python", surface.HERE / "clients" / "tpcds.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(tpcds.stdout)
    assert len(found["tables"]) >= 24
    assert len(found["queries"]) >= 99
    given = {
        "tables": found["tables"],
        "statements": {**found["queries"], **OTHERS},
        "run": ["SELECT part, COUNT(*) FROM (SELECT id % 2 AS part FROM RANGE(9)) GROUP BY part"],
    }
    same = {
        "spark__sql__warehouse__dir": str(tmp_path / "warehouse"),
        # Its lines depend on how long a stage takes.
        "spark__ui__showConsoleProgress": "false",
    }
    jar = match_recognize.jar_path()
    # With the jar, which Spark serves to executors by threads of its own.
    bare, bare_log = run(tmp_path / "bare", given, **same, spark__jars=jar)
    ours, our_log = run(
        tmp_path / "ours",
        {**given, "run": [probe.QUERY]},
        **same,
        spark__jars=jar,
        spark__sql__extensions=EXTENSION,
    )

    # The extension was there.
    assert ours["answers"] == [
        ["Row(part=0, falls=3, rises=4, n=8)", "Row(part=1, falls=3, rises=4, n=8)"]
    ]
    # Byte for byte, with the numbers that Spark gives to columns and exchanges.
    for name in OURS_ALONE:
        assert ours["plans"].pop(name) != bare["plans"].pop(name)
    different = [name for name, plan in bare["plans"].items() if ours["plans"][name] != plan]
    assert different == []
    assert ours["plans"].keys() == bare["plans"].keys()
    # They are plans, not errors that are the same.
    errors = [x for x in found["queries"] if "== Physical Plan ==\n" not in bare["plans"][x]]
    assert errors == []
    # No thread, no line in the log.
    assert ours["ours"] == []
    assert {name for name in ours["threads"] if not BY_CHANCE.match(name)} <= set(bare["threads"])
    assert set(our_log) - set(bare_log) == set()
    # No file.
    for folder in (tmp_path / "bare" / "tmp", tmp_path / "ours" / "tmp"):
        assert list(folder.iterdir()) == []


def test_a_clause_over_one_partition_warns_as_a_window_does(tmp_path: Path) -> None:
    given = {
        "tables": {},
        "statements": {},
        "run": [
            "SELECT n FROM RANGE(3) MATCH_RECOGNIZE"
            " (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+))"
        ],
    }
    jar = match_recognize.jar_path()
    said, log = run(tmp_path / "ours", given, spark__jars=jar, spark__sql__extensions=EXTENSION)
    assert said["answers"] == [["Row(n=3)"]]
    (warning,) = {line for line in log if "MatchRecognize" in line or "matchrecognize" in line}
    assert "WARN" in warning
    assert "PARTITION BY" in warning
