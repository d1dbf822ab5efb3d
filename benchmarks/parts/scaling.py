"""How time grows with the rows, with the keys, and with the pattern."""

from __future__ import annotations

from functools import partial

from benchmarks.data.tables import provide
from benchmarks.data.ticks import STEP_MICROSECONDS
from benchmarks.parts.options import Bench
from benchmarks.parts.rounds import interleave
from benchmarks.questions import LANES, QUESTIONS, in_lane, ways

SMALLEST, MOST_KEYS = 10_000, 1_000_000
#: Of Q1 in one cell, so that its times for few and for many keys are of the same rounds.
FEW_KEYS, TIMES_THE_KEYS = 1_000, 1_000
LENGTHS = (2, 5, 10, 20, 30, 40, 50)


def run(bench: Bench) -> None:
    """Measures the series."""
    provide(bench.spark, "ticks", bench.options.rows)
    for keys in powers_of_ten(1, min(MOST_KEYS, bench.options.rows // 10)):
        _cell(bench, f"keys/{keys}", keys, bench.options.rows, _by_keys(keys))
    many = min(FEW_KEYS * TIMES_THE_KEYS, bench.options.rows // 10)
    growth = {"few_keys": _by_keys(FEW_KEYS)["ours"], "many_keys": _by_keys(many)["ours"]}
    _cell(bench, f"growth/{many}", many, bench.options.rows, growth)
    for length in LENGTHS:
        _cell(bench, f"length/{length}", length, bench.options.rows, _by_length(length))
    for rows in powers_of_ten(SMALLEST, bench.options.rows):
        provide(bench.spark, "ticks", rows)
        for lane in LANES:
            shown = ("ours", "scan", "exchange_sort")
            texts = {w.name: w.text for w in ways(QUESTIONS["Q1"], lane) if w.name in shown}
            _cell(bench, f"rows-{lane}/{rows}", rows, rows, texts)


def powers_of_ten(first: int, last: int) -> list[int]:
    """From ``first`` in steps of ten times up to ``last``."""
    values = []
    while first <= last:
        values.append(first)
        first *= 10
    return values


def _cell(bench: Bench, name: str, x: int, rows: int, texts: dict[str, str]) -> None:
    frames = {way: partial(bench.spark.sql, text) for way, text in texts.items()}
    bench.cell(
        f"scaling/{name}/{bench.options.rows}",
        lambda: {"x": x, "rows": rows, "ways": interleave(bench, frames)},
    )


def _by_keys(keys: int) -> dict[str, str]:
    """Q1 with the same rows dealt out to so many symbols, and Spark's exchange and sort."""
    dealt = (
        f"SELECT unix_micros(ts) DIV {STEP_MICROSECONDS} % {keys} AS symbol, ts, price FROM ticks"
    )
    ours = next(way for way in ways(QUESTIONS["Q1"], "unsorted") if way.name == "ours")
    return {
        "ours": ours.text.replace("FROM ticks", f"FROM ({dealt})"),
        "exchange_sort": f"SELECT * FROM ({dealt} DISTRIBUTE BY symbol) SORT BY symbol, ts",
    }


def _by_length(length: int) -> dict[str, str]:
    """So many variables, each a step down or up in turn."""
    variables = [f"V{i}" for i in range(length)]
    steps = [f"V{i} AS price {'<>'[i % 2]} PREV(price)" for i in range(length)]
    table = in_lane("ticks", "sorted")
    return {
        "ours": f"""SELECT * FROM {table} MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY ts
            MEASURES FIRST(ts) AS t0, LAST(ts) AS t1 PATTERN ({" ".join(variables)})
            DEFINE {", ".join(steps)})""",
        "scan": f"SELECT symbol, ts, price FROM {table}",
    }
