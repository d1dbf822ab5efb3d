-- Joins by half hours: what follows within 30 minutes lies in the same or in the next. Z* takes
-- all it can: the last theft within reach, then the last battery before it.
WITH halves AS (
  SELECT id, ts, cat, lat, lon, unix_seconds(ts) DIV 1800 AS half FROM {crimes}
  WHERE cat IN ('ROBBERY', 'BATTERY', 'MOTOR VEHICLE THEFT')),
later AS (
  SELECT id, ts, cat, lat, lon, explode(array(half - 1, half)) AS half
  FROM halves WHERE cat <> 'ROBBERY'),
reached AS (
  SELECT r.id AS rid, m.cat, m.ts, m.id
  FROM halves r JOIN later m ON m.half = r.half AND m.ts > r.ts
    AND m.ts <= r.ts + INTERVAL '30' MINUTE
    AND m.lat BETWEEN r.lat-0.025 AND r.lat+0.025 AND m.lon BETWEEN r.lon-0.025 AND r.lon+0.025
  WHERE r.cat = 'ROBBERY'),
thefts AS (
  SELECT *, MAX(IF(cat = 'MOTOR VEHICLE THEFT', struct(ts, id), NULL)) OVER (PARTITION BY rid) AS m
  FROM reached)
SELECT rid, MAX(struct(ts, id)).id AS bid, first(m.id) AS mid
FROM thefts WHERE cat = 'BATTERY' AND ts < m.ts GROUP BY rid
