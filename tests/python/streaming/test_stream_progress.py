"""The table of a streaming query's progress, made from what each Spark gives."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from match_recognize import MatchRecognizeError, progress
from match_recognize.streaming import ClauseProgress, live_view
from match_recognize.streaming import shown_numbers as shown
from match_recognize.streaming.stream_progress import NO_BATCH
from pyspark.sql import Row

OBSERVED = {
    "rows": 1250,
    "rowsWithoutTime": 1,
    "matches": 41,
    "timedOutMatches": 2,
    "outputRows": 43,
    "waitingRows": 87,
    "retainedRows": 120,
    "partialMatches": 12,
    "waitingForNext": 5,
    "next": "1 row after UP (DEFINE)",
}
STATE = {
    "operatorName": "flatMapGroupsWithState",
    "numRowsTotal": 64,
    "memoryUsedBytes": 1258291,
    "numRowsDroppedByWatermark": 3,
}
OTHER_STATE = {
    "operatorName": "stateStoreSave",
    "numRowsTotal": 7,
    "memoryUsedBytes": 9,
    "numRowsDroppedByWatermark": 8,
}

#: The clause whose numbers these are.
CLAUSE = ClauseProgress(
    operator=0,
    rows=1250,
    late_rows=3,
    rows_without_time=1,
    matches=41,
    timed_out_matches=2,
    output_rows=43,
    waiting_rows=87,
    retained_rows=120,
    partial_matches=12,
    waiting_for_next=5,
    next_reads="1 row after UP (DEFINE)",
    state_rows=64,
    state_bytes=1258291,
)

SHOWN = """\
micro-batch            41
duration               1.2 s
input rows per second  250
watermark              2026-01-05 10:00:00 UTC

in this micro-batch
  searched rows          1,250
  late rows                  3
  rows without a time        1
  matches                   41
  timed-out matches          2
  output rows               43
