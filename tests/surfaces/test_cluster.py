"""A standalone master with two workers on loopback, and jobs shipped to them in every way."""

from __future__ import annotations

import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import match_recognize
import pytest
import surface
import ticks
from match_recognize.session import probe
from surface import Server

SHOW = f"print([tuple(row) for row in spark.sql('''{probe.QUERY}''').collect()])\nspark.stop()\n"
SHOWN = f"{probe.ANSWER}\n"

PRELUDE = """\
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
"""


@dataclass
class Cluster:
    """A master, and its workers by the order in which they came."""

    master: Server
    workers: list[Server]

    def block(self, name: str) -> str:
        return surface.block(name, master=self.master.port)

    def jars_on_workers(self) -> list[set[str]]:
        """What the executors of each worker were sent."""
        return [{path.name for path in w.folder.glob("work/*/*/*.jar")} for w in self.workers]


@contextmanager
def a_cluster(folder: Path) -> Iterator[Cluster]:
    port = surface.free_port()
    with ExitStack() as stack:
        command = surface.block("master", master=port).replace("8080", "0")
        ready = "I have been elected leader"
        (folder / "master").mkdir()
        master = surface.server(command, ready, folder / "master", port)
        cluster = Cluster(stack.enter_context(master), [])
        # Two hosts: Spark starts no second copy of a task on the host of the first.
        for host in ("127.0.0.1", "127.0.0.2"):
            command = cluster.block("worker").replace("8081", "0")
            command = command.replace("--host 127.0.0.1", f"--host {host}")
            (folder / host).mkdir()
            ready = "Successfully registered with master"
            worker = surface.server(command, ready, folder / host, 0)
            cluster.workers.append(stack.enter_context(worker))
        yield cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with a_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def test_spark_submit(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(PRELUDE + SHOW)
    done = surface.shell(cluster.block("spark-submit"), tmp_path)
    assert done.stdout == SHOWN, done.stderr
    # The jar came to the workers from the driver.
    name = Path(match_recognize.jar_path()).name
    assert all(name in jars for jars in cluster.jars_on_workers())


def test_a_client_that_has_the_jar_alone(cluster: Cluster, tmp_path: Path) -> None:
    shutil.copy(match_recognize.jar_path(), tmp_path / "ours.jar")
    command = cluster.block("spark-submit").replace(
        '"$(python -m match_recognize jar)"', "ours.jar"
    )
    assert "match_recognize jar" not in command
    (tmp_path / "job.py").write_text(PRELUDE + SHOW)
    done = surface.shell(command, tmp_path)
    assert done.stdout == SHOWN, done.stderr
    assert all("ours.jar" in jars for jars in cluster.jars_on_workers())


def test_a_client_that_has_the_wheel(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(cluster.block("wheel") + SHOW)
    done = surface.shell("python job.py", tmp_path)
    assert done.stdout == SHOWN, done.stderr


def test_enable_sends_the_jar_to_executors_that_run(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        PRELUDE
        + "assert spark.range(0, 100, 1, 2).groupBy('id').count().count() == 100\n"
        + surface.block("notebook")
        + SHOW
    )
    master = f"spark://127.0.0.1:{cluster.master.port}"
    done = surface.shell("python job.py", tmp_path, spark__master=master)
    assert done.stdout == SHOWN, done.stderr


def test_pyspark(cluster: Cluster, tmp_path: Path) -> None:
    # Python is interactive by itself on a terminal only, and the shell's session is made then.
    command = f"export PYSPARK_DRIVER_PYTHON_OPTS=-i\n{cluster.block('pyspark')}"
    done = surface.shell(command, tmp_path, stdin=SHOW)
    assert SHOWN in done.stdout, done.stdout + done.stderr


def test_spark_shell(cluster: Cluster, tmp_path: Path) -> None:
    text = f'println(spark.sql("""{probe.QUERY}""").collect().mkString("rows: ", "", ""))\n'
    done = surface.shell(cluster.block("spark-shell"), tmp_path, stdin=f"{text}:quit\n")
    assert "rows: [0,3,4,8][1,3,4,8]" in done.stdout, done.stdout + done.stderr


class TestSparkSql:
    SETUP = """\
        CREATE TEMPORARY VIEW ticks AS SELECT * FROM VALUES
          ('a', 1, 5), ('a', 2, 3), ('a', 3, 4), ('b', 1, 1), ('b', 2, 7), ('b', 3, 2)
          AS t(symbol, day, price);
        """

    def said(self, cluster: Cluster, folder: Path, *statements: str) -> list[str]:
        text = textwrap.dedent(self.SETUP) + "".join(f"{text};\n" for text in statements)
        (folder / "report.sql").write_text(text)
        done = surface.shell(
            cluster.block("spark-sql"), folder, spark__sql__scripting__enabled="true"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def test_statements_variables_and_a_block(self, cluster: Cluster, tmp_path: Path) -> None:
        above = ticks.LOWS.replace("PREV(price)", "PREV(price) AND price >= {least}")
        block = above.replace("{least}", "least")
        said = self.said(
            cluster,
            tmp_path,
            ticks.LOWS,
            "SET three=3",
            above.replace("{least}", "${three}"),
            # With a blank, the anchor before a brace is no variable. Only b's fall ends its rows.
            ticks.LOWS.replace("DOWN+", "DOWN+ $ {- E* -}"),
            f"BEGIN\n  DECLARE least INT = 3;\n  {block};\nEND",
        )
        assert said == ["a\t3", "b\t2", "three\t3", "a\t3", "b\t2", "a\t3"]

    def test_an_error(self, cluster: Cluster, tmp_path: Path) -> None:
        (tmp_path / "report.sql").write_text(f"{textwrap.dedent(self.SETUP)}{ticks.WRONG};\n")
        done = surface.shell(cluster.block("spark-sql"), tmp_path)
        assert done.returncode != 0
        assert f"[{ticks.WRONG_CONDITION}]" in done.stderr
        assert "^" in done.stderr


# Forty partitions that each take a second to show, in eight tasks.
SLOW = """\
import sys, time
from pathlib import Path
from pyspark import TaskContext
from pyspark.sql import SparkSession

folder = Path(sys.argv[1])

def shown(part):
    seen = folder / f"{part}-{TaskContext.get().attemptNumber()}"
    seen.touch()
    time.sleep(%(sleep)s)
    return part

spark = SparkSession.builder.config("spark.sql.adaptive.enabled", "false").config(
    "spark.sql.shuffle.partitions", "8").getOrCreate()
spark.udf.register("shown", shown, "long")
rows = spark.sql('''
  SELECT shown(part) AS part, falls, rises FROM (
    SELECT id DIV 8 AS part, id, ABS(id %% 8 - 3) AS v FROM RANGE(0, 320, 1, 4))
  MATCH_RECOGNIZE (
    PARTITION BY part ORDER BY id
    MEASURES COUNT(DOWN.v) AS falls, COUNT(UP.v) AS rises
    PATTERN (STRT DOWN+ UP+)
    DEFINE DOWN AS v < PREV(v), UP AS v > PREV(v))''').collect()
assert sorted(map(tuple, rows)) == [(part, 3, 4) for part in range(40)], rows
print("right")
spark.stop()
"""


def test_a_worker_dies_in_the_middle(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    with a_cluster(tmp_path) as cluster:
        (tmp_path / "job.py").write_text(SLOW % {"sleep": 1})
        command = cluster.block("spark-submit").replace("job.py", f"job.py {seen}")
        job = subprocess.Popen(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=surface.home(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Both workers show rows by then, and hold what the first stage has shuffled.
        surface.wait_for(lambda: len(list(seen.iterdir())) >= 6 or job.poll() is not None, 120)
        assert job.poll() is None, job.communicate()
        cluster.workers[1].kill()
        said, log = job.communicate(timeout=240)
    assert said == "right\n", log
    assert "Lost executor" in log


def test_a_slow_task_is_run_twice(cluster: Cluster, tmp_path: Path) -> None:
    """Speculative execution: the second copy of a task comes first, and counts once."""
    seen = tmp_path / "seen"
    seen.mkdir()
    # The first to show partition 0 sleeps longer than the test may take.
    sleep = "600 if part == 0 and TaskContext.get().attemptNumber() == 0 else 0.05"
    (tmp_path / "job.py").write_text(SLOW % {"sleep": sleep})
    command = cluster.block("spark-submit").replace("job.py", f"job.py {seen}")
    done = surface.shell(
        command,
        tmp_path,
        seconds=200,
        spark__speculation="true",
        spark__speculation__interval="200ms",
        spark__speculation__multiplier="1.1",
        spark__speculation__quantile="0.5",
        spark__speculation__minTaskRuntime="1s",
    )
    assert done.stdout == "right\n", done.stderr
    assert (seen / "0-0").exists()
    assert (seen / "0-1").exists()
