-- Runs of falling and of rising prices are islands; a falling one with a rising one right after
-- it is a V. The last row of a match cannot start the next one (SKIP PAST LAST ROW): a V right
-- after a match starts one row later, and is none if its fall has no second step. Hence `place`:
-- of Vs in a chain with falls of one step, each second one is a match.
WITH steps AS (
  SELECT symbol, ts, price,
         SIGN(price - LAG(price) OVER in_time) AS direction,
         LAG(ts) OVER in_time AS ts_before, LAG(price) OVER in_time AS price_before
  FROM rows WINDOW in_time AS (PARTITION BY symbol ORDER BY ts)),
turns AS (
  SELECT *, IF(direction = LAG(direction) OVER in_time, 0, 1) AS turn
  FROM steps WINDOW in_time AS (PARTITION BY symbol ORDER BY ts)),
numbered AS (
  SELECT *, SUM(turn) OVER (PARTITION BY symbol ORDER BY ts) AS island FROM turns),
islands AS (
  SELECT symbol, island, direction, COUNT(*) AS steps, MIN(ts_before) AS before_ts,
         MAX(price_before) AS before_price, MIN(ts) AS first_ts, MAX(ts) AS last_ts,
         MIN(price) AS lowest, MAX(price) AS highest
  FROM numbered WHERE direction <> 0 GROUP BY symbol, island, direction),
pairs AS (
  SELECT *, LEAD(island) OVER next_island AS rise, LEAD(direction) OVER next_island AS rises,
         LEAD(last_ts) OVER next_island AS t1, LEAD(highest) OVER next_island AS p1
  FROM islands WINDOW next_island AS (PARTITION BY symbol ORDER BY island)),
shapes AS (
  SELECT *, COALESCE(LAG(island) OVER in_order = island - 2, false) AS adjacent,
         ROW_NUMBER() OVER in_order AS number
  FROM pairs WHERE direction = -1 AND rises = 1 AND rise = island + 1
  WINDOW in_order AS (PARTITION BY symbol ORDER BY island)),
places AS (
  SELECT *, number - MAX(IF(steps > 1 OR NOT adjacent, number, NULL)) OVER
           (PARTITION BY symbol ORDER BY island) AS place
  FROM shapes),
starts AS (
  SELECT *, adjacent AND LAG(place) OVER (PARTITION BY symbol ORDER BY island) % 2 = 0 AS late
  FROM places)
SELECT symbol, IF(late, first_ts, before_ts) AS t0, last_ts AS tlow, t1,
       IF(late, highest, before_price) AS p0, lowest AS plow, p1
FROM starts WHERE place % 2 = 0
