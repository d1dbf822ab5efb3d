-- reference
SELECT symbol, ts, price, price AS p1, 1L AS k, 'A' AS c FROM {ticks} WHERE {as many}
