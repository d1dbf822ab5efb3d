-- reference
SELECT * FROM {ticks} MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY ts
  MEASURES A.ts AS t0, LAST(B.ts) AS tlow, LAST(C.ts) AS t1,
           A.price AS p0, LAST(B.price) AS plow, LAST(C.price) AS p1
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A B+ C+)
  DEFINE B AS B.price < PREV(B.price), C AS C.price > PREV(C.price))
