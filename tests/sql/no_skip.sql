-- AFTER MATCH NO SKIP: every match of every start row that is not empty, each set of mappings once, in the order of
-- start row and preferment (semantics.md, Extensions).

CREATE TEMP VIEW abbc AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'b'), (4, 'c'), (5, 'a') AS t(id, s);

-- case: every-match-of-a-start-row
-- why: greedy, so the longest first; 5 has one more
-- ordered
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, FIRST(id) AS f, LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A B*) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | mn | f | l |
-- | 1  | 1 | 3 |
-- | 2  | 1 | 2 |
-- | 3  | 1 | 1 |
-- | 4  | 5 | 5 |

-- case: a-reluctant-loop-gives-the-shortest-first
-- ordered
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A B*?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 1 |
-- | 1 | 2 |
-- | 1 | 3 |
-- | 5 | 5 |

-- case: each-set-of-mappings-once
-- why: B B B* and B* B map rows 2 and 3 to B in four ways, which is one set of mappings; the same for B alone in row 2
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS n AFTER MATCH NO SKIP
  PATTERN (A B* B* (B* | ())) DEFINE A AS s = 'a' AND id = 1, B AS s = 'b');
-- expect:
-- | n |
-- | 2 |
-- | 1 |
-- | 0 |

-- case: the-same-rows-with-other-variables-are-another-match
-- why: each of rows 2 and 3 is a B and a D
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS b, COUNT(D.*) AS d AFTER MATCH NO SKIP
  PATTERN (A (B | D) (B | D) C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c', D AS s = 'b');
-- expect:
-- | b | d |
-- | 2 | 0 |
-- | 1 | 1 |
-- | 1 | 1 |
-- | 0 | 2 |

-- case: gap-rows-are-mapped
-- why: from 1 the gap takes rows 2, 3 and the end is the c; two gaps share two rows in three ways
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(X.*) AS x, COUNT(Y.*) AS y AFTER MATCH NO SKIP
  PATTERN (A {- X* -} {- Y* -} C) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | x | y |
-- | 2 | 0 |
-- | 1 | 1 |
-- | 0 | 2 |

-- case: all-rows-of-each-match
-- ordered
SELECT id, mn FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH AFTER MATCH NO SKIP
  PATTERN (A B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn |
-- | 1  | 1  |
-- | 2  | 1  |
-- | 3  | 1  |
-- | 1  | 2  |
-- | 2  | 2  |

-- case: empty-matches-are-ignored-and-take-no-number
-- why: rows 1 and 4 have the empty match only; rows 2 and 3 have B, and 2 has B B
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, FIRST(id) AS f, LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (B*) DEFINE B AS s = 'b');
-- expect:
-- | mn | f | l |
-- | 1  | 2 | 3 |
-- | 2  | 2 | 2 |
-- | 3  | 3 | 3 |

-- case: a-row-with-the-empty-match-only-is-unmatched
-- ordered
SELECT id, mn FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH NO SKIP
  PATTERN (C*) DEFINE C AS s = 'c');
-- expect:
-- | id | mn   |
-- | 1  | NULL |
-- | 2  | NULL |
-- | 3  | NULL |
-- | 4  | 1    |
-- | 5  | NULL |

-- case: with-time-outs
-- why: from 1 there are matches, so no time-out, though A B B waits at the bound 3; from 5 A waits at the end
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP
  PATTERN (A B+) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | late  |
-- | 1 | 3 | false |
-- | 1 | 2 | false |
-- | 5 | 5 | true  |

-- case: in-a-definition-match-number-is-that-of-the-first
-- why: from 1 it is 1 for all three matches; from 5 it would be 4
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn AFTER MATCH NO SKIP
  PATTERN (A B*) DEFINE A AS s = 'a' AND MATCH_NUMBER() = 1, B AS s = 'b');
-- expect:
-- | mn |
-- | 1  |
-- | 2  |
-- | 3  |

-- case: the-budget-bounds-the-explosion
-- conf: spark.sql.matchRecognize.maxMatchesPerStart=5
SELECT * FROM range(20) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n AFTER MATCH NO SKIP PATTERN ((A | B)+));
-- error: MATCH_RECOGNIZE.TOO_MANY_MATCHES [54001]
-- says: maxMatchesPerStart
