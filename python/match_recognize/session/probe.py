"""Does MATCH_RECOGNIZE work in a session? Asked by a query whose effect is seen."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from match_recognize.session.error_log import without_error_log

#: Two partitions, in each the values 3 2 1 0 1 2 3 4: a fall of 3 rows, then a rise of 4. The
#: rows come from tasks on executors, not from a table that the optimizer could work out itself.
QUERY = """\
SELECT part, falls, rises, n
FROM (SELECT id DIV 8 AS part, id, ABS(id % 8 - 3) AS v FROM RANGE(0, 16, 1, 2))
MATCH_RECOGNIZE (
  PARTITION BY part ORDER BY id
  MEASURES COUNT(DOWN.v) AS falls, COUNT(UP.v) AS rises, COUNT(*) AS n
  PATTERN (STRT DOWN+ UP+)
  DEFINE DOWN AS v < PREV(v), UP AS v > PREV(v)
)
ORDER BY part"""

ANSWER = [(0, 3, 4, 8), (1, 3, 4, 8)]


def failure(session: SparkSession) -> str | None:
    """Runs the query on the executors: None if its answer is right, else what is wrong."""
    try:
        with without_error_log():
            rows = session.sql(QUERY).collect()
        answer: list[tuple[Any, ...]] = [tuple(row) for row in rows]
    except Exception as error:
        # Whatever the reason is, the caller reports it to the user.
        return first_lines(error)
    return None if answer == ANSWER else f"the answer was {answer}, not {ANSWER}"


def understands(session: SparkSession) -> bool:
    """Whether the session knows the clause; only analyzes the query, which runs nothing."""
    try:
        # On Connect the schema is what makes the server analyze.
        with without_error_log():
            return session.sql(QUERY).columns == ["part", "falls", "rises", "n"]
    except Exception:
        return False


def first_lines(error: BaseException, limit: int = 6) -> str:
    """An error's message, cut where a JVM stack begins or it gets long."""
    java_error: Any = getattr(error, "java_exception", None)
    text = str(java_error.toString()) if java_error is not None else str(error)
    lines = [line for line in text.strip().splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if line.startswith(("\tat ", "JVM stacktrace")):
            lines = lines[:number]
            break
    return "\n".join(lines[:limit]) or type(error).__name__
