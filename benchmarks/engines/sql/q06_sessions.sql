WITH gaps AS (
  SELECT user_id, ts, amount,
         IF(ts <= LAG(ts) OVER (PARTITION BY user_id ORDER BY ts) + INTERVAL '30' MINUTE, 0, 1)
           AS begins
  FROM rows),
numbered AS (
  SELECT user_id, ts, amount, SUM(begins) OVER (PARTITION BY user_id ORDER BY ts) AS session
  FROM gaps)
SELECT user_id, MIN(ts) AS t0, MAX(ts) AS t1, COUNT(*) AS n, SUM(amount) AS amt
FROM numbered GROUP BY user_id, session
