"""Delta, Iceberg and Hudi with the extension, in both orders, each on its newest Spark."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import surface
from match_recognize.session.jars import EXTENSION, jar_path

DELTA = "io.delta.sql.DeltaSparkSessionExtension"
ICEBERG = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
HUDI = "org.apache.spark.sql.hudi.HoodieSparkSessionExtension"

#: How the session is made: by configure, or with ours named last.
ORDERS = pytest.mark.parametrize("order", ["configure", "ours last"])

ROWS = "VALUES ('a', 1, 5), ('a', 2, 3), ('a', 3, 4), ('b', 1, 1), ('b', 2, 7), ('b', 3, 2)"
LOWS = """\
SELECT symbol, low FROM {table} MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES LAST(DOWN.price) AS low
  PATTERN (A DOWN+)
  DEFINE DOWN AS price < PREV(price))"""


def jars(*artifacts: str) -> list[str]:
    """Fetches files by Maven, once."""
    folder = surface.ROOT / "target" / "lakehouse"
    found = []
    for artifact in artifacts:
        _, name, version = artifact.split(":")
        file = folder / f"{name}-{version}.jar"
        if not file.exists():
            goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
            words = [f"-Dartifact={artifact}", f"-DoutputDirectory={folder}"]
            subprocess.run(["mvn", "--batch-mode", "--quiet", goal, *words], check=True)
        found.append(str(file))
    return found


def answers(
    folder: Path,
    spark: str,
    order: str,
    extension: str,
    files: list[str],
    settings: dict[str, str],
    *statements: str | tuple[str, dict[str, Any]],
) -> list[Any]:
    """What a Spark of a version, with another extension and ours, answers to statements.

    A statement with parameters is given with their values.
    """
    subprocess.run(
        [surface.ROOT / "build" / "venv", spark], check=True, stdout=subprocess.DEVNULL
    )
    python = surface.ROOT / "target" / "compat" / spark / "bin" / "python"
    ours_last = order == "ours last"
    given = {
        "configure": not ours_last,
        "settings": {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.jars": ",".join([*files, *([jar_path(spark)] if ours_last else [])]),
            "spark.sql.extensions": f"{extension},{EXTENSION}" if ours_last else extension,
            **settings,
        },
        "statements": statements,
    }
    environment = surface.home(folder)
    # This Spark, and the package of this checkout.
    del environment["SPARK_HOME"]
    environment["PYSPARK_PYTHON"] = str(python)
    environment["PYTHONPATH"] = str(surface.ROOT / "python")
    # Each statement runs once: the JVM's second compiler would take longer than it saves.
    environment["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1"
    done = subprocess.run(
        [python, surface.HERE / "lakehouse.py"],
        cwd=folder,
        env=environment,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    said = json.loads(done.stdout.splitlines()[-1])
    names = said["extensions"].split(",")
    # What configure sets: ours first.
    assert names == ([extension, EXTENSION] if ours_last else [EXTENSION, extension])
    return said["answers"]


def errors(said: list[Any]) -> list[str]:
    """The messages among answers."""
    return [answer[:600] for answer in said if isinstance(answer, str)]


#: Of the rows above one fall ends at 3 or more.
LOWS_FROM = LOWS.replace("PREV(price)", "PREV(price) AND price >= :least")
LOWS_FROM_3 = LOWS_FROM.replace(":least", "3")

MERGE = f"""\
MERGE INTO {{target}} AS t
USING ({LOWS.format(table="{table}")}) AS s
ON t.symbol = s.symbol
WHEN MATCHED THEN UPDATE SET low = s.low
WHEN NOT MATCHED THEN INSERT (symbol, low) VALUES (s.symbol, s.low)"""


DELTA_JARS = ("io.delta:delta-spark_4.2_2.13:4.4.0", "io.delta:delta-storage:4.4.0")
DELTA_SETTINGS = {
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # As Delta's own tests: 50 partitions for the few lines of a log take their time.
    "spark.databricks.delta.snapshotPartitions": "1",
    # VACUUM lists files in as many tasks, 10,000 by default.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
}


@ORDERS
def test_delta(tmp_path: Path, order: str) -> None:
    said = answers(
        tmp_path,
        "4.2.1",
        order,
        DELTA,
        jars(*DELTA_JARS),
        DELTA_SETTINGS,
        "CREATE TABLE ticks (symbol STRING, day INT, price INT) USING delta",
        f"INSERT INTO ticks {ROWS}",
        "INSERT INTO ticks VALUES ('c', 1, 9), ('c', 2, 8)",
        LOWS.format(table="ticks") + " ORDER BY symbol",
        # Before the rows of c came.
        LOWS.format(table="ticks VERSION AS OF 1") + " ORDER BY symbol",
        "CREATE TABLE lows (symbol STRING, low INT) USING delta",
        "INSERT INTO lows VALUES ('a', 100)",
        MERGE.format(target="lows", table="ticks"),
        "SELECT * FROM lows ORDER BY symbol",
        # Delta's own statements.
        "OPTIMIZE ticks ZORDER BY (day)",
        "DESCRIBE HISTORY ticks",
        "VACUUM ticks DRY RUN",
        "RESTORE TABLE ticks TO VERSION AS OF 1",
        LOWS.format(table="ticks") + " ORDER BY symbol",
        # Delta's parser loses the parameters of any statement, but for those of the old kind.
        "SET spark.sql.legacy.parameterSubstitution.constantsOnly = true",
        (LOWS_FROM.format(table="ticks"), {"least": 3}),
        "SET spark.sql.legacy.parameterSubstitution.constantsOnly = false",
        ("SELECT :least", {"least": 3}),
    )
    # The order of the page is the one that configure has set.
    # A properties file joins a line that ends with a backslash and the next one.
    joined = re.sub(r"\\\n *", "", surface.block("extensions"))
    assert joined.split() == ["spark.sql.extensions", f"{EXTENSION},{DELTA}"]
    assert "[UNBOUND_SQL_PARAMETER]" in said.pop()
    everything, before, merged = said[3], said[4], said[8]
    assert everything == [["a", "3"], ["b", "2"], ["c", "8"]]
    assert before == [["a", "3"], ["b", "2"]]
    assert merged == [["a", "3"], ["b", "2"], ["c", "8"]]
    assert errors(said) == []
    assert said[13] == before
    assert said[15] == [["a", "3"]]


def test_the_recipe_merges_versions_into_a_table_of_delta(tmp_path: Path) -> None:
    page = (surface.ROOT / "docs" / "cookbook" / "scd2.md").read_text()
    view, *_ = re.findall(r"^```sql\n(.*?)^```", page, re.S | re.M)
    (merge,) = re.findall(r"^```text\n(MERGE.*?)^```", page, re.S | re.M)
    said = answers(
        tmp_path,
        "4.2.1",
        "configure",
        DELTA,
        jars(*DELTA_JARS),
        DELTA_SETTINGS,
        "CREATE TABLE customers (customer INT, city STRING, level STRING, valid_from DATE,"
        " valid_until DATE) USING delta",
        view.replace("snapshots", "all_days"),
        "CREATE TEMP VIEW snapshots AS SELECT * FROM all_days WHERE day <= DATE '2026-03-03'",
        merge,
        "CREATE OR REPLACE TEMP VIEW snapshots AS SELECT * FROM all_days",
        merge,
        "SELECT * FROM customers ORDER BY customer, valid_from",
    )
    assert errors(said) == []
    assert said[-1] == [
        ["1", "Bonn", "gold", "2026-03-01", "2026-03-03"],
        ["1", "Köln", "gold", "2026-03-03", "2026-03-04"],
        ["1", "Köln", "None", "2026-03-04", "None"],
        ["2", "Rom", "blue", "2026-03-01", "None"],
    ]


@ORDERS
def test_iceberg(tmp_path: Path, order: str) -> None:
    said = answers(
        tmp_path,
        "4.1.4",
        order,
        ICEBERG,
        jars("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"),
        {
            "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.ice.type": "jdbc",
            "spark.sql.catalog.ice.uri": f"jdbc:derby:{tmp_path}/catalog;create=true",
            "spark.sql.catalog.ice.jdbc.schema-version": "V1",
            "spark.sql.catalog.ice.warehouse": str(tmp_path / "ice"),
        },
        "CREATE TABLE ice.db.ticks (symbol STRING, day INT, price INT) USING iceberg",
        f"INSERT INTO ice.db.ticks {ROWS}",
        LOWS.format(table="ice.db.ticks") + " ORDER BY symbol",
        # Iceberg's parser makes a command of its own of what ours has read.
        f"CREATE VIEW ice.db.lows AS {LOWS.format(table='ice.db.ticks')}",
        "SELECT * FROM ice.db.lows WHERE symbol = 'b'",
        "CREATE TABLE ice.db.kept (symbol STRING, low INT) USING iceberg",
        MERGE.format(target="ice.db.kept", table="ice.db.ticks"),
        "SELECT * FROM ice.db.kept ORDER BY symbol",
        # Iceberg's own statements.
        "ALTER TABLE ice.db.ticks WRITE ORDERED BY symbol, day",
        "ALTER TABLE ice.db.ticks ADD PARTITION FIELD bucket(4, symbol)",
        "ALTER TABLE ice.db.ticks CREATE TAG first_day",
        "INSERT INTO ice.db.ticks VALUES ('c', 1, 9), ('c', 2, 8)",
        LOWS.format(table="ice.db.ticks VERSION AS OF 'first_day'") + " ORDER BY symbol",
        LOWS.format(table="ice.db.ticks") + " ORDER BY symbol",
        "CALL ice.system.rewrite_data_files('db.ticks')",
        (LOWS_FROM.format(table="ice.db.ticks VERSION AS OF 'first_day'"), {"least": 3}),
        "SHOW CREATE TABLE ice.db.lows",
        f"CREATE OR REPLACE VIEW ice.db.lows AS {LOWS_FROM_3.format(table='ice.db.ticks')}",
        "SELECT * FROM ice.db.lows ORDER BY symbol",
        f"ALTER VIEW ice.db.lows AS {LOWS.format(table='ice.db.ticks')}",
    )
    assert said[2] == [["a", "3"], ["b", "2"]]
    assert said[4] == [["b", "2"]]
    assert said[7] == [["a", "3"], ["b", "2"]]
    assert said[12] == [["a", "3"], ["b", "2"]]
    assert said[13] == [["a", "3"], ["b", "2"], ["c", "8"]]
    assert said[15] == [["a", "3"]]
    # The user's own text, which all later reads of the view parse.
    assert LOWS.format(table="ice.db.ticks") in said[16][0][0]
    assert said[18] == [["a", "3"], ["c", "8"]]
    # Iceberg has no ALTER VIEW ... AS for anybody.
    assert "CREATE OR REPLACE VIEW" in said.pop()
    assert errors(said) == []


@ORDERS
def test_hudi(tmp_path: Path, order: str) -> None:
    said = answers(
        tmp_path,
        "3.5.9",
        order,
        HUDI,
        jars("org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0"),
        {
            "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
            "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
        },
        "CREATE TABLE ticks (symbol STRING, day INT, price INT) USING hudi"
        " TBLPROPERTIES (primaryKey = 'symbol,day')",
        f"INSERT INTO ticks {ROWS}",
        LOWS.format(table="ticks") + " ORDER BY symbol",
        "CREATE TABLE lows (symbol STRING, low INT) USING hudi"
        " TBLPROPERTIES (primaryKey = 'symbol')",
        "INSERT INTO lows VALUES ('a', 100)",
        MERGE.format(target="lows", table="ticks"),
        "SELECT symbol, low FROM lows ORDER BY symbol",
        "CALL show_commits(table => 'ticks', limit => 5)",
        (LOWS_FROM.format(table="ticks"), {"least": 3}),
        LOWS.format(table="ticks TIMESTAMP AS OF '2030-01-01'"),
    )
    # Hudi reads it by a grammar of its own; Spark, by whose the clause is read, cannot do it.
    assert "[UNSUPPORTED_FEATURE.TIME_TRAVEL]" in said.pop()
    assert errors(said) == []
    assert said[8] == [["a", "3"]]
    assert said[2] == [["a", "3"], ["b", "2"]]
    assert said[6] == [["a", "3"], ["b", "2"]]
