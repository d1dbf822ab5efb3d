-- The clause as part of a query: over tables, views, subqueries and joins, and under them.

CREATE TEMP VIEW ticks AS SELECT * FROM VALUES
  ('X', 1, 10), ('X', 2, 8), ('X', 3, 12), ('X', 4, 9), ('X', 5, 14),
  ('Y', 1, 5), ('Y', 2, 4), ('Y', 3, 6) AS t(symbol, day, price);

CREATE TEMP VIEW names AS SELECT * FROM VALUES ('X', 'Xylo'), ('Y', 'Yarn'), ('Z', 'Zinc') AS t(symbol, name);

-- case: over-a-subquery
SELECT * FROM (SELECT day, price FROM ticks WHERE symbol = 'Y') MATCH_RECOGNIZE (
  ORDER BY day MEASURES UP.price AS up PATTERN (DOWN UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | up |
-- | 6  |

-- case: over-a-common-table-expression
WITH y AS (SELECT * FROM ticks WHERE symbol = 'Y')
SELECT * FROM y MATCH_RECOGNIZE (
  ORDER BY day MEASURES SUM(price) AS total PATTERN (A+));
-- expect:
-- | total |
-- | 15    |

-- case: in-a-common-table-expression
WITH v AS (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS row_id PATTERN (DOWN UP)
    DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)))
SELECT symbol, COUNT(*) AS n FROM v GROUP BY symbol;
-- expect:
-- | symbol | n |
-- | X      | 2 |
-- | Y      | 1 |

-- case: over-values
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.s || B.s AS word PATTERN (A B));
-- expect:
-- | word |
-- | ab   |

-- case: over-a-table-function
SELECT * FROM range(5) MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(id) AS total PATTERN (A{2} B));
-- expect:
-- | total |
-- | 3     |

-- case: over-a-join-in-parentheses
-- why: Z has no ticks, so the inner join leaves it out
SELECT * FROM (ticks JOIN names USING (symbol)) MATCH_RECOGNIZE (
  PARTITION BY name ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | name | n |
-- | Xylo | 5 |
-- | Yarn | 3 |

-- case: on-the-left-of-a-join
SELECT name, n FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
JOIN names ON names.symbol = m.symbol;
-- expect:
-- | name | n |
-- | Xylo | 5 |
-- | Yarn | 3 |

-- case: on-the-right-of-an-outer-join
SELECT name, n FROM names LEFT JOIN ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
  ON names.symbol = m.symbol;
-- expect:
-- | name | n    |
-- | Xylo | 5    |
-- | Yarn | 3    |
-- | Zinc | NULL |

-- case: joined-with-itself
-- why: X has the pairs of matches (2, 2), (2, 4), (4, 2), (4, 4); one has the left before the right
WITH v AS (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS row_id PATTERN (DOWN UP)
    DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)))
SELECT l.symbol, l.row_id AS one, r.row_id AS two FROM v AS l JOIN v AS r ON l.symbol = r.symbol AND l.row_id < r.row_id;
-- expect:
-- | symbol | one | two |
-- | X      | 2   | 4   |

-- case: filtered-grouped-and-ordered
-- ordered
SELECT symbol, SUM(gain) AS gains FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES UP.price - DOWN.price AS gain
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
WHERE gain > 1 GROUP BY symbol HAVING SUM(gain) > 0 ORDER BY gains DESC;
-- expect:
-- | symbol | gains |
-- | X      | 9     |
-- | Y      | 2     |

-- case: in-a-scalar-subquery
SELECT (SELECT MAX(n) FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+))) AS longest;
-- expect:
-- | longest |
-- | 5       |

-- case: in-an-in-subquery
SELECT name FROM names WHERE symbol IN (
  SELECT symbol FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day PATTERN (A{4})));
-- expect:
-- | name |
-- | Xylo |

-- case: in-a-union
SELECT 'long' AS kind, symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (^ A{4}))
UNION ALL
SELECT 'short', symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (^ A{1,3} $ ));
-- expect:
-- | kind  | symbol |
-- | long  | X      |
-- | short | Y      |

-- case: two-clauses-in-one-from
SELECT a.n AS x, b.n AS y FROM
  (SELECT * FROM ticks WHERE symbol = 'X') MATCH_RECOGNIZE (ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS a,
  (SELECT * FROM ticks WHERE symbol = 'Y') MATCH_RECOGNIZE (ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS b;
-- expect:
-- | x | y |
-- | 5 | 3 |

-- case: nested
-- why: the inner clause finds a rise to 12 on day 3 and one to 14 on day 5 of X, and one of Y; the outer
-- one looks for two rises in a row, the second higher
SELECT * FROM (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day
    MEASURES UP.day AS day, UP.price AS top
    PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
  ) MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES LOW.top AS low, HIGH.top AS high
  PATTERN (LOW HIGH) DEFINE HIGH AS top > LOW.top);
-- expect:
-- | symbol | low | high |
-- | X      | 12  | 14   |

-- case: over-a-view-with-the-clause
CREATE TEMP VIEW dips AS SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS day, DOWN.price AS low
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
SELECT * FROM dips WHERE low < 9;
-- expect:
-- | symbol | day | low |
-- | X      | 2   | 8   |
-- | Y      | 2   | 4   |

-- case: a-condition-on-a-precomputed-window
-- why: window functions belong in a subquery: the mean of X is 10.6, above it are days 3 and 5; that of Y is 5
SELECT * FROM (SELECT *, AVG(price) OVER (PARTITION BY symbol) AS mean FROM ticks) MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES A.day AS day PATTERN (A) DEFINE A AS price > mean);
-- expect:
-- | symbol | day |
-- | X      | 3   |
-- | X      | 5   |
-- | Y      | 3   |

-- case: limited
SELECT COUNT(*) AS n FROM (SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day ALL ROWS PER MATCH PATTERN (A+)) LIMIT 4);
-- expect:
-- | n |
-- | 4 |
