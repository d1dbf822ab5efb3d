-- Each third cold row in a row (`cools`) ends a stretch of time. A match lies in one stretch: from
-- the first row of its first hot run of three rows or more (`lasting`) to its end, if it has one.
WITH neighbours AS (
  SELECT device, ts, temp, temp > 80 AS hot, ROW_NUMBER() OVER in_time AS place,
         LAG(temp > 80, 1) OVER in_time AS hot1, LAG(temp > 80, 2) OVER in_time AS hot2,
         LAG(temp > 80, 3) OVER in_time AS hot3,
         LEAD(temp > 80, 1) OVER in_time AS warm1, LEAD(temp > 80, 2) OVER in_time AS warm2
  FROM {sensors} WINDOW in_time AS (PARTITION BY device ORDER BY ts)),
marks AS (
  SELECT device, ts, temp, hot, place,
         hot AND COALESCE(hot1 AND hot2 OR hot1 AND warm1 OR warm1 AND warm2, false) AS lasting,
         NOT hot AND NOT hot1 AND NOT hot2 AND COALESCE(hot3, true) AS cools
  FROM neighbours),
stretches AS (
  SELECT device, ts, temp, hot, place, cools,
         COUNT_IF(hot) OVER in_time AS hot_rows,
         MAX(IF(lasting, place, NULL)) OVER in_time >
           COALESCE(MAX(IF(cools, place, NULL)) OVER before, 0) AS heated
  FROM marks
  WINDOW in_time AS (PARTITION BY device ORDER BY ts ROWS UNBOUNDED PRECEDING),
         before AS (PARTITION BY device ORDER BY ts
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
starts AS (
  SELECT *, heated AND NOT (COALESCE(LAG(heated) OVER in_time, false)
                            AND NOT LAG(cools) OVER in_time) AS begins
  FROM stretches WINDOW in_time AS (PARTITION BY device ORDER BY ts)),
matches AS (
  SELECT *, COUNT_IF(begins) OVER in_time AS m,
         hot_rows - MAX(IF(begins, hot_rows - 1, NULL)) OVER in_time AS run,
         COUNT_IF(cools) OVER (PARTITION BY device) -
           COALESCE(COUNT_IF(cools) OVER before, 0) AS ends
  FROM starts
  WINDOW in_time AS (PARTITION BY device ORDER BY ts ROWS UNBOUNDED PRECEDING),
         before AS (PARTITION BY device ORDER BY ts
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
SELECT device, ts, temp, IF(hot, 'H', 'N') AS cls, m, run FROM matches WHERE heated AND ends > 0
