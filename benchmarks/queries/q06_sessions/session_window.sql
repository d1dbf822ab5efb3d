SELECT user_id, MIN(ts) AS t0, MAX(ts) AS t1, COUNT(*) AS n, SUM(amount) AS amt
FROM {clicks} GROUP BY user_id, session_window(ts, '30 minutes')
