-- Absence: [^B], the next row is not a B; {- X*? -} [^B], no row passed over is one (semantics.md, Extensions).
-- B is a variable with a condition; the row that is looked at counts as mapped to it for that test alone.

CREATE TEMP VIEW six AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'a'), (4, 'a'), (5, 'b'), (6, 'b') AS t(id, s);

-- case: the-next-row-is-not-a-b
-- why: a b follows 1 and 4, an a follows 3
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a |
-- | 3 |

-- case: it-takes-no-row
-- why: the row looked at, 4, is the next of the match, and then the first b
SELECT id, var FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A [^B] C D) DEFINE A AS s = 'a', B AS s = 'b', D AS s = 'b');
-- expect:
-- | id | var |
-- | 3  | A   |
-- | 4  | C   |
-- | 5  | D   |

-- case: it-holds-at-the-end-of-the-partition
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(B.id) AS b AFTER MATCH SKIP TO NEXT ROW
  PATTERN (B [^A] [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | b |
-- | 6 |

-- case: it-holds-where-the-next-row-is-beyond-the-bound
-- why: a row away is beyond the bound 0, whatever it is
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a
  PATTERN (A [^B]) WITHIN 0 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a |
-- | 1 |
-- | 3 |
-- | 4 |

-- case: a-null-condition-is-no-b
SELECT * FROM VALUES (1, 'a'), (2, NULL) AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a |
-- | 1 |

-- case: the-row-looked-at-counts-as-mapped
-- why: B.id is that of the row looked at: 2 > 1 + 1 is false, 9 > 3 + 1 is true
SELECT * FROM VALUES (1, 'a'), (2, 'c'), (3, 'a'), (9, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A [^B]) DEFINE A AS s = 'a', B AS B.id > A.id + 1);
-- expect:
-- | a |
-- | 1 |

-- case: for-that-test-alone
-- why: CLASSIFIER and COUNT of the match know A only
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, CLASSIFIER() AS var, NEXT(CLASSIFIER()) AS after
  PATTERN (A [^B]) DEFINE A AS s = 'a', B AS s = 'b' AND COUNT(B.*) = 1);
-- expect:
-- | n | var | after |
-- | 1 | A   | NULL  |

-- case: in-a-loop
-- why: 1 and 2 are each followed by an a, 3 by a b
SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN ((A [^B])+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 2 |

-- case: over-a-gap-in-the-middle
-- why: from 1 a b comes before the c; from 4 none does
SELECT id, var FROM VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'a'), (5, 'x'), (6, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A {- X*? -} [^B] {- Y*? -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var |
-- | 4  | A   |
-- | 6  | C   |

-- case: over-a-gap-the-next-elements-row-may-be-one
-- why: only rows passed over are held against B
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'bc') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES C.id AS c
  PATTERN (A {- X*? -} [^B] {- Y*? -} C) DEFINE A AS s = 'a', B AS s LIKE '%b%', C AS s LIKE '%c%');
-- expect:
-- | c |
-- | 3 |

-- case: over-a-gap-to-the-end-of-the-partition
-- why: of the three partitions only the second has no b after its a
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'x'), (3, 1, 'a'), (3, 2, 'x'), (3, 3, 'b') AS t(k, id, s)
MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A {- X*? -} [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | k | l |
-- | 2 | 1 |

-- case: over-a-gap-to-the-bound
-- why: of partition 3 the b is beyond the bound
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'x'), (3, 1, 'a'), (3, 2, 'x'), (3, 3, 'b') AS t(k, id, s)
MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A {- X*? -} [^B]) WITHIN 1 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | k | l |
-- | 2 | 1 |
-- | 3 | 1 |

-- case: two-over-gaps-to-the-end
-- why: the second follows the first, and no row up to the end is a b or a c
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'x'), (2, 1, 'a'), (2, 2, 'b'), (3, 1, 'a'), (3, 2, 'x'), (3, 3, 'c')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES A.id AS a
  PATTERN (A {- X*? -} [^B] {- Y*? -} [^C]) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | a |
-- | 1 | 1 |

-- case: no-partial-match-waits-at-an-absence
-- why: in the standard dialect [^B] holds at the bound, so 9 is a match
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (9, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X*? -} [^B]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | late  |
-- | 9 | false |

-- case: absence-and-time-outs
-- why: from 1 a b comes before any c: dead. From 9 a c is awaited and no b came
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c'), (9, 'a'), (10, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, C.id AS c, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X*? -} [^B] {- Y*? -} C) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c    | late |
-- | 9 | NULL | true |

-- case: what-is-only-looked-at-is-no-measure
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b PATTERN (A [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.NEVER_MAPPED

-- case: over-a-gap-the-next-element-needs-one-of-its-own
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A {- X*? -} [^B] C) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.NO_GAP_AFTER_ABSENCE [42601]
-- underlines: {- X*? -} [^B]
