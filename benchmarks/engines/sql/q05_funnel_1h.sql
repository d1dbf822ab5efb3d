-- Backwards in time, the last purchase or cart so far is the nearest one that follows. Of the
-- views that lead to a purchase, the few that SKIP PAST LAST ROW leaves are picked in a lambda.
WITH purchases AS (
  SELECT user_id, ts, event,
         LAST_VALUE(CASE WHEN event = 'purchase' THEN {'ts': ts, 'amount': amount} END
                    IGNORE NULLS) OVER later AS buy
  FROM rows
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
carts AS (
  SELECT user_id, ts, event,
         LAST_VALUE(CASE WHEN event = 'cart' THEN {'ts': ts, 'buy': buy} END
                    IGNORE NULLS) OVER later AS cart
  FROM purchases
  WINDOW later AS (PARTITION BY user_id ORDER BY ts DESC
                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
views AS (
  SELECT user_id,
         [{'t_view': ts, 't_cart': cart.ts, 't_buy': cart.buy.ts, 'amt': cart.buy.amount}] AS found
  FROM carts WHERE event = 'view' AND cart.buy.ts <= ts + INTERVAL '1' HOUR),
picked AS (
  SELECT user_id, UNNEST(LIST_REDUCE(
      LIST(found ORDER BY found[1].t_view),
      LAMBDA taken, next: CASE WHEN next[1].t_view > taken[-1].t_buy
                               THEN LIST_CONCAT(taken, next) ELSE taken END)) AS match
  FROM views GROUP BY user_id)
SELECT user_id, match.t_view AS t_view, match.t_cart AS t_cart, match.t_buy AS t_buy,
       match.amt AS amt
FROM picked
