-- MATCH_NUMBER(): which match of its partition it is, from 1 (semantics.md, rule 8).

CREATE TEMP VIEW t AS SELECT * FROM VALUES
  ('x', 1, 5), ('x', 2, 1), ('x', 3, 6), ('x', 4, 7), ('y', 1, 1), ('y', 2, 9) AS t(p, id, v);

-- case: counts-in-each-partition
-- why: rows above 4; the start rows that match nothing do not count
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, id AS id
  PATTERN (A) DEFINE A AS v > 4);
-- expect:
-- | p | mn : bigint | id |
-- | x | 1           | 1  |
-- | x | 2           | 3  |
-- | x | 3           | 4  |
-- | y | 1           | 2  |

-- case: is-the-same-on-all-rows-of-a-match
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH
  PATTERN (A+) DEFINE A AS v > 4);
-- expect:
-- | p | id | mn | v |
-- | x | 1  | 1  | 5 |
-- | x | 3  | 2  | 6 |
-- | x | 4  | 2  | 7 |
-- | y | 2  | 1  | 9 |

-- case: counts-empty-matches
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (A*) DEFINE A AS v > 4);
-- expect:
-- | p | mn | n |
-- | x | 1  | 1 |
-- | x | 2  | 0 |
-- | x | 3  | 2 |
-- | y | 1  | 0 |
-- | y | 2  | 1 |

-- case: in-define-it-is-the-number-that-the-match-would-get
-- why: two matches in each partition, then A holds no more
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, id AS id
  PATTERN (A) DEFINE A AS MATCH_NUMBER() <= 2);
-- expect:
-- | p | mn | id |
-- | x | 1  | 1  |
-- | x | 2  | 2  |
-- | y | 1  | 1  |
-- | y | 2  | 2  |

-- case: in-define-failed-start-rows-do-not-count
-- why: match 1 is row 1. Then the number would be 2 at each start row: 2 * 3 = 6 is row 3's value.
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, id AS id
  PATTERN (A) DEFINE A AS v = 5 OR v = 3 * MATCH_NUMBER());
-- expect:
-- | p | mn | id |
-- | x | 1  | 1  |
-- | x | 2  | 3  |

-- case: in-an-expression
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES 'match ' || MATCH_NUMBER() AS label
  PATTERN (A A) DEFINE A AS v > 4);
-- expect:
-- | p | label   |
-- | x | match 1 |

-- case: within-a-navigation-it-needs-the-row
-- why: a navigation without a row is NULL as a whole
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES LAST(v + MATCH_NUMBER()) AS l, LAST(v + MATCH_NUMBER(), 1) AS l1
  PATTERN (A) DEFINE A AS v > 8);
-- expect:
-- | p | l  | l1   |
-- | y | 10 | NULL |
