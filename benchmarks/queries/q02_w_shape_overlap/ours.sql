SELECT * FROM {ticks} MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY ts
  MEASURES MATCH_NUMBER() AS m, A.ts AS t0, LAST(E.ts) AS t1, COUNT(*) AS n
  ONE ROW PER MATCH AFTER MATCH SKIP TO LAST C
  PATTERN (A B+ C+ D+ E+)
  DEFINE B AS price < PREV(price), C AS price > PREV(price),
         D AS price < PREV(price), E AS price > PREV(price))
