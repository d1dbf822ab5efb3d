"""Measures streaming queries; ``python -m benchmarks.streaming --help``."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from benchmarks import results
from benchmarks.parts.options import Bench, Options
from benchmarks.session import CORES, start
from benchmarks.streaming import agreement, hour, one_key, restart, share, throughput
from benchmarks.streaming.sizes import Sizes, Streams

PARTS = {
    "agreement": agreement.run,
    "throughput": throughput.run,
    "share": share.run,
    "one_key": one_key.run,
    "restart": restart.run,
    "hour": hour.run,
}


def main() -> int:
    """Measures what the command line names; 1 if an answer is wrong."""
    words = parser()
    arguments = words.parse_args()
    only = [name for name in arguments.only.split(",") if name]
    unknown = sorted(set(only) - {*PARTS})
    if unknown:
        words.error(f"--only knows {', '.join(PARTS)}; not {', '.join(unknown)}")
    options = Options(
        rows=arguments.rows,
        lanes=(),
        pairs=arguments.pairs,
        limit=arguments.limit,
        # Each way runs in each round.
        budget=math.inf,
        missing=arguments.missing,
    )
    sizes = Sizes(
        keys=arguments.keys,
        batch=arguments.batch,
        hour_rows=arguments.hour_rows,
        retained=arguments.retained,
        updates=arguments.updates,
    )
    spark = start(
        # As many as Flink has.
        spark_sql_shuffle_partitions=str(CORES),
        # All of them are read when the query has ended.
        spark_sql_streaming_numRecentProgressUpdates="1000000",
    )
    streams = Streams(
        Bench(spark, options, results.Results(arguments.results, arguments.anew)), sizes
    )
    wrong = [
        line for name, run in PARTS.items() if name in only or not only for line in run(streams)
    ]
    for line in wrong:
        print(f"WRONG: {line}")
    return 1 if wrong else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.streaming", description=__doc__)
    words.add_argument("--only", default="", help=f"some of {','.join(PARTS)}")
    words.add_argument("--rows", type=int, default=4_000_000, help="events of each query")
    words.add_argument("--keys", type=int, default=100_000, help="customers")
    words.add_argument("--batch", type=int, default=250_000, help="events of a micro-batch")
    words.add_argument("--pairs", type=int, default=3, help="runs of each way, interleaved")
    words.add_argument("--limit", type=float, default=300, help="seconds, then a run is cut")
    words.add_argument("--hour-rows", type=int, default=10_000_000, help="events of the hour")
    words.add_argument("--retained", type=int, default=100_000, help="rows of the largest key")
    words.add_argument("--updates", type=int, default=30, help="micro-batches of that key")
    words.add_argument("--missing", action="store_true", help="only what has no result yet")
    words.add_argument(
        "--results", type=Path, default=results.STREAMING_FILE, help="the JSON file"
    )
    words.add_argument("--anew", action="store_true", help="drop what another machine measured")
    return words


if __name__ == "__main__":
    sys.exit(main())
