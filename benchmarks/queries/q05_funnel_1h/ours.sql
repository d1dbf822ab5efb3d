SELECT * FROM {clicks} MATCH_RECOGNIZE (
  PARTITION BY user_id ORDER BY ts
  MEASURES V.ts AS t_view, C.ts AS t_cart, P.ts AS t_buy, P.amount AS amt
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (V Z*? C Y*? P)
  DEFINE V AS V.event = 'view',
         Z AS Z.ts <= V.ts + INTERVAL '1' HOUR, Y AS Y.ts <= V.ts + INTERVAL '1' HOUR,
         C AS C.event = 'cart' AND C.ts <= V.ts + INTERVAL '1' HOUR,
         P AS P.event = 'purchase' AND P.ts <= V.ts + INTERVAL '1' HOUR)
