-- Four islands in a row: falling, rising, falling, rising.
WITH steps AS (
  SELECT symbol, ts, SIGN(price - LAG(price) OVER in_time) AS direction,
         LAG(ts) OVER in_time AS ts_before
  FROM {ticks} WINDOW in_time AS (PARTITION BY symbol ORDER BY ts)),
turns AS (
  SELECT *, IF(direction = LAG(direction) OVER (PARTITION BY symbol ORDER BY ts), 0, 1) AS turn
  FROM steps),
numbered AS (
  SELECT *, SUM(turn) OVER (PARTITION BY symbol ORDER BY ts) AS island FROM turns),
islands AS (
  SELECT symbol, island, direction, COUNT(*) AS steps, MIN(ts_before) AS before_ts,
         MAX(ts) AS last_ts
  FROM numbered WHERE direction <> 0 GROUP BY symbol, island, direction),
fours AS (
  SELECT *, LEAD(island, 3) OVER in_order AS fourth, LEAD(last_ts, 3) OVER in_order AS t1,
         SUM(steps) OVER (PARTITION BY symbol ORDER BY island
                          ROWS BETWEEN CURRENT ROW AND 3 FOLLOWING) AS rows
  FROM islands WINDOW in_order AS (PARTITION BY symbol ORDER BY island))
SELECT symbol, CAST(ROW_NUMBER() OVER (PARTITION BY symbol ORDER BY island) AS BIGINT) AS m,
       before_ts AS t0, t1, rows + 1 AS n
FROM fours WHERE direction = -1 AND fourth = island + 3
