-- spark.sql.matchRecognize.dialect = flink: queries written for Flink or VVR give their rows (semantics.md, the rules
-- marked (F)). What has no mark is as in the standard dialect.
-- conf: spark.sql.matchRecognize.dialect=flink

CREATE TEMP VIEW six AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'a'), (4, 'a'), (5, 'b'), (6, 'b') AS t(id, s);

-- case: the-default-is-skip-to-next-row
-- why: every a that an a or a b follows; past the last row 4 would be skipped
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A Z) DEFINE A AS s = 'a');
-- expect:
-- | a |
-- | 1 |
-- | 3 |
-- | 4 |

-- case: what-is-written-is-taken
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a AFTER MATCH SKIP PAST LAST ROW PATTERN (A Z) DEFINE A AS s = 'a');
-- expect:
-- | a |
-- | 1 |
-- | 3 |

-- case: the-match-that-completes-first
-- why: from 1, A B is complete on row 2, A B C on row 3; the left alternative of the standard would take three rows
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A (B C | B)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 2 |

-- case: of-those-the-first-with-every-loop-read-as-greedy
-- why: row 2 is a B and a C; the match is complete on row 3 either way, and B?? takes a row rather than none
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'd') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS b, COUNT(C.*) AS c
  PATTERN (A B?? C*? D) DEFINE A AS s = 'a', B AS s = 'x', C AS s = 'x', D AS s = 'd');
-- expect:
-- | b | c |
-- | 1 | 0 |

-- case: a-gap-maps-nothing
-- why: COUNT(*) and LAST see the a and the b
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b, COUNT(*) AS n, LAST(id, 1) AS before
  PATTERN (A {- X*? -} B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a | b | n | before |
-- | 1 | 2 | 2 | 1      |
-- | 3 | 5 | 2 | 3      |
-- | 4 | 5 | 2 | 4      |

-- case: a-reluctant-gap-takes-the-first-row-that-the-next-variable-accepts
-- why: row 2 is the first b, and no c follows it; the standard dialect gives 1, 4, 5
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'd'), (4, 'b'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b PATTERN (A {- X*? -} (B C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | b |

-- case: a-greedy-gap-passes-over-any
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'd'), (4, 'b'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES B.id AS b PATTERN (A {- X* -} (B C)) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | b |
-- | 4 |

-- case: a-gap-goes-with-an-optional-element-left-out
-- why: of partition 1 the c does not follow directly; in 2 the gap leads to the b
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'x'), (1, 3, 'c'), (2, 1, 'a'), (2, 2, 'x'), (2, 3, 'b'), (2, 4, 'c'), (3, 1, 'a'), (3, 2, 'c')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES B.id AS b, C.id AS c
  PATTERN (A {- X*? -} B? C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | b    | c |
-- | 2 | 3    | 4 |
-- | 3 | NULL | 2 |

-- case: a-greedy-loop-bars-its-rows-from-what-follows
-- why: row 2 is an a and a C, but the loop may not be left before an a
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'ac'), (2, 1, 'a'), (2, 2, 'c') AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES C.id AS c PATTERN (A+ C) DEFINE A AS s LIKE 'a%', C AS s LIKE '%c');
-- expect:
-- | k | c |
-- | 2 | 2 |

-- case: also-from-the-gap-after-it
-- why: from 1 the gap would pass over the a of row 3; from 3 nothing is in the way
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'a'), (4, 'x'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.id) AS a, C.id AS c PATTERN (A+ {- X*? -} C) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | a | c |
-- | 3 | 5 |

-- case: unless-the-row-after-it-is-its-stop
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'x'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.id) AS a, C.id AS c
  PATTERN (A+{B} {- X*? -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c |
-- | 1 | 5 |
-- | 3 | 5 |

-- case: a-greedy-loop-at-the-end-takes-while-it-can
-- why: A B would be complete on row 2
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'b'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l |
-- | 4 |

-- case: absence-needs-a-next-row
-- why: after 4 there is none, after 1 a b
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A [^B]) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a |
-- | 3 |

-- case: within-the-bound
-- why: after 3 the next row is beyond it
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'a'), (9, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A [^B]) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a |
-- | 1 |

-- case: absence-over-a-gap
-- why: from 1 a b is in the way
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'a'), (4, 'x'), (5, 'c') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, C.id AS c, COUNT(*) AS n
  PATTERN (A {- X*? -} [^B] {- Y*? -} C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c | n |
-- | 3 | 5 | 2 |

-- case: a-pattern-must-take-a-row
SELECT * FROM six MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a PATTERN (A* B?));
-- error: MATCH_RECOGNIZE.FLINK_EMPTY_MATCH [0A000]
-- underlines: A* B?
-- says: spark.sql.matchRecognize.dialect = standard

-- case: greedy-loops-are-over-single-variables
SELECT * FROM six MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a PATTERN ((A B)+ C));
-- error: MATCH_RECOGNIZE.FLINK_GREEDY_GROUP [0A000]
-- underlines: (A B)+
-- says: spark.sql.matchRecognize.dialect = standard

-- case: reluctant-ones-may-be-over-groups
SELECT * FROM six MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l PATTERN ((A B)+?) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 2 |
-- | 4 | 5 |

-- case: no-two-gaps-in-a-row
SELECT * FROM six MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a PATTERN (A {- X*? -} {- Y*? -} B));
-- error: MATCH_RECOGNIZE.FLINK_ADJACENT_GAPS [0A000]
-- underlines: {- Y*? -}

-- case: a-gaps-variable-is-no-measure
SELECT * FROM six MATCH_RECOGNIZE (ORDER BY id MEASURES X.id AS x PATTERN (A {- X*? -} B));
-- error: MATCH_RECOGNIZE.FLINK_GAP_VARIABLE_USED [0A000]
-- underlines: X.id
