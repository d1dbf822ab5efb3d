-- reference
SELECT symbol, 1L AS m, ts AS t0, ts AS t1, 1L AS n FROM {ticks} WHERE {as many} AND price > 0
