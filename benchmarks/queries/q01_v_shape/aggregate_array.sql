-- counts: n
-- An automaton in a lambda, over the sorted array of a symbol. It counts the matches only: an
-- array of them that grows is copied with each.
-- state 0: no row can start; 1: the row before can start; 2: falling; 3: rising.
SELECT symbol, aggregate(
    sort_array(collect_list(struct(ts, price))),
    struct(0 AS state, 0D AS price, 0L AS n),
    (a, x) -> CASE
      WHEN a.state = 0 THEN struct(1 AS state, x.price AS price, a.n AS n)
      WHEN x.price < a.price AND a.state = 3
        THEN struct(1 AS state, x.price AS price, a.n + 1 AS n)
      WHEN x.price < a.price THEN struct(2 AS state, x.price AS price, a.n AS n)
      WHEN x.price > a.price AND a.state >= 2 THEN struct(3 AS state, x.price AS price, a.n AS n)
      ELSE struct(1 AS state, x.price AS price, IF(a.state = 3, a.n + 1, a.n) AS n) END,
    a -> IF(a.state = 3, a.n + 1, a.n)) AS n
FROM {ticks} GROUP BY symbol
