"""Prices that arrive over time, a question about them, and its answer, worked out by hand."""

from __future__ import annotations

SCHEMA = "symbol STRING, minute INT, price INT"

#: By micro-batch, symbol, minute and price. Minutes are out of order by less than the delay.
BATCHES = [
    [("a", 1, 9), ("b", 2, 5), ("a", 3, 4)],
    [("a", 2, 6), ("b", 4, 3), ("a", 5, 8)],
    [("b", 6, 7), ("a", 8, 1), ("a", 7, 5)],
    [("a", 10, 2), ("b", 9, 2), ("b", 12, 4)],
    # Hours later: all matches are decided.
    [("c", 600, 0)],
]
TIME = "timestamp_seconds(60 * minute) AS t"
DELAY = "5 minutes"

#: The lowest price between a fall and a rise.
LOWS = """\
SELECT symbol, low FROM {table} MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY t
  MEASURES LAST(DOWN.price) AS low
  PATTERN (A DOWN+ UP+) WITHIN INTERVAL 1 HOUR
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))"""

#: The prices of a are 9 6 4 8 5 1 2, those of b are 5 3 7 2 4. The rise to 7 ends a match, so the
#: fall from 7 to 2 has no first row.
ANSWER = [["a", 1], ["a", 4], ["b", 3]]
