WITH steps AS (
  SELECT symbol, ts, price > LAG(price) OVER (PARTITION BY symbol ORDER BY ts) AS rises
  FROM {ticks}),
numbered AS (
  SELECT symbol, rises,
         SUM(IF(rises, 0, 1)) OVER (PARTITION BY symbol ORDER BY ts) AS island FROM steps),
runs AS (
  SELECT symbol, island, COUNT(*) AS n FROM numbered WHERE rises GROUP BY symbol, island)
SELECT symbol, MAX(n) AS longest FROM runs GROUP BY symbol HAVING MAX(n) >= 4
