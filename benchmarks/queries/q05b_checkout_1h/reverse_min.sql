-- Backwards in time a running MIN is the nearest event that follows. Of the views that lead to a
-- purchase, the few that SKIP PAST LAST ROW leaves are picked in a lambda.
WITH purchases AS (
  SELECT user_id, ts, event,
         MIN(IF(event = 'purchase', struct(ts, amount), NULL)) OVER later AS buy
  FROM {clicks}
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
carts AS (
  SELECT user_id, ts, event, MIN(IF(event = 'checkout', struct(ts, buy), NULL)) OVER later AS cart
  FROM purchases
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
views AS (
  SELECT user_id, ts AS t_view, cart.ts AS t_cart, cart.buy.ts AS t_buy, cart.buy.amount AS amt
  FROM carts WHERE event = 'cart' AND cart.buy.ts <= ts + INTERVAL '1' HOUR)
SELECT user_id, inline(aggregate(
    sort_array(collect_list(struct(t_view, t_cart, t_buy, amt))),
    CAST(array() AS
      ARRAY<STRUCT<t_view: TIMESTAMP, t_cart: TIMESTAMP, t_buy: TIMESTAMP, amt: DOUBLE>>),
    (found, x) -> IF(size(found) = 0 OR x.t_view > try_element_at(found, -1).t_buy,
                     array_append(found, x), found)))
FROM views GROUP BY user_id
