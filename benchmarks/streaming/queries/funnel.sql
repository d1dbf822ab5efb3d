SELECT * FROM events MATCH_RECOGNIZE (
  PARTITION BY id ORDER BY ts
  MEASURES V.ms AS viewed, C.ms AS carted, P.ms AS purchased, P.price AS price
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (V X*? C Y*? P) WITHIN INTERVAL '1' HOUR
  DEFINE V AS V.kind = 'view', C AS C.kind = 'cart', P AS P.kind = 'purchase')
