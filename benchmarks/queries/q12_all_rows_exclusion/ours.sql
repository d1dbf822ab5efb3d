-- The design has WITH UNMATCHED ROWS here too, which the standard forbids together with an exclusion: that
-- is Q12b.
SELECT symbol, ts, price, p1, k, c FROM {ticks} MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY ts
  MEASURES FINAL LAST(C.price) AS p1, RUNNING COUNT(*) AS k, CLASSIFIER() AS c
  ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A {- B+ -} C+) DEFINE B AS price < PREV(price), C AS price > PREV(price))
