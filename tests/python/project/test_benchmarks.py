"""The report of the benchmarks, and the processes of other engines, without Spark."""

from __future__ import annotations

import json
import subprocess
from argparse import Namespace
from pathlib import Path

import pytest
from conftest import ROOT

from benchmarks import jars
from benchmarks.compare import slower
from benchmarks.engines import engine
from benchmarks.engines.engine import Engine, EngineError
from benchmarks.parts.adversarial import CASES
from benchmarks.report import cores, tables
from benchmarks.report.measured import Measured
from benchmarks.report.targets import Line, lines
from benchmarks.results import FILE, Cell, Results
from benchmarks.shortcuts import LIMIT, table
from benchmarks.stopwatch import TimeOverError

MIB = 2**20


def measured(folder: Path, cells: dict[str, Cell]) -> Measured:
    file = folder / "results.json"
    dated = {name: {**cell, "date": "2026-01-01", "commit": "c"} for name, cell in cells.items()}
    file.write_text(json.dumps({"machines": {}, "cells": dated}))
    return Measured(Results(file), folder)


def cell(rows: int = 10_000_000, **ways: float | Cell) -> Cell:
    """Two rounds of each way, in seconds."""
    found = {
        name: {"runs": [[way, 1.0], [way, 1.0]]} if isinstance(way, float) else way
        for name, way in ways.items()
    }
    return {"rows": rows, "x": rows, "ways": found}


def test_what_is_slower_without_a_shortcut(tmp_path: Path) -> None:
    results = Results(tmp_path / "shortcuts.json")
    results.put("shortcuts/V/1000", {"seconds": 0.5, "fused": 1.6, "gaps": 1.49})
    results.put("shortcuts/W/1000", {"seconds": 1.0, "fused": 0.9, "gaps": LIMIT})
    lines = table(results).splitlines()
    assert "| `fused` | 2 | V/1000: 1.6 |" in lines
    assert "| `gaps` | 2 | W/1000: over 20 |" in lines
    assert "| `joint` | 0 | none |" in lines


