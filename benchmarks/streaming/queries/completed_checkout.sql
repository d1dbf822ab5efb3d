SELECT * FROM events MATCH_RECOGNIZE (
  PARTITION BY id ORDER BY ts
  MEASURES S.ms AS started, P.ms AS purchased, P.price AS price
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (S X*? P) WITHIN INTERVAL '30' MINUTE
  DEFINE S AS S.kind = 'start', P AS P.kind = 'purchase')
