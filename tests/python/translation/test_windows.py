"""Window functions in a clause, and patterns in a window: refused where they are."""

from __future__ import annotations

import pytest
from match_recognize import MatchRecognizeError, translate

pytest.importorskip("sqlglot", reason="the extra translate is not installed")


def clause(content: str) -> str:
    return f"SELECT *\nFROM t MATCH_RECOGNIZE ({content})"


def underlined(text: str, read: str) -> tuple[str, str]:
    """The message of the refusal, and what it underlines."""
    with pytest.raises(MatchRecognizeError) as raised:
        translate(text, read)
    message, line, marks, _ = str(raised.value).split("\n")
    return message.partition(" (line")[0], line[marks.index("^") : len(marks)]


@pytest.mark.parametrize(
    "content",
    [
        "PATTERN (A) DEFINE A AS x > AVG(x + 1) OVER (ORDER BY (d)) + 1",
        "PATTERN (A) DEFINE A AS LAG(x) OVER w > 1",
        "PATTERN (A) DEFINE A AS LAG(x) IGNORE NULLS OVER (ORDER BY d) > 1",
        "PATTERN (A) DEFINE A AS f(SUM(x) OVER (PARTITION BY k)) > 1",
        "MEASURES COUNT(*) OVER () AS n PATTERN (A)",
        "ORDER BY ROW_NUMBER() OVER (ORDER BY d) PATTERN (A)",
    ],
)
def test_window_functions_in_a_clause(content: str) -> None:
    message, place = underlined(clause(content), "snowflake")
    assert "a clause has no window functions in Spark" in message
    assert place == "OVER"


PATTERN = "ORDER BY d MEASURES A.x AS m ROWS BETWEEN CURRENT ROW AND 5 FOLLOWING"


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT m OVER w FROM t WINDOW w AS (PARTITION BY k {PATTERN} PATTERN (A (B | C)+))",
        f"SELECT m OVER ({PATTERN} AFTER MATCH SKIP TO NEXT ROW PATTERN (A (B | C)+)) FROM t",
        f"SELECT m OVER ({PATTERN} INITIAL PATTERN (A (B | C)+) DEFINE B AS x > 1) FROM t",
        f"SELECT m OVER v FROM t WINDOW w AS (ORDER BY d), v AS ({PATTERN} PATTERN (A (B | C)+))",
    ],
)
def test_patterns_in_a_window(text: str) -> None:
    message, place = underlined(text, "trino")
    assert "windows have no row patterns in Spark" in message
    assert place == "PATTERN"


def test_other_windows_and_names() -> None:
    text = (
        "WITH pattern AS (SELECT pattern (x) AS over, SUM(x) OVER (ORDER BY pattern (x)) AS s "
        "FROM u AS pattern (x)) SELECT over FROM pattern MATCH_RECOGNIZE ("
        "ORDER BY over MEASURES A.over AS over PATTERN (A) DEFINE A AS over > (over))"
    )
    assert "DEFINE A AS over > (over))" in translate(text, "trino").sql
