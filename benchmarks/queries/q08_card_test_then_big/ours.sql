SELECT * FROM {cards} MATCH_RECOGNIZE (
  PARTITION BY card ORDER BY ts
  MEASURES FIRST(S.ts) AS t0, L.ts AS t1, L.amount AS big, COUNT(S.ts) AS n
  ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW
  PATTERN (S{3,} L)
  DEFINE S AS S.amount < 5 AND S.ts <= FIRST(S.ts) + INTERVAL '10' MINUTE,
         L AS L.amount > 200 AND L.amount > 20 * AVG(S.amount)
              AND L.ts <= FIRST(S.ts) + INTERVAL '10' MINUTE)
