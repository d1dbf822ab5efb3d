SELECT * FROM events MATCH_RECOGNIZE (
  PARTITION BY id ORDER BY ts
  MEASURES A.ms AS started, LAST(DOWN.ms) AS lowest, E.ms AS ended,
           A.price AS p0, LAST(DOWN.price) AS plow, LAST(UP.price) AS p1
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A DOWN+ UP+ E) WITHIN INTERVAL '20' MINUTE
  DEFINE
    DOWN AS DOWN.price < LAST(DOWN.price, 1)
         OR (LAST(DOWN.price, 1) IS NULL AND DOWN.price < A.price),
    UP AS UP.price > LAST(UP.price, 1)
       OR (LAST(UP.price, 1) IS NULL AND UP.price > LAST(DOWN.price)),
    E AS E.price <= LAST(UP.price))
