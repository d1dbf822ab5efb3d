-- MATCH_NUMBER(): which match of its partition it is, from 1. MATCH_SEQUENCE_NUMBER(): which row of its match a row is
-- (semantics.md: Row pattern functions).

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

-- case: in-define-matches-alternate
-- why: odd matches rise, even ones fall: row 2 (2 > 1), rows 3 and 4 (1, 0), row 5 (3 > 0)
SELECT * FROM VALUES (1, 1), (2, 2), (3, 1), (4, 0), (5, 3) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS var, FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (UP+ | DOWN+)
  DEFINE UP AS MATCH_NUMBER() % 2 = 1 AND v > PREV(v), DOWN AS MATCH_NUMBER() % 2 = 0 AND v < PREV(v));
-- expect:
-- | mn | var  | first_id | last_id |
-- | 1  | UP   | 2        | 2       |
-- | 2  | DOWN | 3        | 4       |
-- | 3  | UP   | 5        | 5       |

-- case: in-define-within-an-aggregate
-- why: in match 1 of x the sums are 5, 6, 12 and 19, which is too much; in match 2 row 4 counts twice its 7
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n, SUM(v * MATCH_NUMBER()) AS total
  PATTERN (A+) DEFINE A AS SUM(v * MATCH_NUMBER()) <= 14);
-- expect:
-- | p | n | total |
-- | x | 3 | 12    |
-- | x | 1 | 14    |
-- | y | 2 | 10    |

-- case: sequence-number-of-each-row
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_SEQUENCE_NUMBER() AS seq ALL ROWS PER MATCH
  PATTERN (A+) DEFINE A AS v > 4);
-- expect:
-- | p | id | seq : bigint | v |
-- | x | 1  | 1            | 5 |
-- | x | 3  | 1            | 6 |
-- | x | 4  | 2            | 7 |
-- | y | 2  | 1            | 9 |

-- case: sequence-number-counts-excluded-rows
SELECT p, id, seq FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_SEQUENCE_NUMBER() AS seq ALL ROWS PER MATCH
  PATTERN (A {- B -} C));
-- expect:
-- | p | id | seq |
-- | x | 1  | 1   |
-- | x | 3  | 3   |

-- case: sequence-number-with-one-row-is-the-number-of-rows
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_SEQUENCE_NUMBER() AS seq
  PATTERN (A+) DEFINE A AS v > 4);
-- expect:
-- | p | mn | seq |
-- | x | 1  | 1   |
-- | x | 2  | 2   |
-- | y | 1  | 1   |

-- case: sequence-number-of-an-empty-match-and-of-an-unmatched-row
-- why: neither is a row mapped. Row 2 of x starts no match, since it is neither above 4 nor first; the row of z is
-- first, and starts an empty one.
SELECT p, id, mn, seq FROM VALUES ('x', 1, 5), ('x', 2, 1), ('x', 3, 6), ('z', 3, 0) AS t(p, id, v) MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_SEQUENCE_NUMBER() AS seq
  ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (A+ | ^) DEFINE A AS v > 4);
-- expect:
-- | p | id | mn   | seq  |
-- | x | 1  | 1    | 1    |
-- | x | 2  | NULL | NULL |
-- | x | 3  | 2    | 1    |
-- | z | 3  | 1    | NULL |

-- case: sequence-number-in-define
-- why: three rows a match at most
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n
  PATTERN (A+) DEFINE A AS MATCH_SEQUENCE_NUMBER() <= 3);
-- expect:
-- | p | n |
-- | x | 3 |
-- | x | 1 |
-- | y | 2 |

-- case: sequence-number-within-aggregates-and-navigations
-- why: 11 + 22 + 33 + 44, and 11 + 22
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id
  MEASURES collect_list(MATCH_SEQUENCE_NUMBER()) AS places, SUM(id * 10 + MATCH_SEQUENCE_NUMBER()) AS total,
    LAST(MATCH_SEQUENCE_NUMBER(), 1) AS before_last, LAST(MATCH_SEQUENCE_NUMBER(), 9) AS none
  PATTERN (A B+));
-- expect:
-- | p | places       | total | before_last | none |
-- | x | [1, 2, 3, 4] | 110   | 3           | NULL |
-- | y | [1, 2]       | 33    | 1           | NULL |