def test_a_part_is_of_one_machine(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    results = Results(file)
    results.put("engines/Q1/1", {"ways": {}})
    results.put("jumps/int/1", {"ways": {}})
    results.machines["engines"] = {"processor": "another"}
    assert results.conditions().count("Measured") == 2
    with pytest.raises(RuntimeError, match=r"engines.*--anew"):
        results.put("engines/Q5/1", {"ways": {}})
    results.put("jumps/double/1", {"ways": {}})
    results.anew = True
    results.put("engines/Q5/1", {"ways": {}})
    assert sorted(Results(file).cells) == ["engines/Q5/1", "jumps/double/1", "jumps/int/1"]
    assert results.conditions().count("Measured") == 1


@pytest.mark.nightly
def test_switches_of_shortcuts_can_be_added() -> None:
    patch = ROOT / "benchmarks" / "shortcuts.patch"
    done = subprocess.run(
        ["git", "apply", "--check", str(patch)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_lines_that_are_slower_than_saved(tmp_path: Path) -> None:
    before = {
        "questions/Q1/unsorted/1": cell(ours=3.0, exchange_sort=2.0, scan=1.0),
        "questions/Q2/sorted/1": cell(ours=3.0, scan=2.0),
        "scaling/rows/1": cell(ours=1.0, exchange_sort=1.0),
        "planning/1": cell(ours=1.0, without=1.0),
    }
    now = {
        # A machine twice as slow.
        "questions/Q1/unsorted/1": cell(ours=6.0, exchange_sort=4.0, scan=2.0),
        # 2.1 of the reference, in place of 1.5.
        "questions/Q2/sorted/1": cell(ours=4.2, scan=2.0),
        # A third slower is not yet too slow.
        "scaling/rows/1": cell(ours=1.3, exchange_sort=1.0),
        "planning/1": cell(ours=9.0, without=1.0),
        "adversarial/a/1": cell(ours=9.0, scan=1.0),
    }
    for name, cells in (("before", before), ("now", now)):
        (tmp_path / name).mkdir()
        measured(tmp_path / name, cells)
    warnings, compared = slower(
        *(Results(tmp_path / name / "results.json") for name in ("before", "now"))
    )
    assert warnings == ["questions/Q2/sorted/1: 2.10 of the reference, saved 1.50"]
    assert compared == 3


def line(of: Measured, measure: str, reach: str = "") -> Line:
    (found,) = [x for x in lines(of) if x.measure.startswith(measure) and reach in x.reach]
    return found


def test_two_jars_are_compared_in_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([2.0, 1.0, 3.0, 4.0])
    asked: list[str] = []

    def in_process(jar: Path, arguments: object) -> dict[str, float]:
        asked.append(jar.name)
        return {"Q1 sorted": next(seconds)}

    monkeypatch.setattr(jars, "in_process", in_process)
    ratios = jars.pairs(Path("old"), Path("new"), Namespace(pairs=2))
    # 1 s after 2 s; then the new one first: 3 s, and the old one 4 s.
    assert asked == ["old", "new", "new", "old"]
    assert ratios == {"Q1 sorted": [0.5, 0.75]}
    assert jars.table(ratios).splitlines()[-1] == "| Q1 sorted | 0.62 | 0.50 to 0.75 | 2 |"


def test_scaling_by_cores(tmp_path: Path) -> None:
    assert cores.cores(measured(tmp_path, {}).results) == ""
    ways = {"one task": {"runs": [[4.0, 3.0]]}, "ranges": {"runs": [[5.0, 3.0]]}}
    found = measured(tmp_path, {"cores/V-shape/1000": {"rows": 1000, "ways": ways}}).results
    rows = [line.split(" | ") for line in cores.cores(found).splitlines()[-2:]]
    assert [row[2] for row in rows] == ["one task", "ranges"]
    # In ranges, 1.25 on one core and 0.75 on two: 1.0 shrinks, 0.25 does not.
    assert [row[3:] for row in rows] == [
        ["4.00", "1.00 (1.00 to 1.00)", "0.75 (0.75 to 0.75)", "0.62", "0.53", "0.51 |"],
        ["5.00", "1.25 (1.25 to 1.25)", "0.75 (0.75 to 0.75)", "0.50", "0.31", "0.27 |"],
    ]


def test_nothing_measured_is_neither_reached_nor_missed(tmp_path: Path) -> None:
    found = list(lines(measured(tmp_path, {})))
    assert {(x.measured, x.reached) for x in found} == {("not measured", None)}


def test_saved_results_without_the_newest_cells_make_a_report() -> None:
    saved = Measured(Results(FILE))
    for part in (tables.targets, tables.adversarial, tables.scaling, tables.questions):
        assert part(saved)
    for part in (tables.engines, tables.planning):
        assert part(saved)


@pytest.mark.parametrize(("seconds", "reached"), [(3.0, True), (3.1, False)])
def test_dip_and_recovery_is_compared_with_q1(
    tmp_path: Path, seconds: float, reached: bool
) -> None:
    name = "questions/Q13/unsorted/10000000"
    of = measured(tmp_path, {name: cell(ours=seconds, v_shape=2.0)})
    assert line(of, "Q13, unsorted").reached is reached


def test_a_line_has_the_peak_memory_of_ours(tmp_path: Path) -> None:
    ours = {"runs": [[1.0, 0.5]], "memory": 300 * MIB}
    scan = {"runs": [[2.0, 0.5]], "memory": 5 * MIB}
    of = measured(tmp_path, {"questions/Q4/sorted/10000000": cell(ours=ours, scan=scan)})
    assert line(of, "Q4, sorted").memory == "300 MiB"


def growing(case: str, seconds: dict[int, float]) -> dict[str, Cell]:
    """Cells of a case: half a second to make the rows comes on top."""
    return {
        f"adversarial/{case}/{rows}": {
            **cell(rows, ours=net + 0.5, scan=0.5),
            "pattern": CASES[case].pattern,
        }
        for rows, net in seconds.items()
    }


def test_a_linear_count(tmp_path: Path) -> None:
    times = {rows: rows / 200_000 for rows in CASES["j"].sizes}
    of = measured(tmp_path, growing("j", times))
    size, growth = line(of, "Q11j", "64,000 rows"), line(of, "Q11j", "linear")
    assert (size.measured, size.reached) == ("0.32 (0.32 to 0.32) s", True)
    assert (growth.measured, growth.reached) == ("1.00, 16,000 to 128,000 rows", True)


def test_a_quadratic_count(tmp_path: Path) -> None:
    times = {rows: (rows / 64_000) ** 2 for rows in CASES["j"].sizes}
    of = measured(tmp_path, growing("j", times))
    assert line(of, "Q11j", "64,000 rows").reached is False
    growth = line(of, "Q11j", "linear")
    assert growth.measured.startswith("2.00")
    assert growth.reached is False


def test_a_falling_series_that_takes_too_long_early(tmp_path: Path) -> None:
    cells = growing("k", {10_000: 38.0})
    cells["adversarial/k/125000"] = {
        **cell(125_000, ours={"runs": [None], "over": 60}, scan=0.5),
        "pattern": CASES["k"].pattern,
    }
    of = measured(tmp_path, cells)
    size = line(of, "Q11k", "1,000,000 rows")
    assert (size.measured, size.reached) == ("125,000 rows: > 60 s", False)
    assert line(of, "Q11k", "n log n").reached is False


@pytest.mark.parametrize(
    ("keys", "seconds", "reached"),
    [(1_000_000, 2.6, True), (1_000_000, 2.7, False), (100_000, 2.7, None)],
)
def test_many_keys(tmp_path: Path, keys: int, seconds: float, reached: bool | None) -> None:
    of = measured(
        tmp_path,
        {f"scaling/growth/{keys}/10000000": {**cell(few_keys=2.0, many_keys=seconds), "x": keys}},
    )
    assert line(of, "1,000,000 keys").reached is reached


def test_each_query_of_the_demo_has_a_line(tmp_path: Path) -> None:
    of = measured(
        tmp_path,
        {
            "planning/demo/dip": cell(both=0.029, plan=0.02, generate=0.009),
            "planning/demo/v_shape": cell(both=0.031, plan=0.02, generate=0.011),
        },
    )
    assert line(of, "demo, dip").reached is True
    assert line(of, "demo, v_shape").reached is False
    assert "| dip | 20.0 (20.0 to 20.0) | 9.0 (9.0 to 9.0) |" in tables.planning(of)


def test_engines_are_shown_at_the_largest_size(tmp_path: Path) -> None:
    duckdb = {
        **{"relation": "same", "remark": "", "equal": True},
        **{"runs": [[0.5, 1.0]], "memory": 64 * MIB},
    }
    ours = {"relation": "same", "remark": "", "runs": [[1.0, 1.0]]}
    of = measured(
        tmp_path,
        {
            f"engines/Q1/{rows}": {**cell(rows, ours=ours, duckdb=duckdb), "out": 7}
            for rows in (1_000, 20_000)
        },
    )
    shown = tables.engines(of)
    assert "**Q1, 20,000 rows** (7 rows returned" in shown
    assert "1,000 rows" not in shown
    assert "| 2.00 (2.00 to 2.00) | 1 | 64 MiB | equal |" in shown


PROGRAM = """
import sys, time
for line in sys.stdin:
    if line.strip() == "run":
        print('{"seconds": 0.25, "memory": 1024}', flush=True)
    elif "slow" in line:
        time.sleep(60)
    else:
        sys.exit("first\\nno such column")
"""


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    import sys

    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    monkeypatch.setattr(engine, "PROGRAM", program)
    monkeypatch.setattr(engine, "PYTHON", Path(sys.executable))
    return Engine("duckdb", "q01_v_shape", tmp_path, limit=2)


def test_an_engine_runs_again_and_again(started: Engine) -> None:
    with started:
        runs = [started.run(), started.run()]
    assert [(run.seconds, run.memory) for run in runs] == [(0.25, 1024), (0.25, 1024)]
    assert started.process.poll() is not None


def test_an_engine_that_takes_too_long_is_ended(started: Engine) -> None:
    with started, pytest.raises(TimeOverError, match="> 2 s"):
        started.answer(Path("slow"))
    assert started.process.poll() is not None


def test_an_engine_that_fails_says_why(started: Engine) -> None:
    with started, pytest.raises(EngineError, match="no such column"):
        started.answer(Path("answer"))
