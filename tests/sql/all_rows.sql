-- ALL ROWS PER MATCH: a row for each row of a match, with running measures, and with WITH UNMATCHED
-- ROWS the rows that no match covers (semantics.md: Unmatched rows, Output columns and Output order). Empty matches have a file of their own.

CREATE TEMP VIEW ticker AS SELECT * FROM VALUES
  ('X', 1, 10, 'm'), ('X', 2, 8, 'n'), ('X', 3, 12, 'o'), ('X', 4, 11, 'p'),
  ('Y', 1, 5, 'q'), ('Y', 2, 6, 'r') AS t(symbol, day, price, note);

-- case: partition-order-measures-then-the-rest
-- why: X matches on days 2 and 3 (8 < 10, 12 > 8); the fall to 11 has no rise after it
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES CLASSIFIER() AS var, FIRST(DOWN.price) AS bottom
  ALL ROWS PER MATCH
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | symbol | day | var  | bottom | price | note |
-- | X      | 2   | DOWN | 8      | 8     | n    |
-- | X      | 3   | UP   | 8      | 12    | o    |

-- case: without-measures-the-input-columns
SELECT * FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY price ALL ROWS PER MATCH
  PATTERN (A) DEFINE A AS day = 1);
-- expect:
-- | symbol | price | day | note |
-- | X      | 10    | 1   | m    |
-- | Y      | 5     | 1   | q    |

-- case: measures-run-along-the-match
SELECT symbol, day, n, total, first_day, a, b FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES COUNT(*) AS n, SUM(price) AS total, FIRST(day) AS first_day, A.day AS a, B.day AS b
  ALL ROWS PER MATCH
  PATTERN (A+ B $ ));
-- expect:
-- | symbol | day | n | total | first_day | a | b    |
-- | X      | 1   | 1 | 10    | 1         | 1 | NULL |
-- | X      | 2   | 2 | 18    | 1         | 2 | NULL |
-- | X      | 3   | 3 | 30    | 1         | 3 | NULL |
-- | X      | 4   | 4 | 41    | 1         | 3 | 4    |
-- | Y      | 1   | 1 | 5     | 1         | 1 | NULL |
-- | Y      | 2   | 2 | 11    | 1         | 1 | 2    |

-- case: overlapping-matches-give-a-row-each
-- why: with SKIP TO NEXT ROW days 2 and 3 belong to two matches, as last and as first row
SELECT mn, symbol, day, var FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var
  ALL ROWS PER MATCH AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A B));
-- expect:
-- | mn | symbol | day | var |
-- | 1  | X      | 1   | A   |
-- | 1  | X      | 2   | B   |
-- | 2  | X      | 2   | A   |
-- | 2  | X      | 3   | B   |
-- | 3  | X      | 3   | A   |
-- | 3  | X      | 4   | B   |
-- | 1  | Y      | 1   | A   |
-- | 1  | Y      | 2   | B   |

-- case: unmatched-rows-have-no-measures
-- why: the match is days 2 and 3 of X; every measure of the other rows is NULL, the constant too
SELECT symbol, day, price, mn, var, one, n FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var, 1 AS one, COUNT(*) AS n
  ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | symbol | day | price | mn   | var  | one  | n    |
-- | X      | 1   | 10    | NULL | NULL | NULL | NULL |
-- | X      | 2   | 8     | 1    | DOWN | 1    | 1    |
-- | X      | 3   | 12    | 1    | UP   | 1    | 2    |
-- | X      | 4   | 11    | NULL | NULL | NULL | NULL |
-- | Y      | 1   | 5     | NULL | NULL | NULL | NULL |
-- | Y      | 2   | 6     | NULL | NULL | NULL | NULL |

-- case: a-row-that-an-earlier-match-covers-is-not-unmatched
-- why: the match is days 1 to 3. With SKIP TO NEXT ROW days 2 and 3 start no match, but are covered.
SELECT day, mn FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES MATCH_NUMBER() AS mn
  ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO NEXT ROW
  PATTERN (^ A B C)) WHERE symbol = 'X';
-- expect:
-- | day | mn   |
-- | 1   | 1    |
-- | 2   | 1    |
-- | 3   | 1    |
-- | 4   | NULL |

-- case: a-skip-into-a-match-does-not-uncover-its-rows
-- why: the match takes days 1 to 4 and the search continues at day 2, where TEN fails, as at 3 and 4. All are covered.
SELECT day, mn FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES MATCH_NUMBER() AS mn
  ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO FIRST REST
  PATTERN (TEN REST+) DEFINE TEN AS price = 10) WHERE symbol = 'X';
-- expect:
-- | day | mn |
-- | 1   | 1  |
-- | 2   | 1  |
-- | 3   | 1  |
-- | 4   | 1  |

-- case: an-empty-match-is-shown-on-a-covered-row
-- why: match 1 takes days 1 and 2 of X. Day 2 then starts an empty match, shown although day 2 was
-- output already; so do days 3 and 4, and the rows of Y.
SELECT symbol, day, mn, n FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO NEXT ROW
  PATTERN (TEN ANY_ROW | ()) DEFINE TEN AS price = 10);
-- expect:
-- | symbol | day | mn | n |
-- | X      | 1   | 1  | 1 |
-- | X      | 2   | 1  | 2 |
-- | X      | 2   | 2  | 0 |
-- | X      | 3   | 3  | 0 |
-- | X      | 4   | 4  | 0 |
-- | Y      | 1   | 1  | 0 |
-- | Y      | 2   | 2  | 0 |

-- case: some-columns-in-some-order
-- ordered
SELECT m.var, m.day, m.price * 2 AS twice FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A B) DEFINE B AS price > PREV(price)) AS m
WHERE m.symbol = 'X' ORDER BY m.day DESC;
-- expect:
-- | var | day | twice |
-- | B   | 3   | 24    |
-- | A   | 2   | 16    |
