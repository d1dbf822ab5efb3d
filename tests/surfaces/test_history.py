"""The operator in the SQL tab, in the event log and in EXPLAIN FORMATTED."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path
from typing import Any

import match_recognize
import pytest
import surface
from match_recognize.session import probe

JOB = f"""\
from pyspark.sql import SparkSession
spark = SparkSession.builder.appName("history").getOrCreate()
# Without ORDER BY: for it, Spark runs the plan below twice.
spark.sql('''{probe.QUERY.replace("ORDER BY part", "")}''').collect()
print(spark.sql('''EXPLAIN FORMATTED {probe.QUERY}''').head()[0])
spark.stop()
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("history")
    events = folder / "events"
    events.mkdir()
    (folder / "job.py").write_text(JOB)
    # The page has the jar in a folder of its own.
    settings = dict(line.split() for line in surface.block("defaults").splitlines())
    jar = Path(match_recognize.jar_path())
    assert Path(settings["spark.jars"]).name == jar.name
    job = surface.shell(
        "spark-submit job.py",
        folder,
        **settings | {"spark.jars": str(jar)},
        spark__eventLog__enabled="true",
        spark__eventLog__dir=events.as_uri(),
    )
    assert job.returncode == 0, job.stderr
    port = surface.free_port()
    # It needs no jar of ours: what it shows is in the log.
    started = surface.server(
        surface.block("history-server"),
        "started at http://",
        folder / "server",
        port,
        spark__history__fs__logDirectory=events.as_uri(),
        spark__history__ui__port=str(port),
    )
    (folder / "server").mkdir()
    with started:
        top = f"http://127.0.0.1:{port}"
        surface.wait_for(lambda: surface.fetch(f"{top}/api/v1/applications"), 60)
        (application,) = surface.fetch(f"{top}/api/v1/applications")
        name = application["id"]
        queries = surface.fetch(f"{top}/api/v1/applications/{name}/sql?details=true")
        (query,) = [query for query in queries if "collect" in query["description"]]
        page = f"{top}/history/{name}/SQL/execution/?id={query['id']}"
        with urllib.request.urlopen(page, timeout=60) as answer:
            html = answer.read().decode()
    return {"explain": job.stdout, "query": query, "page": html}


def test_the_event_log_names_the_operator_and_its_metrics(seen: dict[str, Any]) -> None:
    (node,) = [n for n in seen["query"]["nodes"] if n["nodeName"].startswith("MatchRecognize")]
    metrics = {metric["name"]: metric["value"] for metric in node["metrics"]}
    assert metrics["number of output rows"] == "2"
    # A short name, as Spark's own nodes have; the rest is in the plan's description.
    assert "\n" not in node["nodeName"]
    assert len(node["nodeName"]) < 40
    assert "MatchRecognize" in seen["query"]["planDescription"]


def test_the_page_of_the_query_shows_it(seen: dict[str, Any]) -> None:
    assert "MatchRecognize" in seen["page"]


def test_explain_formatted_lists_it_as_sparks_operators(seen: dict[str, Any]) -> None:
    tree, _, details = seen["explain"].partition("\n\n\n")
    assert "MatchRecognize (" in tree
    (own,) = [part for part in details.split("\n\n") if ") MatchRecognize" in part]
    lines = own.strip().splitlines()
    assert re.match(r"\(\d+\) MatchRecognize", lines[0])
    assert lines[1].startswith("Input [3]: [part#")
    assert lines[2].startswith("Output [4]: [part#")
    assert [line.split(" ")[0].rstrip(":") for line in lines[3:]] == [
        "Clause",
        "Define",
        "Measures",
        "Matcher",
        "Retained",
        "Rows",
        "Pushed",
    ]
