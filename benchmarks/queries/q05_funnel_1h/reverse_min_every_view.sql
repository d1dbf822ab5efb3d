-- equals: ours_every_view
-- Backwards in time a running MIN is the nearest event that follows.
WITH purchases AS (
  SELECT user_id, ts, event,
         MIN(IF(event = 'purchase', struct(ts, amount), NULL)) OVER later AS buy
  FROM {clicks}
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
carts AS (
  SELECT user_id, ts, event, MIN(IF(event = 'cart', struct(ts, buy), NULL)) OVER later AS cart
  FROM purchases
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
SELECT user_id, ts AS t_view, cart.ts AS t_cart, cart.buy.ts AS t_buy, cart.buy.amount AS amt
FROM carts WHERE event = 'view' AND cart.buy.ts <= ts + INTERVAL '1' HOUR
