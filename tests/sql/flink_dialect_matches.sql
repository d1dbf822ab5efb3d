-- spark.sql.matchRecognize.dialect = flink: which matches, and which time-outs, a start row has (semantics.md, the rules
-- marked (F)). NO SKIP goes by start row, completing row and preferment; each set of mappings (row and variable) comes once,
-- and rows of gaps are mapped to nothing. SHOW TIMEOUT MATCHES gives each set of mappings that was live at the bound.
-- conf: spark.sql.matchRecognize.dialect=flink

CREATE TEMP VIEW six AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'a'), (4, 'a'), (5, 'b'), (6, 'b') AS t(id, s);

CREATE TEMP VIEW four AS SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, 'a') AS t(id, s);

-- case: all-matches-by-start-row-and-completing-row
-- why: each a with each b after it; the nearer b completes first (the standard dialect begins with the last)
-- ordered
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, A.id AS a, B.id AS b AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | mn | a | b |
-- | 1  | 1 | 2 |
-- | 2  | 1 | 5 |
-- | 3  | 1 | 6 |
-- | 4  | 3 | 5 |
-- | 5  | 3 | 6 |
-- | 6  | 4 | 5 |
-- | 7  | 4 | 6 |

-- case: a-reluctant-gap-ends-at-the-first-b-also-here
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b AFTER MATCH NO SKIP
  PATTERN (A {- X*? -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b |
-- | 1 | 2 |
-- | 3 | 5 |
-- | 4 | 5 |

-- case: the-completing-row-goes-before-preferment
-- why: A B C is preferred to A B, and is complete a row later
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A (B C | B)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 2 |
-- | 3 |

-- case: on-one-row-preferment-decides
-- why: row 2 is a B and a D, B comes first; row 3 is both too, and loops are read as greedy: one row more goes before none
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'e') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS b, COUNT(D.*) AS d, COUNT(F.*) AS f AFTER MATCH NO SKIP
  PATTERN (A (B | D) E?? F??) DEFINE A AS s = 'a', B AS s = 'b', D AS s = 'b', E AS s = 'e', F AS s = 'e');
-- expect:
-- | b | d | f |
-- | 1 | 0 | 0 |
-- | 0 | 1 | 0 |
-- | 1 | 0 | 0 |
-- | 1 | 0 | 1 |
-- | 0 | 1 | 0 |
-- | 0 | 1 | 1 |

-- case: each-set-of-mappings-once
-- why: B+? B*? shares two rows in two ways
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS n AFTER MATCH NO SKIP
  PATTERN (A B+? B*?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n |
-- | 1 |
-- | 2 |

-- case: what-a-gap-passes-over-is-no-mapping
-- why: both alternatives map rows 1 and 3; in the standard dialect row 2 is an X or a Y
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, C.id AS c AFTER MATCH NO SKIP
  PATTERN (A ({- X* -} C | {- Y*? -} C)) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | a | c |
-- | 1 | 3 |

-- case: all-rows-of-all-matches
-- why: row 2 is mapped to nothing
-- ordered
SELECT id, mn FROM VALUES (1, 'a'), (2, 'x'), (3, 'b'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn |
-- | 1  | 1  |
-- | 3  | 1  |
-- | 1  | 2  |
-- | 4  | 2  |

-- case: a-match-number-in-an-aggregate-is-the-matchs-own
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b, SUM(MATCH_NUMBER()) AS mns AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | b | mns |
-- | 2 | 2   |
-- | 3 | 4   |

-- case: an-absence-completes-on-the-row-that-it-looks-at
-- why: both are complete on row 2
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A [^C] | A B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 1 |
-- | 2 |

-- case: an-absence-over-a-gap-completes-at-the-end
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A {- X*? -} [^C] | A B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 2 |
-- | 1 |

-- case: a-greedy-loop-at-the-end-gives-one-match
-- why: A and A B could continue; the standard dialect gives all three
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'b'), (4, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A B*) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l |
-- | 3 |

-- case: the-budget-bounds-the-explosion
-- conf: spark.sql.matchRecognize.maxMatchesPerStart=5
SELECT * FROM range(20) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n AFTER MATCH NO SKIP PATTERN (A {- X* -} B));
-- error: MATCH_RECOGNIZE.TOO_MANY_MATCHES [54001]
-- says: maxMatchesPerStart

