"""The program that runs one statement in Flink, in a Python of its own (build/tools flink).

Its only argument is a job in JSON, with the fields of ``benchmarks.streaming.flink_run.Job``. The
last line of its output is what it measured, in JSON. It imports nothing of this project.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyflink.common import Configuration  # type: ignore[import-not-found]
from pyflink.table import EnvironmentSettings, TableEnvironment  # type: ignore[import-not-found]

#: Seconds between two looks at a running job.
PAUSE = 0.05

EVENTS = """
    CREATE TABLE events (
      id BIGINT, ms BIGINT, kind STRING, price INT,
      ts AS TO_TIMESTAMP_LTZ(ms, 3),
      WATERMARK FOR ts AS ts - INTERVAL '{delay}' SECOND
    ) WITH ('connector' = 'filesystem', 'path' = 'file://{input}', 'format' = 'parquet')"""

BLACKHOLE = "'connector' = 'blackhole'"
FILES = "'connector' = 'filesystem', 'path' = 'file://{output}', 'format' = 'json'"


class Running:
    """A job of a local cluster of its own, and what the cluster reports about it."""

    def __init__(self, job: dict[str, Any], restore: str = "") -> None:
        self.port = free_port()
        tables = TableEnvironment.create(
            EnvironmentSettings.new_instance()
            .in_streaming_mode()
            .with_configuration(configuration(job, self.port, restore))
            .build()
        )
        tables.execute_sql(EVENTS.format(**job))
        sink = FILES.format(**job) if job["output"] else BLACKHOLE
        self.result = tables.execute_sql(
            f"CREATE TABLE found WITH ({sink}) AS {job['statement']}"
        )
        self.client = self.result.get_job_client()
        self.end = self.client.get_job_execution_result()

    def report(self, path: str = "") -> dict[str, Any]:
        """What the cluster says; nothing before it is up and after the job has ended.

        A cluster that goes down may leave a request without an answer.
        """
        url = f"http://127.0.0.1:{self.port}/jobs/{self.client.get_job_id()}{path}"
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                return dict(json.load(answer))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return {}

    def rows_read(self) -> int:
        """How many rows the clause has read; the source, if there is no clause."""
        vertices = self.report().get("vertices", [])
        searching = [vertex for vertex in vertices if "Match[" in vertex["name"]]
        read = [vertex["metrics"]["read-records"] for vertex in searching or vertices[:1]]
        return int(read[0]) if read else 0

    def checkpoints(self) -> list[dict[str, Any]]:
        """The completed checkpoints, the newest first, as far as the cluster remembers them."""
        found = self.report("/checkpoints").get("history", [])
        return [checkpoint for checkpoint in found if checkpoint["status"] == "COMPLETED"]

    def wait_until(self, condition: Callable[[], object]) -> None:
        """Waits for a condition.

        Raises:
            RuntimeError: the job has ended before.
        """
        while not condition():
            if self.end.done():
                raise RuntimeError("the job ended too early: give it more events")
            time.sleep(PAUSE)

    def cancel(self) -> None:
        """Ends the job; its checkpoints remain."""
        self.client.cancel().result()
        while self.report().get("state") in ("RUNNING", "CANCELLING"):
            time.sleep(PAUSE)


def free_port() -> int:
    """A port that nothing listens to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def configuration(job: dict[str, Any], port: int, restore: str) -> Any:
    """The settings of a local cluster for one job."""
    settings = {
        "parallelism.default": str(job["cores"]),
        "table.local-time-zone": "UTC",
        "state.backend.type": job["backend"],
        # As Flink's documentation recommends for large state; the heap has no such checkpoints.
        "execution.checkpointing.incremental": "true",
        "execution.checkpointing.interval": f"{job['interval']} s",
        "execution.checkpointing.dir": f"file://{job['checkpoints']}",
        "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
        "execution.checkpointing.num-retained": "1000",
        "web.checkpoints.history": "1000",
        # For RocksDB; a local cluster has 128 MB unless it is told.
        "taskmanager.memory.managed.size": job["managed"],
        "rest.bind-address": "127.0.0.1",
        "rest.bind-port": str(port),
        # The reports are fresh: milliseconds.
        "web.refresh-interval": "100",
        "metrics.fetcher.update-interval": "100",
        # A job that is cancelled waits so long for the reader of its files: milliseconds.
        "source.reader.close.timeout": "1000",
    }
    if restore:
        settings["execution.state-recovery.path"] = restore
    found = Configuration()
    for name, value in settings.items():
        found.set_string(name, value)
    return found


def to_the_end(job: dict[str, Any]) -> dict[str, Any]:
    """Runs the statement over all events, or until the limit is over."""
    running = Running(job)
    started, rows = 0.0, 0
    checkpoints: dict[int, dict[str, Any]] = {}
    while not running.end.done():
        rows = max(rows, running.rows_read())
        if rows and not started:
            started = time.perf_counter()
        checkpoints.update({found["id"]: found for found in running.checkpoints()})
        if started and time.perf_counter() - started > job["limit"]:
            break
        time.sleep(PAUSE)
    ended = time.perf_counter()
    load = os.getloadavg()[0]
    is_cut = not running.end.done()
    if is_cut:
        running.cancel()
    else:
        # Raises what the job has failed with.
        running.result.wait()
    return {
        "seconds": round(ended - started, 3),
        "load": round(load, 2),
        "rows": rows if is_cut else None,
        "checkpoints": [
            [found["end_to_end_duration"] / 1000, found["state_size"]]
            for _, found in sorted(checkpoints.items())
        ],
    }


def restarted(job: dict[str, Any]) -> dict[str, Any]:
    """Cancels the job after some rows and a checkpoint, and restores it, several times."""
    running = Running(job)
    running.wait_until(lambda: running.rows_read() >= job["stop_at"])
    known = {found["id"] for found in running.checkpoints()}
    running.wait_until(lambda: {found["id"] for found in running.checkpoints()} - known)
    newest = running.checkpoints()[0]
    running.cancel()
    runs = [restored(job, newest["external_path"]) for _ in range(job["restarts"])]
    return {"runs": runs, "state": newest["state_size"]}


def restored(job: dict[str, Any], checkpoint: str) -> list[float]:
    """Seconds from the job's creation until the clause has read a row, and the load."""
    running = Running(job, checkpoint)
    running.wait_until(lambda: running.rows_read() > 0)
    read = time.time()
    created = float(running.report()["timestamps"]["CREATED"]) / 1000
    running.cancel()
    return [round(read - created, 3), round(os.getloadavg()[0], 2)]


def cause(error: Py4JJavaError) -> str:
    """The first line of the innermost cause."""
    exception = error.java_exception
    while exception.getCause() is not None:
        exception = exception.getCause()
    return str(exception.getMessage()).splitlines()[0]


def main() -> None:
    """Runs the job, and prints what it measured."""
    job = json.loads(sys.argv[1])
    try:
        if job["warm_up"]:
            limit = job["limit"] / 10
            to_the_end({**job, "input": job["warm_up"], "output": "", "limit": limit})
        found = restarted(job) if job["restarts"] else to_the_end(job)
    except Py4JJavaError as error:
        found = {"refused": cause(error)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
