"""The events, the late events and the tables of benchmarks/streaming."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.report import streaming
from benchmarks.results import Cell, Results
from benchmarks.streaming import events, hour, share
from benchmarks.streaming.events import DELAY, KINDS, Events, Plan
from benchmarks.streaming.queries import QUERIES

PLAN = Plan(rows=60_000, keys=1_000, hours=1, batch=3_000, late=0.001)


@pytest.fixture(scope="module")
def made() -> Events:
    return events.make(PLAN)


def lateness(made: Events) -> np.ndarray:
    """How far each event is from the latest before it."""
    return np.maximum.accumulate(made.ms) - made.ms


def test_events_are_always_the_same(made: Events) -> None:
    assert made.table().equals(events.make(PLAN).table())


def test_no_customer_has_two_events_at_once(made: Events) -> None:
    assert len(set(zip(made.id.tolist(), made.ms.tolist()))) == PLAN.rows
    assert made.id.min() >= 0
    assert made.id.max() < PLAN.keys


def test_out_of_order_within_the_delay(made: Events) -> None:
    behind = lateness(made)[made.late == 0]
    assert behind.max() < DELAY
    assert 0.04 < (behind > 0).mean() < 0.05


def test_late_events_are_dropped_and_no_others(made: Events) -> None:
    assert 30 < made.late.sum() < 90
    assert hour.late(made.ms, PLAN.batch).tolist() == (made.late == 1).tolist()


def test_late_is_at_or_before_the_watermark_of_the_micro_batch_before() -> None:
    ms = np.array([100, 200, 150, 300, 150, 151, 250, 251])
    # Watermarks with a delay of 50: none, 150, 250, 250. The last two micro-batches are compared
    # with 150 and 250.
    assert hour.late(ms, batch=2, delay=50).tolist() == [
        *(False, False, False, False),
        *(True, False, True, False),
    ]


def test_both_engines_read_the_same_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.setenv("BENCH_DATA", str(tmp_path))
    plan = Plan(rows=1_001, keys=50, hours=2, batch=300)
    folder = events.provide(plan)

    def rows(part: str, without: int) -> list[str]:
        files = sorted((folder / part).glob("*.parquet"))
        found = pa.concat_tables(pq.read_table(file) for file in files[: len(files) - without])
        return sorted(map(str, found.to_pylist()))

    # Spark's last two files have the event that ends the stream.
    assert rows("spark", without=2) == rows("flink", without=0)
    assert len(list((folder / "spark").glob("*.parquet"))) == 2 * (plan.batches + 1)
    [end] = [row for file in events_of_end(folder) for row in pq.read_table(file).to_pylist()]
    assert end["kind"] not in KINDS


def events_of_end(folder: Path) -> list[Path]:
    return sorted((folder / "spark").glob("*.parquet"))[-2:]


def test_bounds_are_those_of_the_statements() -> None:
    units = {"MINUTE": 1, "HOUR": 60}
    for query in QUERIES.values():
        words = query.text.split("WITHIN INTERVAL ")[1].split()
        assert int(words[0].strip("'")) * units[words[1]] == query.minutes, query.name


def test_no_section_without_measurements(tmp_path: Path) -> None:
    assert streaming.streaming(Results(tmp_path / "none.json")) == ""


def results(tmp_path: Path, cells: dict[str, Cell]) -> Results:
    found = Results(tmp_path / "some.json")
    found.cells = {name: {**cell, "date": "2026-01-05"} for name, cell in cells.items()}
    return found


def lines(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n")]


def way(*runs: list[float]) -> Cell:
    return {"runs": list(runs), "state": 5_000, "cut": False}


def test_throughput(tmp_path: Path) -> None:
    ways = {
        "ours, default": way([10.0, 1.0, 1_000], [20.0, 1.0, 1_000], [5.0, 1.0, 1_000]),
        "keep, default": way([4.0, 1.0, 1_000], [5.0, 1.0, 1_000], [4.0, 1.0, 1_000]),
        # The last was cut after half of its rows.
        "Flink, heap": {
            **way([20.0, 1.0, 1_000], [10.0, 1.0, 1_000], [10.0, 1.0, 500]),
            **{"state": None, "cut": True},
        },
        "Flink, RocksDB": {"runs": [], "refused": "No."},
    }
    cell = {"rows": 1_000, "keys": 10, "ways": ways}
    # Only the largest size of a query is shown.
    small = {**cell, "rows": 100}
    found = results(
        tmp_path,
        {"streaming/throughput/funnel/1000": cell, "streaming/throughput/funnel/100": small},
    )
    assert lines(streaming.throughput(found))[2:] == [
        [
            *("funnel", "ours, default", "100 (50 to 200)", "500"),
            *("2.00 (0.50 to 4.00)", "0.60 (0.20 to 0.75)"),
        ],
        ["funnel", "keep, default", "250 (200 to 250)", "500", "", ""],
        ["funnel", "Flink, heap", "50 (50 to 100), cut", "", "", ""],
        ["funnel", "Flink, RocksDB", "not accepted: No.", "", "", ""],
    ]


def test_growth(tmp_path: Path) -> None:
    # Seconds, entries, memory, state; the last two micro-batches end the stream.
    batches = [[float(i), 0, 0, i * 1_000_000] for i in range(1, 11)] + [[99.0, 0, 0, 0]] * 2
    ways = {"ours, default": {"batches": batches}, "keep, default": {"batches": batches}}
    found = results(tmp_path, {"streaming/throughput/funnel/10": {"ways": ways}})
    assert lines(streaming.growth(found))[2:] == [
        [
            *("funnel", "ours, default", "1.50 s, 2.0 MB", "3.50 s, 4.0 MB"),
            *("5.50 s, 6.0 MB", "7.50 s, 8.0 MB", "9.50 s, 10.0 MB"),
        ]
    ]


def test_agreement(tmp_path: Path) -> None:
    ours = {"standard": 1_000, "flink": 999}
    cells = {
        "streaming/agreement/a/10": {
            "ours": ours,
            "flink": 999,
            "different": {"standard": 3, "flink": 0},
        },
        "streaming/agreement/b/10": {"ours": ours, "refused": "No."},
    }
    assert lines(streaming.agreement(results(tmp_path, cells)))[2:] == [
        ["a", "1,000", "999", "3", "0"],
        ["b", "1,000", "not accepted: No.", "", ""],
    ]


def test_one_key_and_restart(tmp_path: Path) -> None:
    runs = {"runs": [[1.0, 1.0], [3.0, 1.0], [2.0, 1.0]], "state": 2_500_000}
    ways = {"default": runs, "RocksDB": runs}
    cells = {
        "streaming/one_key/100": {"ways": ways},
        "streaming/one_key/10": {"ways": ways},
        "streaming/restart/funnel/10": {"ways": {"Flink, heap": runs}},
    }
    found = results(tmp_path, cells)
    shown = "2.00 (1.00 to 3.00)"
    assert lines(streaming.one_key(found))[2:] == [["10", shown, shown], ["100", shown, shown]]
    assert lines(streaming.restart(found))[2:] == [["funnel", "Flink, heap", shown, "2.5"]]


def test_hour(tmp_path: Path) -> None:
    cell = {
        **{"rows": 10_000, "seconds": 4.0, "out": 70, "missing": 0, "surplus": 1},
        **{"late": 8, "dropped": 9},
        "batches": [[1.0, 500, 2_000_000, 0], [3.0, 400, 3_000_000, 0]],
    }
    found = results(tmp_path, {"streaming/hour/default/10000": cell})
    assert lines(streaming.hour(found))[2:] == [
        ["default", "10,000", "2,500", "70", "0", "1", "8", "9", "500", "3"]
    ]
    assert "## Streaming" in streaming.streaming(found)


def test_a_stack_is_of_the_topmost_part_that_is_known() -> None:
    spark, execution = "org.apache.spark.", "org.apache.spark.sql.execution."
    task = f"{spark}scheduler.Task.run"
    ours = "org.matchrecognize.spark.streaming.KeyedMatcher.process"
    stateful = f"{execution}streaming.operators.stateful."
    for part, *frames in (
        ("clause", "java.util.ArrayList.add", ours, task),
        ("clause", f"{spark}sql.catalyst.expressions.UnsafeRow.copy", ours, task),
        (
            "state store",
            "org.rocksdb.RocksDB.get",
            f"{execution}streaming.state.RocksDB.get",
            ours,
        ),
        ("state store", f"{stateful}transformwithstate.TimerStateImpl.exists", ours),
        ("other operators", f"{stateful}transformwithstate.TransformWithStateExec.call", task),
        ("shuffle", f"{spark}shuffle.sort.UnsafeShuffleWriter.write", task),
        ("shuffle", f"{execution}UnsafeExternalRowSorter.sort", task),
        ("input", f"{execution}datasources.FileScanRDD.compute", task),
        ("other operators", f"{spark}sql.catalyst.expressions.GeneratedClass.next", task),
        (share.IDLE, "jdk.internal.misc.Unsafe.park", "java.lang.Thread.run"),
    ):
        assert share.part(frames) == part, frames


def test_each_core_has_a_task_or_none() -> None:
    stack = (
        '"Executor task launch worker for task 0.0 in stage 3.0 (TID 5)" daemon prio=5 Id=9\n'
        "\tat java.base@17.0.15/java.lang.Object.wait(Native Method)\n"
        "\tat app//org.matchrecognize.spark.streaming.KeyedMatcher.process(A.scala:1)\n"
        "\n\n"
    )
    waiting = (
        '"Executor task launch worker for task 1.0 in stage 2.0 (TID 4)" daemon prio=5 Id=8\n'
        "\tat java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)\n\n"
    )
    other = '"main" prio=5\n\tat org.matchrecognize.spark.streaming.KeyedMatcher.process(A:1)\n\n'
    assert share.parts(other + waiting + stack) == ["clause", share.IDLE]
    assert share.parts(stack + waiting + stack + waiting) == ["clause", "clause"]
