-- Stops: q{V}, no row that the loop takes, or passes over between its iterations, is a V (semantics.md, Extensions).

CREATE TEMP VIEW seq AS SELECT * FROM VALUES
  (1, 'a'), (2, 'x'), (3, 'a'), (4, 'b'), (5, 'a'), (6, 'c') AS t(id, s);

-- case: rows-taken
-- why: A takes a and b; the b of row 4 stops every loop before it. 5 is a match with the c
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, C.id AS c AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+{B} C) DEFINE A AS s IN ('a', 'b'), B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c |
-- | 5 | 6 |

-- case: without-it
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(A.id) AS a, C.id AS c AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+ C) DEFINE A AS s IN ('a', 'b'), C AS s = 'c');
-- expect:
-- | a | c |
-- | 3 | 6 |
-- | 4 | 6 |
-- | 5 | 6 |

-- case: rows-passed-over
-- why: the loop from 1 takes 3 and stops at 4; that from 5 takes 5 alone
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN (A+??{B}) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 3 |
-- | 5 | 5 |

-- case: the-row-after-the-loop-may-be-the-stop
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.id) AS a, C.id AS c
  PATTERN (A+{B} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'b');
-- expect:
-- | a | c |
-- | 3 | 4 |

-- case: a-gap-after-the-loop-is-not-stopped
-- why: from 1 the loop takes 1, passes over 2, takes 3, stops at 4; the gap continues to the c
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.id) AS a, COUNT(X.*) AS x, C.id AS c
  PATTERN (A+??{B} {- X*? -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | x | c |
-- | 3 | 2 | 6 |

-- case: every-row-of-a-group
-- why: the pair of rows 3 and 4 has a b
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'a'), (4, 'b'), (5, 'a'), (6, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN ((A Y)+{B}) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 2 |
-- | 5 | 6 |

-- case: gap-rows-inside-an-iteration-are-taken
-- why: the gap of rows 1 to 3 would hold the b
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'a'), (5, 'x'), (6, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN ((A {- X*? -} C)+{B}) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | f | l |
-- | 4 | 6 |

-- case: the-row-counts-as-mapped-to-the-stop
-- why: V holds where the row is more than 2 after the loop's first: 1, 2, 3 are taken, and 4 is not
SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'a'), (4, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A+{V}) DEFINE A AS s = 'a', V AS V.id > FIRST(A.id) + 2);
-- expect:
-- | f | l |
-- | 1 | 3 |
-- | 4 | 4 |

-- case: a-lower-bound
-- why: from 1 only two a before the b
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A{3,}??{B}) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n |

-- case: reluctant-loops-stop-too
-- why: from 4, a b, the loop takes nothing; from 5 it takes 5
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(A.id) AS a, C.id AS c AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+?{B} C) DEFINE A AS s IN ('a', 'b'), B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c |
-- | 5 | 6 |

-- case: nested
-- why: the inner loop stops at a b, the outer at a d: the second iteration has a d
SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'c'), (4, 'a'), (5, 'd') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l AFTER MATCH SKIP PAST LAST ROW
  PATTERN ((A+{B} C)+{D}) DEFINE A AS s IN ('a', 'b'), B AS s = 'b', C AS s IN ('c', 'd'), D AS s = 'd');
-- expect:
-- | f | l |
-- | 1 | 3 |

-- case: not-on-a-bounded-loop
SELECT * FROM seq MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A{1,2}{B}) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.STOP_ON_BOUNDED_LOOP [42601]
-- underlines: {B}
