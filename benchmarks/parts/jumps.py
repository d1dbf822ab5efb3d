"""Loops over rows below a peak, for the types and the comparisons that searches jump over.

The series are random walks of 10,000 rows a key. A V-shape over the same rows is what a loop
should not take much longer than.
"""

from __future__ import annotations

from functools import partial

from benchmarks.parts.options import Bench
from benchmarks.parts.rounds import interleave
from benchmarks.questions import LANES

ROWS, ROWS_OF_KEY = 1_000_000, 10_000

#: By name, the value over the walk `p`, and what is compared with what while a row is below.
FORMS: dict[str, tuple[str, str, str]] = {
    "double": ("p", "v", "PEAK.v"),
    "int": ("CAST(p * 1000 AS INT)", "v", "PEAK.v"),
    "decimal18": ("CAST(p AS DECIMAL(18, 4))", "v", "PEAK.v"),
    "decimal38": ("CAST(p AS DECIMAL(38, 4))", "v", "PEAK.v"),
    "string": ("lpad(CAST(p * 100 AS BIGINT), 8, '0')", "v", "PEAK.v"),
    "timestamp": ("timestamp_millis(CAST(p * 1000 AS BIGINT))", "v", "PEAK.v"),
    "date": ("date_from_unix_date(CAST(p * 10 AS INT))", "v", "PEAK.v"),
    "interval": ("make_dt_interval(0, 0, 0, p)", "v", "PEAK.v"),
    "quotient": ("p", "v / PEAK.v", "0.999D"),
    "change": ("p", "(v - PEAK.v) / PEAK.v", "-0.001D"),
    "nullif": ("p", "v / NULLIF(PEAK.v, 0)", "0.999D"),
    "logarithm": ("p", "ln(v) - ln(PEAK.v)", "-0.001D"),
    "negated": ("p", "-abs(v - PEAK.v)", "-0.001D * PEAK.v"),
    "quotient_of_decimal18": ("CAST(p AS DECIMAL(18, 4))", "v / PEAK.v", "0.999"),
    "quotient_of_decimal38": ("CAST(p AS DECIMAL(38, 4))", "v / PEAK.v", "0.999"),
}


def run(bench: Bench) -> None:
    """Measures each form."""
    rows = min(ROWS, bench.options.rows)
    for lane in LANES:
        for name in FORMS:
            bench.cell(f"jumps/{lane}/{name}", partial(_measure, bench, lane, name, rows))


def _measure(bench: Bench, lane: str, name: str, rows: int) -> dict[str, object]:
    value, subject, other = FORMS[name]
    bench.spark.sql(
        f"""SELECT k, o, {value} AS v FROM (
              SELECT k, o, 1000 + SUM(step) OVER (PARTITION BY k ORDER BY o) AS p FROM (
                SELECT id DIV {ROWS_OF_KEY} AS k, id AS o,
                  (pmod(xxhash64(id), 2001) - 1000) / 1000D AS step FROM range({rows})))"""
    ).createOrReplaceTempView("walk")
    order = "DISTRIBUTE BY k SORT BY k, o" if lane == "sorted" else "ORDER BY xxhash64(o)"
    bench.spark.sql("DROP VIEW IF EXISTS walks")
    bench.spark.sql(f"CACHE TABLE walks AS SELECT * FROM walk {order}")

    def clause(pattern: str, define: str) -> str:
        return (
            "SELECT * FROM walks MATCH_RECOGNIZE (PARTITION BY k ORDER BY o "
            f"MEASURES FIRST(o) AS a, LAST(o) AS z PATTERN ({pattern}) DEFINE {define})"
        )

    texts = {
        "loop": clause(
            "PEAK BELOW+ BACK", f"BELOW AS {subject} < {other}, BACK AS {subject} >= {other}"
        ),
        "v_shape": clause("S DOWN+ UP+", "DOWN AS v < PREV(v), UP AS v > PREV(v)"),
    }
    frames = {way: partial(bench.spark.sql, text) for way, text in texts.items()}
    return {"rows": rows, "condition": f"{subject} < {other}", "ways": interleave(bench, frames)}
