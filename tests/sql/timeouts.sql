-- SHOW TIMEOUT MATCHES: what had begun and was not completed within the bound of WITHIN (semantics.md, Extensions).
-- A partial match is live at the bound if it accounts for every row within it and waits for another.

CREATE TEMP VIEW events AS SELECT * FROM VALUES
  (0, 'a'), (1, 'b'), (2, 'a'), (5, 'b'), (9, 'a') AS t(id, s);

-- case: a-start-row-without-a-match-that-still-waited
-- why: 2 waited for a b until 4, and 9 to the end of the partition, which is later than every bound
SELECT * FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b, MATCH_TIMED_OUT() AS late, MATCH_NUMBER() AS mn
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A B) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b    | late : boolean | mn |
-- | 0 | 1    | false          | 1  |
-- | 2 | NULL | true           | 2  |
-- | 9 | NULL | true           | 3  |

-- case: without-the-option-they-are-not-shown
SELECT * FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b, MATCH_TIMED_OUT() AS late
  PATTERN (A B) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b | late  |
-- | 0 | 1 | false |

-- case: a-filter-above-keeps-the-time-outs-only
SELECT a FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A B) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b')
WHERE late;
-- expect:
-- | a |
-- | 2 |
-- | 9 |

-- case: a-partial-match-that-died-is-no-time-out
-- why: from 2 the next row is no c but a b, and it is within the bound
SELECT * FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A C) WITHIN 3 DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | a |
-- | 9 |

-- case: measures-are-over-what-was-mapped
-- why: a and three rows of b within 10, c is not reached: SUM(B.id) = 1 + 2 + 3
SELECT * FROM VALUES (0, 'a'), (1, 'b'), (2, 'b'), (3, 'b'), (99, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(B.id) AS b, C.id AS c, COUNT(*) AS n, COUNT(C.*) AS cs, CLASSIFIER() AS var, LAST(id) AS l
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A B* C) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | b | c    | n | cs | var | l |
-- | 6 | NULL | 4 | 0  | B   | 3 |

-- case: the-most-preferred-live-partial
-- why: the row is an A and a B, and both wait for a c; B comes first
SELECT * FROM VALUES (1, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN ((B | A) C) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'a', C AS s = 'c');
-- expect:
-- | var |
-- | B   |

-- case: all-rows-less-the-excluded-ones
-- why: X takes rows 1 and 2; COUNT(*) sees them
SELECT * FROM VALUES (0, 'a'), (1, 'b'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL COUNT(*) AS n, MATCH_TIMED_OUT() AS late
  ALL ROWS PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X*? -} P) WITHIN 10 DEFINE A AS s = 'a', P AS s = 'p');
-- expect:
-- | id | n | late | s |
-- | 0  | 3 | true | a |

-- case: a-time-out-ignores-after-match
-- why: from 0 all rows to 3 are A and B is awaited at 3; the search continues at the next row, and 3 is in the match of 3 and 4
SELECT * FROM VALUES (0, 'a'), (3, 'a'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A+ B) WITHIN 3 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | late  |
-- | 0 | 3 | true  |
-- | 3 | 4 | false |

-- case: a-time-out-covers-its-rows
-- why: 1 and 2 belong to the time-out of 1; from 2 on its own waits, too; 0 and 8 are in none
-- ordered
SELECT * FROM VALUES (0, 'c'), (1, 'a'), (2, 'a'), (8, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_TIMED_OUT() AS late
  ALL ROWS PER MATCH WITH UNMATCHED ROWS SHOW TIMEOUT MATCHES
  PATTERN (A+ B) WITHIN 3 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn   | late | s |
-- | 0  | NULL | NULL | c |
-- | 1  | 1    | true | a |
-- | 2  | 1    | true | a |
-- | 2  | 2    | true | a |
-- | 8  | NULL | NULL | c |

-- case: an-empty-match-is-no-time-out
-- why: A B is live at 0 and at 2, but () matches; each row has an empty match or a match of rows
SELECT * FROM VALUES (0, 'a'), (9, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_TIMED_OUT() AS late, COUNT(*) AS n
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A B | ()) WITHIN 3 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | mn | late  | n |
-- | 1  | false | 0 |
-- | 2  | false | 0 |

-- case: a-match-hides-the-partial-of-its-start-row
-- why: from 0, A B is a match; that A B+ C waited does not matter
SELECT * FROM VALUES (0, 'a'), (1, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A B+ C | A B) WITHIN 3 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l | late  |
-- | 1 | false |

-- case: an-anchor-waits-for-nothing
-- why: 0 is not the last row of the partition, and no further row could make it so
SELECT * FROM VALUES (0, 'a'), (9, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A $) WITHIN 3 DEFINE A AS s = 'a');
-- expect:
-- | a |

-- case: time-outs-need-within
SELECT * FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a ONE ROW PER MATCH SHOW TIMEOUT MATCHES PATTERN (A B) DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.TIMEOUT_WITHOUT_WITHIN [42601]

-- case: not-in-a-definition
SELECT * FROM events MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A B) WITHIN 2 DEFINE A AS NOT MATCH_TIMED_OUT());
-- error: MATCH_RECOGNIZE.ONLY_IN_MEASURES [42K0E]
-- underlines: MATCH_TIMED_OUT()
