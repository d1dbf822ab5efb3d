"""Some prices, a question about them, and its answer, worked out by hand."""

from __future__ import annotations

TABLE = """\
CREATE TABLE ticks (symbol STRING, day INT, price INT) USING parquet;
INSERT INTO ticks VALUES
  ('a', 1, 5), ('a', 2, 3), ('a', 3, 4), ('b', 1, 1), ('b', 2, 7), ('b', 3, 2);
"""

#: The last price of each fall. Those of a: 5, 3, 4 fall to 3; those of b: 1, 7, 2 fall to 2.
LOWS = """\
SELECT symbol, low FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES LAST(DOWN.price) AS low
  PATTERN (A DOWN+)
  DEFINE DOWN AS price < PREV(price))
ORDER BY symbol"""

ANSWER = [["a", 3], ["b", 2]]

#: One is left where falls must end at 3 or more.
ANSWER_FROM_3 = [["a", 3]]

#: Each row is searched from to the end of the table, in vain: the work of hours.
ENDLESS = """\
SELECT n FROM RANGE(0, 2000000, 1, 1) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) AS n
  PATTERN (A+ B)
  DEFINE A AS SUM(id) >= 0, B AS SUM(id) < 0)"""

#: An error in analysis: the variable Z is not in the pattern.
WRONG = LOWS.replace("PATTERN", "AFTER MATCH SKIP TO Z PATTERN")
WRONG_CONDITION = "MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET"
WRONG_STATE = "42601"

#: An error that only the rows show: no row is mapped to Z where a fall ends the table.
FAILING = LOWS.replace("PATTERN (A DOWN+)", "AFTER MATCH SKIP TO Z PATTERN (A DOWN+ Z{0,1})")
FAILING_CONDITION = "MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH"
FAILING_STATE = "22000"
