-- reference
SELECT user_id, ts AS t0, ts AS t1, event AS last_cls FROM {clicks}
WHERE {as many} AND amount >= 0
