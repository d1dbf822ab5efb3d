-- ONE ROW PER MATCH: the partition columns and the measures, one row for each match. It is what
-- holds when nothing is said (semantics.md: Running and final values and Output columns).

CREATE TEMP VIEW ticker AS SELECT * FROM VALUES
  ('X', 1, 10), ('X', 2, 8), ('X', 3, 12), ('X', 4, 11), ('X', 5, 13),
  ('Y', 1, 5), ('Y', 2, 6) AS t(symbol, day, price);

-- case: partition-columns-then-measures
-- why: X falls on day 2 and rises on day 3; falls on day 4 and rises on day 5. Y never falls.
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES FIRST(DOWN.day) AS down_day, UP.price - FIRST(DOWN.price) AS gain
  ONE ROW PER MATCH
  PATTERN (DOWN+ UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | symbol | down_day | gain |
-- | X      | 2        | 4    |
-- | X      | 4        | 2    |

-- case: one-row-is-the-default
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES COUNT(*) AS n
  PATTERN (X+));
-- expect:
-- | symbol | n |
-- | X      | 5 |
-- | Y      | 2 |

-- case: a-plain-column-is-the-last-row-mapped
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES day AS day, A.day AS a_day, B.day AS b_day
  PATTERN (A B));
-- expect:
-- | symbol | day | a_day | b_day |
-- | X      | 2   | 1     | 2     |
-- | X      | 4   | 3     | 4     |
-- | Y      | 2   | 1     | 2     |

-- case: running-equals-final
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES SUM(price) AS s, RUNNING SUM(price) AS r, FINAL SUM(price) AS f,
    RUNNING LAST(day) AS rl, FINAL LAST(day) AS fl
  PATTERN (A{2}));
-- expect:
-- | symbol | s  | r  | f  | rl | fl |
-- | X      | 18 | 18 | 18 | 2  | 2  |
-- | X      | 23 | 23 | 23 | 4  | 4  |
-- | Y      | 11 | 11 | 11 | 2  | 2  |

-- case: without-measures-the-partition-columns
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day PATTERN (A B));
-- expect:
-- | symbol |
-- | X      |
-- | X      |
-- | Y      |

-- case: a-variable-that-is-not-in-the-match-is-null
-- why: only the alternative that matched has rows
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES HIGH.price AS high, LOW.price AS low
  PATTERN (HIGH | LOW) DEFINE HIGH AS price >= 12, LOW AS price <= 5);
-- expect:
-- | symbol | high | low  |
-- | X      | 12   | NULL |
-- | X      | 13   | NULL |
-- | Y      | NULL | 5    |

-- case: no-match-no-row
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES A.day AS day PATTERN (A) DEFINE A AS price > 100);
-- expect:
-- | symbol | day |

-- case: empty-input-no-row
-- why: without a row there is no start row, not even for an empty match
SELECT * FROM (SELECT * FROM ticker WHERE price > 100) MATCH_RECOGNIZE (
  ORDER BY day MEASURES COUNT(*) AS n PATTERN (A*));
-- expect:
-- | n |

-- case: undefined-variables-are-always-true
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES A.day AS a, B.day AS b
  PATTERN (A B) DEFINE B AS price > 11);
-- expect:
-- | symbol | a | b |
-- | X      | 2 | 3 |
-- | X      | 4 | 5 |

-- case: a-match-lies-within-one-partition
-- why: three rows are there three times at most in X, and Y has only two
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES LAST(day) AS last_day PATTERN (A{3}));
-- expect:
-- | symbol | last_day |
-- | X      | 3        |
