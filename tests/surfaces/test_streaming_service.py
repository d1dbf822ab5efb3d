"""The programs of docs/streaming-service.md, as they are but for addresses and folders."""

from __future__ import annotations

from pathlib import Path

import surface
from test_streams import SPARK, last_line, run

from examples.kafka.broker import broker
from examples.kafka.jars import jars

PARTS = surface.blocks(surface.ROOT / "docs" / "streaming-service.md")
CLIENT = surface.HERE / "clients" / "service.py"

#: What the page's listener logs once both checkouts are decided.
FOUND = "'matches': 1, 'timedOutMatches': 1,"

#: On the page, and in the test.
PACKAGE = "--packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"


def replaced(text: str, others: dict[str, str]) -> str:
    for old, new in others.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_the_service(tmp_path: Path) -> None:
    connector = [str(file) for file in jars("connector")]
    version = PACKAGE.rpartition(":")[2]
    assert any(file.endswith(f"/spark-sql-kafka-0-10_2.13-{version}.jar") for file in connector)
    assert SPARK.rpartition(".")[0] == version.rpartition(".")[0]
    settings = {"spark__jars": ",".join(connector)}
    spark = surface.ROOT / "target" / "compat" / SPARK / "bin"
    environment = (
        f"unset SPARK_HOME; export PATH={spark}:$PATH PYSPARK_PYTHON={spark}/python"
        f" PYTHONPATH={surface.ROOT / 'python'}\n"
    )
    master = {"spark://127.0.0.1:7077": "local[2]"}
    others = {PACKAGE: f"--driver-class-path {':'.join(connector)}"}
    command = environment + replaced(PARTS["submit"], master | others)
    (tmp_path / "monitor.py").write_text(PARTS["monitor"])
    with broker() as address:
        run(tmp_path, CLIENT, "send", address, **settings)
        places = {"127.0.0.1:9092": address, "/srv/checkpoints": str(tmp_path)}
        text = replaced(PARTS["program"], places)
        session = next(line for line in text.splitlines() if line.startswith("spark = "))
        program = text.replace(session, f"{session}\n{PARTS['listen']}")
        (tmp_path / "checkouts.py").write_text(program)
        with surface.server(command, FOUND, tmp_path, 0) as running:
            assert "'rowsWithoutTime': 1," in running.log
        # As if it had been killed after it wrote the matches, and before it said so.
        commits = tmp_path / "checkouts" / "commits"
        last = max(int(file.name) for file in commits.glob("[0-9]*"))
        for name in (f"{last}", f".{last}.crc"):
            (commits / name).unlink()
        run(tmp_path, CLIENT, "send", address, **settings)
        with surface.server(command, ": 5 late rows", tmp_path, 0) as running:
            assert FOUND in running.log
        out = run(tmp_path, CLIENT, "read", address, given=PARTS["once"], **settings)
    copies, once = last_line(out)
    assert copies == [2, 2]
    assert once == [["ann", "2026-01-05 10:04:00"], ["bob", None]]