at its end
  waiting rows              87
  retained rows            120
  partial matches           12
  waiting for NEXT           5
    1 row after UP (DEFINE)
  state rows                64
  state size           1.2 MiB"""


def as_dict(numbers: dict[str, Any]) -> Any:
    """As Spark 3.5 gives them."""
    return dict(numbers)


def as_row(numbers: dict[str, Any]) -> Any:
    """As Spark 4 gives them."""
    return Row(*numbers.keys())(*numbers.values())


def as_described_row(numbers: dict[str, Any]) -> Any:
    """As Spark Connect 4 gives them."""
    columns = [{"name": name, "type": "long", "nullable": True} for name in numbers]
    return Row(values=[*numbers.values()], schema={"type": "struct", "fields": columns})


SHAPES = [as_dict, as_row, as_described_row]


def a_progress(observed: dict[str, Any], states: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "batchId": 41,
        "inputRowsPerSecond": 250.25,
        "durationMs": {"addBatch": 1100, "triggerExecution": 1234},
        "eventTime": {"watermark": "2026-01-05T10:00:00.000Z"},
        "stateOperators": states,
        "sources": [{"inputRowsPerSecond": 250.25, "numInputRows": 500}],
        "observedMetrics": observed,
    }


class Query:
    """A streaming query that ends after the given answers, each for one look."""

    def __init__(self, *answers: dict[str, Any] | None, failure: Exception | None = None) -> None:
        self.answers = list(answers)
        self.failure = failure
        self.recent: list[dict[str, Any]] = []

    @property
    def isActive(self) -> bool:  # noqa: N802, of Spark
        return len(self.answers) > 1

    @property
    def lastProgress(self) -> dict[str, Any] | None:  # noqa: N802, of Spark
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    @property
    def recentProgress(self) -> list[dict[str, Any]]:  # noqa: N802, of Spark
        return self.recent

    def exception(self) -> Exception | None:
        return self.failure


def one_clause(**numbers: Any) -> dict[str, Any]:
    return a_progress({"match_recognize_0": as_row({**OBSERVED, **numbers})}, [STATE])


@pytest.mark.parametrize("shape", SHAPES)
def test_the_numbers_of_a_clause(shape: Callable[[dict[str, Any]], Any]) -> None:
    observed = {"match_recognize_0": shape(OBSERVED), "mine": shape({"n": 1})}
    found = progress(Query(a_progress(observed, [STATE])))
    assert found.clauses == (CLAUSE,)
    assert (found.batch, found.seconds, found.input_rows_per_second) == (41, 1.234, 250.25)
    assert found.watermark == "2026-01-05T10:00:00.000Z"
    assert str(found) == repr(found) == SHOWN


@pytest.mark.parametrize("shape", SHAPES)
def test_levels_that_are_not_known(shape: Callable[[dict[str, Any]], Any]) -> None:
    levels = dict.fromkeys(("waitingRows", "retainedRows", "partialMatches", "waitingForNext"))
    observed = {"match_recognize_0": shape({**OBSERVED, **levels})}
    found = progress(Query(a_progress(observed, [STATE])))
    (clause,) = found.clauses
    assert clause.waiting_rows is clause.retained_rows is clause.partial_matches is None
    assert str(found).count("unknown") == 4
    assert "<td>None</td>" not in found._repr_html_()


def test_clauses_of_a_union_have_a_column_each() -> None:
    observed = {
        "match_recognize_10": as_row({**OBSERVED, "rows": 5}),
        "match_recognize_2": as_row(OBSERVED),
    }
    states = [OTHER_STATE] * 2 + [STATE] + [OTHER_STATE] * 8
    found = progress(Query(a_progress(observed, states)))
    assert [(c.operator, c.rows, c.state_rows) for c in found.clauses] == [
        (2, 1250, 64),
        (10, 5, 7),
    ]
    lines = str(found).splitlines()
    assert lines[5:8] == [
        "                       operator 2  operator 10",
        "in this micro-batch",
        "  searched rows             1,250            5",
    ]
    assert lines[-1] == "  state size              1.2 MiB          9 B"


def test_html() -> None:
    found = progress(Query(one_clause()))._repr_html_()
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall("<t[dh].*?</t[dh]>", found)]
    # A label has one blank at most, and two or more before its value.
    words = [word for line in SHOWN.split("\n") for word in re.split(" {2,}", line) if word]
    assert cells == words


def test_before_the_first_micro_batch() -> None:
    found = progress(Query(None))
    assert found.batch is None
    assert found.clauses == ()
    assert str(found) == ("There are no numbers yet: no micro-batch with new rows has ended.")
    assert found._repr_html_() == f"<p>{found}</p>"


@pytest.mark.parametrize("observed", [{}, {"mine": as_row({"n": 1})}])
def test_a_query_without_the_clause(observed: dict[str, Any]) -> None:
    with pytest.raises(
        MatchRecognizeError, match="has no MATCH_RECOGNIZE over a streaming table"
    ):
        progress(Query(a_progress(observed, [OTHER_STATE])))


def test_a_micro_batch_without_new_rows() -> None:
    """Spark 3.5 observes nothing in it."""
    nothing = {**a_progress({}, [STATE]), "batchId": 42, "sources": [{"numInputRows": 0}]}
    query = Query(nothing)
    assert progress(query).batch is None
    query.recent = [one_clause(rows=7), one_clause(), nothing]
    found = progress(query)
    assert (found.batch, found.clauses) == (41, (CLAUSE,))
    query.recent = [a_progress({}, [STATE]), nothing]
    with pytest.raises(MatchRecognizeError, match="has no MATCH_RECOGNIZE"):
        progress(query)


def test_no_streaming_query() -> None:
    with pytest.raises(TypeError, match=r"must be a StreamingQuery, not builtins\.dict\."):
        progress({})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("total", "sources", "expected"),
    [
        (12.5, [1.0], 12.5),
        # Spark Connect has no total.
        (None, [1.5, 2.5], 4.0),
        (None, [1.5, "NaN"], None),
        # Spark omits what is no number.
        (None, [1.5, None], None),
    ],
)
def test_input_rate(total: float | None, sources: list[Any], expected: float | None) -> None:
    last = one_clause()
    last["inputRowsPerSecond"] = total
    last["sources"] = [{"inputRowsPerSecond": rate} for rate in sources]
    assert progress(Query(last)).input_rows_per_second == expected


def test_readable_values() -> None:
    assert [shown.count(n) for n in (0, 1234567, None)] == ["0", "1,234,567", "unknown"]
    assert [shown.rate(r) for r in (0.0, 9.96, 1234.5, None)] == [
        "0.0",
        "10.0",
        "1,234",
        "unknown",
    ]
    assert [shown.duration(s) for s in (0.35, 1.25, 59.94, 125.4)] == [
        "350 ms",
        "1.2 s",
        "59.9 s",
        "2 min 5 s",
    ]
    assert [shown.size(n) for n in (0, 1023, 1536, 5 << 30, 3 << 50)] == [
        "0 B",
        "1023 B",
        "1.5 KiB",
        "5.0 GiB",
        "3,072.0 TiB",
    ]
    assert shown.utc("2026-01-05T10:00:00.250Z") == "2026-01-05 10:00:00.250 UTC"


class TestWatch:
    def test_a_file_gets_each_micro_batch_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        query = Query(None, one_clause(), one_clause(), one_clause(rows=7))
        progress(query).watch(0.001)
        assert capsys.readouterr().out == (f"{SHOWN}\n\n{SHOWN.replace('1,250', '    7')}\n\n")

    def test_a_terminal_is_written_over(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        progress(Query(None, None, one_clause(), one_clause(rows=7))).watch(0.001)
        assert capsys.readouterr().out == (
            f"{NO_BATCH}\n"
            f"\x1b[1A\r\x1b[J{SHOWN}\n"
            f"\x1b[20A\r\x1b[J{SHOWN.replace('1,250', '    7')}\n"
        )

    def test_a_notebook_updates_its_cell(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shown: list[tuple[str, str]] = []

        class Handle:
            def update(self, value: object) -> None:
                shown.append(("update", str(value)))

        def display(value: object, *, display_id: bool) -> Handle:
            assert display_id
            shown.append(("display", str(value)))
            return Handle()

        shell = SimpleNamespace(kernel=object())
        python = SimpleNamespace(get_ipython=lambda: shell)
        monkeypatch.setitem(sys.modules, "IPython", python)  # type: ignore[arg-type]
        module = SimpleNamespace(display=display)
        monkeypatch.setitem(sys.modules, "IPython.display", module)  # type: ignore[arg-type]
        progress(Query(None, one_clause())).watch(0.001)
        assert shown == [("display", SHOWN)]
        progress(Query(None, None, one_clause())).watch(0.001)
        assert shown[1:] == [("display", NO_BATCH), ("update", SHOWN)]
        # IPython in a terminal.
        del shell.kernel
        assert isinstance(live_view.of_this_process(), (live_view.Log, live_view.Terminal))

    def test_ctrl_c_ends_the_watching_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Endless(Query):
            looks = 0

            @property
            def isActive(self) -> bool:  # noqa: N802, of Spark
                self.looks += 1
                if self.looks == 2:
                    os.kill(os.getpid(), signal.SIGINT)
                return True

        called: list[int] = []
        before = signal.signal(signal.SIGINT, lambda number, _: called.append(number))
        try:
            query = Endless(one_clause())
            progress(query).watch(0.001)
            assert query.looks == 2
            # PySpark's handler would have cancelled the jobs of the query.
            assert called == []
            os.kill(os.getpid(), signal.SIGINT)
            assert called == [signal.SIGINT]
        finally:
            signal.signal(signal.SIGINT, before)

    def test_a_query_that_fails(self, capsys: pytest.CaptureFixture[str]) -> None:
        query = Query(None, one_clause(), failure=RuntimeError("the sink fails"))
        with pytest.raises(RuntimeError, match="the sink fails"):
            progress(query).watch(0.001)
        assert SHOWN in capsys.readouterr().out

    @pytest.mark.parametrize("seconds", [0, -1.0])
    def test_no_time_between_two_looks(self, seconds: float) -> None:
        with pytest.raises(ValueError, match="seconds must be positive"):
            progress(Query(None)).watch(seconds)
