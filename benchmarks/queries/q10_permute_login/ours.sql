SELECT * FROM {clicks} MATCH_RECOGNIZE (
  PARTITION BY user_id ORDER BY ts
  MEASURES FIRST(ts) AS t0, LAST(ts) AS t1, CLASSIFIER() AS last_cls
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (PERMUTE(A, B, C, D) (P | X)?)
  DEFINE A AS event='search', B AS event='view', C AS event='cart', D AS event='checkout',
         P AS event='purchase', X AS amount > 100)