-- case: time-outs-are-each-set-of-mappings
-- why: no c follows b in row 1; A B of rows 0 and 2 waits for a c, A for another b. The standard dialect shows one
-- ordered
SELECT * FROM VALUES (0, 'a'), (1, 'b'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, A.id AS a, B.id AS b, MATCH_TIMED_OUT() AS late, SUM(MATCH_NUMBER()) AS mns
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X* -} B C) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | mn | a | b    | late | mns |
-- | 1  | 0 | 2    | true | 2   |
-- | 2  | 0 | NULL | true | 2   |

-- case: a-match-hides-the-time-outs-of-its-start-row
SELECT * FROM VALUES (0, 'a'), (1, 'b'), (2, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b, C.id AS c, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X* -} B C) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | b | c | late  |
-- | 1 | 2 | false |

-- case: with-no-skip-they-follow-its-matches
-- why: A still waits for another b
-- ordered
SELECT * FROM VALUES (0, 'a'), (1, 'b'), (2, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b, C.id AS c, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B C) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | b    | c    | late  |
-- | 1    | 2    | false |
-- | NULL | NULL | true  |

-- case: ways-with-the-same-mappings-time-out-once
-- why: both alternatives wait with row 0 alone
SELECT * FROM VALUES (0, 'a'), (1, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, MATCH_ROWTIME() AS rt
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A ({- X* -} B | {- Y*? -} C)) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | n | rt |
-- | 1 | 0  |

-- case: all-rows-of-a-time-out-are-the-mapped-ones
-- why: from 0 two rows of three, 1 and 3 passed over; from 2 one
-- ordered
SELECT id, mn, late FROM VALUES (0, 'a'), (1, 'c'), (2, 'a'), (3, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_TIMED_OUT() AS late ALL ROWS PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A{3}?? B) WITHIN 9 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn | late |
-- | 0  | 1  | true |
-- | 2  | 1  | true |
-- | 2  | 2  | true |

-- case: they-cover-their-rows
-- why: A A of rows 1 and 2 waits for a b (A alone does not: no b follows it); 0 and 8 are in nothing
-- ordered
SELECT * FROM VALUES (0, 'c'), (1, 'a'), (2, 'a'), (8, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, MATCH_TIMED_OUT() AS late
  ALL ROWS PER MATCH WITH UNMATCHED ROWS SHOW TIMEOUT MATCHES
  PATTERN (A A?? B) WITHIN 3 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn   | late | s |
-- | 0  | NULL | NULL | c |
-- | 1  | 1    | true | a |
-- | 2  | 1    | true | a |
-- | 2  | 2    | true | a |
-- | 8  | NULL | NULL | c |

-- case: an-absence-waits-for-the-row-that-it-looks-at
-- why: after 0 the next row is beyond the bound; in the standard dialect that is no b, and a match
SELECT * FROM VALUES (0, 'a'), (9, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A [^B]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | late |
-- | 0 | true |

-- case: with-skip-to-next-row-the-default
-- why: A A B of 1 to 3, A B of 2 and 3; the a of 4 waits for an a or a b
SELECT * FROM four MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A A?? B) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | late  |
-- | 1 | 3 | false |
-- | 2 | 3 | false |
-- | 4 | 4 | true  |

-- case: with-skip-past-last-row
SELECT * FROM four MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A A?? B) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | late  |
-- | 1 | 3 | false |
-- | 4 | 4 | true  |

-- case: with-skip-to-a-variable
-- why: on row 3 nothing begins
SELECT * FROM four MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP TO LAST B
  PATTERN (A A?? B) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | late  |
-- | 1 | 3 | false |
-- | 4 | 4 | true  |

-- case: a-skip-to-what-the-match-does-not-have
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP TO C
  PATTERN (A C?? B) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- error: MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH
