-- Exclusion {- p -}: rows matched by p are not output with ALL ROWS PER MATCH. Everything else sees
-- them: navigation, aggregates, skipping (semantics.md: Exclusion).

CREATE TEMP VIEW abbc AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'b'), (4, 'c'), (5, 'a'), (6, 'c') AS t(id, s);

-- case: excluded-rows-are-not-output
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A {- B* -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 4  | C   |
-- | 5  | A   |
-- | 6  | C   |

-- case: aggregates-see-excluded-rows
-- why: the first match has 4 rows and ids 1 + 2 + 3 + 4; at row 4 the running count has seen them all
SELECT id, n, total FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, FINAL SUM(id) AS total ALL ROWS PER MATCH
  PATTERN (A {- B* -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | n | total : bigint |
-- | 1  | 1 | 10             |
-- | 4  | 4 | 10             |
-- | 5  | 1 | 11             |
-- | 6  | 2 | 11             |

-- case: navigation-sees-excluded-rows
-- why: row 3 is before row 4, physically and among the rows mapped; row 5 is before row 6
SELECT id, p, l, b, c FROM abbc MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES PREV(id) AS p, LAST(id, 1) AS l, LAST(B.id) AS b, PREV(CLASSIFIER()) AS c
  ALL ROWS PER MATCH
  PATTERN (A {- B* -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | p    | l    | b    | c    |
-- | 1  | NULL | NULL | NULL | NULL |
-- | 4  | 3    | 3    | 3    | B    |
-- | 5  | 4    | NULL | NULL | NULL |
-- | 6  | 5    | 5    | NULL | A    |

-- case: skipping-past-an-excluded-last-row
-- why: matches are rows 1, 2, then 3, 4, then 5, 6; the second of each is not output
SELECT id FROM abbc MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN (X {- Y -}));
-- expect:
-- | id |
-- | 1  |
-- | 3  |
-- | 5  |

-- case: skipping-to-an-excluded-row
-- why: from row 1 rows 2 and 3 are B, and the search continues at row 3: X B needs a b at row 4, then at 5, 6
SELECT mn, id FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH
  AFTER MATCH SKIP TO LAST B
  PATTERN (X {- B+ -}) DEFINE B AS s = 'b');
-- expect:
-- | mn : bigint | id |
-- | 1           | 1  |

-- case: one-row-per-match-may-exclude
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(B.id) AS b, LAST(id) AS last_id ONE ROW PER MATCH
  PATTERN (A {- B* -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | first_id | b    | last_id |
-- | 1        | 3    | 4       |
-- | 5        | NULL | 6       |

-- case: exclusion-within-a-loop
SELECT id, var FROM VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'b'), (5, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A {- B -})+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 3  | A   |

-- case: exclusion-within-an-alternation
-- why: each row of the loop is an A, or an excluded B, or a C
SELECT id, var, n FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var, COUNT(*) AS n ALL ROWS PER MATCH
  PATTERN ((A | {- B -} | C)+) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var | n |
-- | 1  | A   | 1 |
-- | 4  | C   | 4 |
-- | 5  | A   | 5 |
-- | 6  | C   | 6 |

-- case: a-quantified-exclusion
SELECT id FROM abbc MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN (A {- B -}{2} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id |
-- | 1  |
-- | 4  |

-- case: one-variable-excluded-in-one-place-only
SELECT id, n FROM VALUES (1), (2), (3) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS n ALL ROWS PER MATCH
  PATTERN (A {- A -} A));
-- expect:
-- | id | n |
-- | 1  | 1 |
-- | 3  | 3 |

-- case: nested-exclusions-are-one
SELECT id FROM abbc MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN ({- A {- B -} B -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id |
-- | 4  |

-- case: a-match-of-excluded-rows-only-gives-no-row-but-counts
-- why: match 1 is row 1, all excluded; match 2 is row 4; match 3 is row 5, match 4 is row 6
SELECT id, mn FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH
  PATTERN ({- A -} | C) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | id | mn |
-- | 4  | 2  |
-- | 6  | 4  |

-- case: an-empty-match-of-an-exclusion-is-shown
-- why: no row is mapped, so none is excluded; the empty match at row 4 shows its start row
SELECT id, n FROM VALUES (4) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH
  PATTERN ({- A* -}) DEFINE A AS id < 4);
-- expect:
-- | id | n |
-- | 4  | 0 |

-- case: exclusions-side-by-side
SELECT id, n FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH
  PATTERN ({- A -} {- B* -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | n |
-- | 4  | 4 |
-- | 6  | 2 |

-- case: an-exclusion-of-the-empty-pattern-excludes-nothing
SELECT id FROM abbc MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN (A {- ()* -} B* C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id |
-- | 1  |
-- | 2  |
-- | 3  |
-- | 4  |
-- | 5  |
-- | 6  |

-- case: several-exclusions-within-a-loop
-- why: the loop takes rows 1 to 4, then 5 to 7; the a and the c of each round are excluded
SELECT id, var, n FROM VALUES (1, 'a'), (2, 'b'), (3, 'b'), (4, 'c'), (5, 'a'), (6, 'b'), (7, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var, FINAL COUNT(*) AS n ALL ROWS PER MATCH
  PATTERN (({- A -} B+ {- C -})+) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var | n |
-- | 2  | B   | 7 |
-- | 3  | B   | 7 |
-- | 6  | B   | 7 |

-- case: omit-empty-matches-with-an-exclusion
-- why: rows 1 and 5 start the empty matches 1 and 3; match 2 is rows 2 to 4 without the excluded b, match 4 row 6
SELECT id, mn FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH OMIT EMPTY MATCHES
  PATTERN ({- B* -} C?) DEFINE B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | mn |
-- | 4  | 2  |
-- | 6  | 4  |

-- case: a-subset-of-excluded-rows-in-define
-- why: the mean of the two rows before and the two after, 4 6 5 5, is 5, and 9 is above one and a half times that
SELECT id, mean FROM VALUES (1, 4), (2, 6), (3, 9), (4, 5), (5, 5) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL AVG(W.v) AS mean ALL ROWS PER MATCH
  PATTERN ({- Y Y -} X {- Y Z -}) SUBSET W = (Y, Z) DEFINE Z AS X.v > 1.5 * AVG(W.v));
-- expect:
-- | id | mean |
-- | 3  | 5.0  |
