-- Backwards in time: the nearest later row that is no small amount, with the sum and the number
-- of rows from there to the end; what lies between are differences.
WITH sums AS (
  SELECT card, ts, amount, SUM(amount) OVER later AS total, ROW_NUMBER() OVER later AS place
  FROM {cards} WINDOW later AS (PARTITION BY card ORDER BY ts DESC ROWS UNBOUNDED PRECEDING)),
following AS (
  SELECT *, MIN(IF(amount < 5, NULL, struct(ts, amount, total, place))) OVER
           (PARTITION BY card ORDER BY ts DESC ROWS UNBOUNDED PRECEDING) AS next
  FROM sums)
SELECT card, ts AS t0, next.ts AS t1, next.amount AS big, CAST(place - next.place AS BIGINT) AS n
FROM following
WHERE amount < 5 AND place - next.place >= 3 AND next.amount > 200
  AND next.amount > 20 * ((total - next.total) / (place - next.place))
  AND next.ts <= ts + INTERVAL '10' MINUTE
