-- How far a row is from the last one that did not rise: no grouping by island.
WITH steps AS (
  SELECT symbol, ts, price > LAG(price) OVER in_time AS rises, ROW_NUMBER() OVER in_time AS place
  FROM {ticks} WINDOW in_time AS (PARTITION BY symbol ORDER BY ts)),
runs AS (
  SELECT symbol, place - MAX(IF(rises, NULL, place)) OVER
           (PARTITION BY symbol ORDER BY ts ROWS UNBOUNDED PRECEDING) AS n FROM steps)
SELECT symbol, CAST(MAX(n) AS BIGINT) AS longest FROM runs GROUP BY symbol HAVING MAX(n) >= 4
