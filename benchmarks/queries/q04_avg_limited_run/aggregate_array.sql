-- What a window cannot say: the average starts anew where the last run ended. At the end of the
-- symbol the last row of an open run becomes its B.
WITH runs AS (
  SELECT symbol, aggregate(
      sort_array(collect_list(struct(ts, volume))),
      struct(0L AS n, 0L AS total, CAST(NULL AS TIMESTAMP) AS t0, CAST(NULL AS TIMESTAMP) AS t1,
             CAST(NULL AS TIMESTAMP) AS before, 0 AS last,
             CAST(array() AS ARRAY<STRUCT<t0: TIMESTAMP, t1: TIMESTAMP, v: DOUBLE, n: BIGINT>>)
               AS found),
      (a, x) -> CASE
        WHEN (a.total + x.volume) / (a.n + 1) < 520
          THEN struct(a.n + 1 AS n, a.total + x.volume AS total, IF(a.n = 0, x.ts, a.t0) AS t0,
                      x.ts AS t1, a.t1 AS before, x.volume AS last, a.found AS found)
        WHEN a.n = 0 THEN a
        ELSE struct(0L AS n, 0L AS total, CAST(NULL AS TIMESTAMP) AS t0,
                    CAST(NULL AS TIMESTAMP) AS t1, CAST(NULL AS TIMESTAMP) AS before, 0 AS last,
                    array_append(a.found, struct(a.t0 AS t0, a.t1 AS t1, a.total / a.n AS v,
                                                 a.n AS n)) AS found) END,
      a -> IF(a.n > 1,
              array_append(a.found, struct(a.t0 AS t0, a.before AS t1,
                                           (a.total - a.last) / (a.n - 1) AS v, a.n - 1 AS n)),
              a.found)) AS found
  FROM {ticks} GROUP BY symbol)
SELECT symbol, inline(found) FROM runs
