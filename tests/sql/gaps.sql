-- Gaps: {- X*? -} and {- X* -}, X without a condition. In the standard dialect they are nothing special: an excluded loop
-- that takes any rows, so preferment decides, and X is mapped (semantics.md, Extensions).

CREATE TEMP VIEW six AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'a'), (4, 'a'), (5, 'b'), (6, 'b') AS t(id, s);

-- case: followed-by
-- why: each a with the first b after it
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A {- X*? -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b |
-- | 1 | 2 |
-- | 3 | 5 |
-- | 4 | 5 |

-- case: a-greedy-gap-goes-as-far-as-it-can
-- why: each a with the last b
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b |
-- | 1 | 6 |
-- | 3 | 6 |
-- | 4 | 6 |

-- case: followed-by-any-is-no-skip-with-a-greedy-gap
-- why: the pairs of an a and a later b: 3 + 2 + 2
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b |
-- | 1 | 6 |
-- | 1 | 5 |
-- | 1 | 2 |
-- | 3 | 6 |
-- | 3 | 5 |
-- | 4 | 6 |
-- | 4 | 5 |

-- case: a-reluctant-gap-goes-on-where-what-follows-fails
-- why: no c follows b in row 2; the standard dialect passes it over
SELECT id, var FROM VALUES (1, 'a'), (2, 'b'), (3, 'd'), (4, 'b'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A {- X*? -} (B C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 4  | B   |
-- | 5  | C   |

-- case: gap-rows-are-mapped-to-their-variable
-- why: rows 3, 4, 5: COUNT(*) 3, the row before the last is 4
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, X.id AS x, LAST(id, 1) AS before AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A {- X*? -} B) DEFINE A AS s = 'a' AND id > 1, B AS s = 'b');
-- expect:
-- | n | x | before |
-- | 3 | 4 | 4      |

-- case: a-gap-may-be-empty
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(X.*) AS x PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | x |
-- | 0 |

-- case: a-gap-before-the-first-row
-- why: the match starts with the rows that the gap takes
SELECT * FROM VALUES (1, 'x'), (2, 'x'), (3, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, A.id AS a PATTERN ({- X*? -} A) DEFINE A AS s = 'a');
-- expect:
-- | f | a |
-- | 1 | 3 |

-- case: a-gap-between-the-iterations-of-a-group
SELECT id FROM VALUES (1, 'a'), (2, 'x'), (3, 'b'), (4, 'a'), (5, 'b'), (6, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN ((A {- X*? -} B)+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id |
-- | 1  |
-- | 3  |
-- | 4  |
-- | 5  |

-- case: a-gap-within-a-bound
-- why: 3 and 5 are two apart, 1 and 2 one
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A {- X*? -} B) WITHIN 1 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b |
-- | 1 | 2 |
-- | 4 | 5 |

-- case: a-variable-with-a-condition-makes-a-gap-of-some-rows
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A {- X*? -} B) DEFINE A AS s = 'a', B AS s = 'b' AND id > 5, X AS s = 'b');
-- expect:
-- | a | b |
-- | 4 | 6 |
