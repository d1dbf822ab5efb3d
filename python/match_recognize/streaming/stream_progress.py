"""How far a streaming query with MATCH_RECOGNIZE is: what its last micro-batch did and left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, cast

from match_recognize.errors import MatchRecognizeError
from match_recognize.streaming import live_view
from match_recognize.streaming import shown_numbers as shown
from match_recognize.tables import html_row, text_lines

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

# The jar observes the numbers of a clause under this name, followed by Spark's operator id.
OBSERVED = "match_recognize_"

NO_BATCH = "There are no numbers yet: no micro-batch with new rows has ended."


@dataclass(frozen=True)
class ClauseProgress:
    """What one clause did in a micro-batch, and what it kept for the next.

    ``waiting_rows`` and what follows it are of the end of the micro-batch. ``waiting_rows``,
    ``retained_rows``, ``partial_matches`` and ``waiting_for_next`` are over all keys. They are
    None in a query that was killed after a micro-batch had ended and before Spark had reported
    it.

    Attributes:
        operator: Spark's id of the clause's operator in the query: 0 if no other operator of the
            query has state.
        rows: rows that the clause has searched. A row is searched in the micro-batch in which the
            watermark reaches it.
        late_rows: rows that Spark has dropped, as they came at or before the watermark.
        rows_without_time: rows that were dropped, as their time is NULL.
        matches: complete matches.
        timed_out_matches: partial matches that the bound of WITHIN has ended.
        output_rows: rows that the clause has returned.
        waiting_rows: rows after the watermark, which are not searched yet.
        retained_rows: rows that a match under way can still read.
        partial_matches: partial matches under way.
        waiting_for_next: keys whose search waits for a row that NEXT reads.
        next_reads: the rows that NEXT can read in this clause, in words; None without NEXT.
        state_rows: entries in Spark's state store. With the default store one for each key.
        state_bytes: memory that Spark's state store uses, in bytes.
    """

    operator: int
    rows: int
    late_rows: int
    rows_without_time: int
    matches: int
    timed_out_matches: int
    output_rows: int
    waiting_rows: int | None
    retained_rows: int | None
    partial_matches: int | None
    waiting_for_next: int | None
    next_reads: str | None
    state_rows: int
    state_bytes: int


@dataclass(frozen=True, repr=False)
class Progress:
    """The last micro-batch of a streaming query; a notebook or terminal shows it as a table.

    There are no numbers before the first micro-batch has ended.

    Attributes:
        query: the streaming query.
        batch: Spark's id of the micro-batch; None if there are no numbers yet.
        seconds: how long the micro-batch took, in seconds; None if there are no numbers yet.
        input_rows_per_second: rows that arrive per second; None if Spark does not know it.
        watermark: the watermark of the micro-batch, in UTC as ISO 8601
            (``2026-01-05T10:00:00.000Z``). It is 1970-01-01 until rows have moved it. None if
            there are no numbers yet.
        clauses: one for each clause of the query, by operator id; empty if there are no numbers
            yet.
    """

    query: StreamingQuery = field(compare=False)
    batch: int | None = None
    seconds: float | None = None
    input_rows_per_second: float | None = None
    watermark: str | None = None
    clauses: tuple[ClauseProgress, ...] = ()

    def __repr__(self) -> str:
        if self.batch is None:
            return NO_BATCH
        facts, lines, right = _facts(self), _lines(self.clauses), _right(self)
        return "\n".join([*text_lines(facts, [False, False]), "", *text_lines(lines, right)])

    def _repr_html_(self) -> str:
        if self.batch is None:
            return f"<p>{escape(NO_BATCH)}</p>"
        lines = [*_facts(self), *_lines(self.clauses)]
        rows = (
            # A line with one cell is a title.
            html_row("td" if values else "th", [label.strip(), *values], _right(self))
            for label, *values in lines
        )
        return f"<table>{''.join(rows)}</table>"

    def watch(self, seconds: float = 1.0) -> None:
        """Shows the progress of the query, again and again, until the query ends or Ctrl-C.

        A notebook or terminal shows it in place. Other outputs, such as a file, get a table for
        each micro-batch. Ctrl-C ends the watching only: the query runs on.

        Args:
            seconds: how long to wait before the next look at the query, in seconds.

        Raises:
            ValueError: ``seconds`` is not positive.
            MatchRecognizeError: the query has no MATCH_RECOGNIZE.
            pyspark.errors.StreamingQueryException: the query has failed.
        """
        if seconds <= 0:
            raise ValueError(f"seconds must be positive, not {seconds}.")
        view = live_view.of_this_process()
        with live_view.ctrl_c() as pressed:
            while not pressed.is_set():
                # Asked first: the last micro-batch is shown, too.
                is_active = self.query.isActive
                view.show(progress(self.query))
                if not is_active:
                    break
                pressed.wait(seconds)
        failure = self.query.exception()
        if failure is not None:
            raise failure


def _right(progress: Progress) -> list[bool]:
    """Of the column of labels and those of the clauses, whether cells are to the right."""
    return [False, *(True for _ in progress.clauses)]


def _facts(progress: Progress) -> list[list[str]]:
    """What all clauses have in common."""
    return [
        ["micro-batch", f"{progress.batch}"],
        ["duration", shown.duration(progress.seconds)],
        ["input rows per second", shown.rate(progress.input_rows_per_second)],
        ["watermark", shown.utc(progress.watermark)],
    ]


def _lines(clauses: Sequence[ClauseProgress]) -> list[list[str]]:
    def counts(label: str, name: str) -> list[str]:
        return [f"  {label}", *(shown.count(getattr(clause, name)) for clause in clauses)]

    names = [["", *(f"operator {clause.operator}" for clause in clauses)]]
    return [
        *(names if len(clauses) > 1 else []),
        ["in this micro-batch"],
        counts("searched rows", "rows"),
        counts("late rows", "late_rows"),
        counts("rows without a time", "rows_without_time"),
        counts("matches", "matches"),
        counts("timed-out matches", "timed_out_matches"),
        counts("output rows", "output_rows"),
        ["at its end"],
        counts("waiting rows", "waiting_rows"),
        counts("retained rows", "retained_rows"),
        counts("partial matches", "partial_matches"),
        counts("waiting for NEXT", "waiting_for_next"),
        *([f"    {clause.next_reads}"] for clause in clauses if clause.next_reads),
        counts("state rows", "state_rows"),
        ["  state size", *(shown.size(clause.state_bytes) for clause in clauses)],
    ]


def progress(query: StreamingQuery) -> Progress:
    """Returns what a streaming query with MATCH_RECOGNIZE did in its last micro-batch.

    In a notebook or terminal its value is a table:

        query = spark.sql("SELECT * FROM orders MATCH_RECOGNIZE ( ... )").writeStream ... .start()
        progress(query)
        progress(query).watch()  # until the query ends or Ctrl-C
        progress(query).clauses[0].matches

    Call it again for a later micro-batch: the value does not change. It has the numbers of one
    micro-batch. ``query.recentProgress`` has those of many, under ``observedMetrics``. Spark 3.5
    has no numbers for a micro-batch without new rows: the last one with new rows is returned.

    Args:
        query: what ``writeStream. ... .start()`` returns, running or not, of a classic session or
            of Spark Connect.

    Raises:
        MatchRecognizeError: the query has no MATCH_RECOGNIZE over a streaming table. This is not
            known before its first micro-batch with new rows has ended.
        TypeError: ``query`` is no streaming query.
    """
    kind = type(query)
    # Of the class: to read it asks Spark.
    if not hasattr(kind, "lastProgress"):
        raise TypeError(
            f"query must be a StreamingQuery, not {kind.__module__}.{kind.__qualname__}. "
            "writeStream. ... .start() returns one, spark.streams.active lists those that run."
        )
    for micro_batch in _latest_first(query):
        clauses = _clauses(micro_batch)
        if clauses:
            return Progress(
                query,
                batch=micro_batch["batchId"],
                seconds=micro_batch["durationMs"]["triggerExecution"] / 1000,
                input_rows_per_second=_input_rate(micro_batch),
                watermark=micro_batch["eventTime"].get("watermark"),
                clauses=clauses,
            )
        # Spark 3.5 observes nothing in a micro-batch without new rows.
        if any(source["numInputRows"] for source in micro_batch["sources"]):
            raise MatchRecognizeError(
                "The query has no MATCH_RECOGNIZE over a streaming table, so it has no progress "
                "of one. Give the query whose statement has the clause. query.lastProgress has "
                "the progress of any query."
            )
    return Progress(query)


def _latest_first(query: StreamingQuery) -> Iterator[Mapping[str, Any]]:
    # Dicts on Spark 3.5, and dicts with attributes on later ones.
    last = query.lastProgress
    if last is not None:
        yield last
        yield from reversed(query.recentProgress)


def _input_rate(micro_batch: Mapping[str, Any]) -> float | None:
    name = "inputRowsPerSecond"
    total = micro_batch.get(name)
    # Spark Connect gives the rates of the sources, not their sum.
    sources = micro_batch["sources"]
    rates = [source.get(name) for source in sources] if total is None else [total]
    if None in rates:
        return None
    # Connect writes NaN as a string. A trigger of 0 ms makes the rate NaN or infinite.
    rate = sum(map(float, rates))
    return rate if math.isfinite(rate) else None


#: What Spark calls the node that hands on the watermark of a clause (HandedOnWatermarkExec).
HANDS_ON = "matchRecognizeWatermark"


def _clauses(micro_batch: Mapping[str, Any]) -> tuple[ClauseProgress, ...]:
    observed: dict[str, Any] = micro_batch.get("observedMetrics") or {}
    # In the order of their numbers, but for the nodes that hand on the watermark of a clause.
    states = [s for s in micro_batch["stateOperators"] if s.get("operatorName") != HANDS_ON]
    operators = sorted(
        int(name[len(OBSERVED) :])
        for name in observed
        if name.startswith(OBSERVED) and name[len(OBSERVED) :].isdigit()
    )
    return tuple(
        _clause(operator, observed[f"{OBSERVED}{operator}"], states[operator])
        for operator in operators
    )


def _clause(operator: int, observed: Any, state: Mapping[str, Any]) -> ClauseProgress:
    numbers = _fields(observed)
    return ClauseProgress(
        operator=operator,
        rows=numbers["rows"],
        late_rows=state["numRowsDroppedByWatermark"],
        rows_without_time=numbers["rowsWithoutTime"],
        matches=numbers["matches"],
        timed_out_matches=numbers["timedOutMatches"],
        output_rows=numbers["outputRows"],
        waiting_rows=numbers["waitingRows"],
        retained_rows=numbers["retainedRows"],
        partial_matches=numbers["partialMatches"],
        waiting_for_next=numbers["waitingForNext"],
        next_reads=numbers["next"],
        state_rows=state["numRowsTotal"],
        state_bytes=state["memoryUsedBytes"],
    )


def _fields(observed: Any) -> dict[str, Any]:
    # Spark 3.5 has a dict, later ones have a Row.
    fields: dict[str, Any] = (
        cast("dict[str, Any]", observed) if isinstance(observed, dict) else observed.asDict()
    )
    if "schema" not in fields:
        return fields
    # Spark Connect describes the row instead of giving its fields.
    names = [column["name"] for column in fields["schema"]["fields"]]
    return dict(zip(names, fields["values"]))
