"""Each query in Spark and in Flink, with each state store, in rounds: A B C, then C B A."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from benchmarks.results import Cell
from benchmarks.streaming import events, flink_run, spark_run
from benchmarks.streaming.queries import QUERIES, SCAN, Query
from benchmarks.streaming.sizes import Streams
from benchmarks.streaming.spark_run import STORES

#: What a way measures in one round: ``run`` (seconds, load, and the rows read) and whatever
#: describes it.
Way = Callable[[], dict[str, Any]]


def run(streams: Streams) -> list[str]:
    """Measures each query, and reading alone."""
    for query in [SCAN, *QUERIES.values()]:
        name = f"streaming/throughput/{query.name}/{streams.plan.rows}"
        streams.bench.cell(name, partial(_measure, streams, query))
    return []


def _measure(streams: Streams, query: Query) -> Cell:
    plan, warm_up = events.provide(streams.plan), events.provide(streams.warm_up)
    ways = _ways(streams, query, plan, warm_up)
    measured: dict[str, dict[str, Any]] = {name: {"runs": []} for name in ways}
    for number in range(streams.bench.options.pairs):
        for name in list(ways) if number % 2 == 0 else list(ways)[::-1]:
            if "refused" in measured[name]:
                continue
            found = ways[name]()
            if "run" in found:
                measured[name]["runs"].append(found.pop("run"))
            # The latest round describes the way.
            measured[name].update(found)
    cell = {"rows": streams.plan.rows, "keys": streams.plan.keys, "batch": streams.plan.batch}
    return {**cell, "ways": measured}


def _ways(streams: Streams, query: Query, plan: Path, warm_up: Path) -> dict[str, Way]:
    spark = streams.bench.spark
    if query is SCAN:
        frame = partial(spark_run.ours, spark, query=query)
        return {
            "Spark": partial(_spark, streams, frame, "default", plan, warm_up),
            "Flink": partial(_flink, streams, query, "heap", plan, warm_up),
        }
    ways: dict[str, Way] = {}
    for name, made in (("ours", spark_run.ours), ("keep", spark_run.keep)):
        for store in STORES:
            frame = partial(made, spark, query=query)
            ways[f"{name}, {store}"] = partial(_spark, streams, frame, store, plan, warm_up)
    for store in flink_run.BACKENDS:
        ways[f"Flink, {store}"] = partial(_flink, streams, query, store, plan, warm_up)
    return ways


def _spark(
    streams: Streams, frame: Callable[..., DataFrame], store: str, plan: Path, warm_up: Path
) -> dict[str, Any]:
    limit = streams.bench.options.limit
    for folder, seconds in ((warm_up, limit / 10), (plan, limit)):
        with spark_run.checkpoint() as checkpoint:
            query = frame(folder=folder / "spark")
            done = spark_run.run(query, checkpoint, store, limit=seconds)
    return {
        # The event that ends the stream is none of them.
        "run": [round(done.seconds, 3), round(done.load, 2), min(done.rows, streams.plan.rows)],
        "cut": done.is_cut,
        "state": done.state,
        "batches": [
            [batch.seconds, batch.entries, batch.memory, batch.state] for batch in done.batches
        ],
    }


def _flink(
    streams: Streams, query: Query, store: str, plan: Path, warm_up: Path
) -> dict[str, Any]:
    limit = streams.bench.options.limit
    found = flink_run.run(query.text, plan, store, warm_up=str(warm_up / "flink"), limit=limit)
    if "refused" in found:
        return found
    sizes = [size for _, size in found["checkpoints"]]
    return {
        "run": [found["seconds"], found["load"], found["rows"] or streams.plan.rows],
        "cut": found["rows"] is not None,
        "state": max(sizes, default=None),
        "checkpoints": found["checkpoints"],
    }
