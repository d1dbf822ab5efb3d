WITH runs AS (
  SELECT symbol, aggregate(
      sort_array(collect_list(struct(ts, price))),
      struct(CAST(NULL AS DOUBLE) AS price, 0L AS run, 0L AS longest),
      (a, x) -> IF(x.price > a.price,
                   struct(x.price AS price, a.run + 1 AS run,
                          GREATEST(a.longest, a.run + 1) AS longest),
                   struct(x.price AS price, 0L AS run, a.longest AS longest)),
      a -> a.longest) AS longest
  FROM {ticks} GROUP BY symbol)
SELECT symbol, longest FROM runs WHERE longest >= 4
