-- spark.sql.matchRecognize.dialect = flink: at the end of the pattern a greedy loop takes while it can (semantics.md, the rules
-- marked (F)). Where rows are passed over before its next iteration, since it is loose or a gap opens it, that is known once
-- such an iteration comes, or can come no more: at a row that bars it, at the bound, or at the end of the partition.
-- conf: spark.sql.matchRecognize.dialect=flink

-- case: a-loose-loop-at-the-end-takes-while-it-can
-- why: from 1 A B would be complete on row 2; 3 and 5 are passed over
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l, COUNT(*) AS n PATTERN (A B+??) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l | n |
-- | 4 | 3 |

-- case: a-reluctant-one-does-not
-- why: read as greedy, it is complete on row 2 all the same
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l, COUNT(*) AS n PATTERN (A B+???) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l | n |
-- | 2 | 2 |

-- case: a-gap-before-a-loop-that-may-be-left-out
-- why: from 1 the gap leads to the first b, and the loop takes the next; from 6 no b comes
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'b'), (4, 'b'), (5, 'x'), (6, 'a'), (7, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, COUNT(*) AS n
  PATTERN (A {- X*? -} B*) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l | n |
-- | 1 | 4 | 3 |
-- | 6 | 6 | 1 |

-- case: a-greedy-gap-before-it
-- why: rows 3 and 4, and row 4 alone, are complete on row 4; the nearer b goes before
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'b'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(B.id) AS b, LAST(id) AS l AFTER MATCH NO SKIP
  PATTERN (A {- X* -} B*) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | b | l |
-- | 3 | 4 |
-- | 4 | 4 |

-- case: what-is-complete-earlier-waits-until-it-is-known
-- why: A B is a match where no further b comes (2), and then complete before A C D; else (1) A B B is complete after it
SELECT * FROM VALUES
  (1, 1, 'a'), (1, 2, 'bc'), (1, 3, 'd'), (1, 4, 'b'), (2, 1, 'a'), (2, 2, 'bc'), (2, 3, 'd'), (2, 4, 'x')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(B.id) AS b, LAST(D.id) AS d
  PATTERN (A (B+?? | C D)) DEFINE A AS s = 'a', B AS s LIKE 'b%', C AS s LIKE '%c', D AS s = 'd');
-- expect:
-- | k | b    | d    |
-- | 1 | NULL | 3    |
-- | 2 | 2    | NULL |

-- case: all-of-them-in-the-order-in-which-they-are-complete
-- why: that no further b comes is known at the end, and A C D is returned after A B
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'bc'), (3, 'd'), (4, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(B.id) AS b, LAST(D.id) AS d AFTER MATCH NO SKIP
  PATTERN (A (B+?? | C D)) DEFINE A AS s = 'a', B AS s LIKE 'b%', C AS s LIKE '%c', D AS s = 'd');
-- expect:
-- | b    | d    |
-- | 2    | NULL |
-- | NULL | 3    |

-- case: a-stop-ends-it
-- why: no row that is passed over is a c
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A B+??{C}) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 2 |

-- case: a-b-that-is-its-stop-ends-it-too
-- why: row 4 is a b and a c
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'bc'), (5, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A B+??{C}) DEFINE A AS s = 'a', B AS s LIKE 'b%', C AS s LIKE '%c');
-- expect:
-- | l |
-- | 2 |

-- case: the-bound-ends-it
-- why: 4 is three after 1
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A B+??) WITHIN 2 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l |
-- | 2 |

-- case: its-upper-bound-ends-it
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b'), (5, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l PATTERN (A B{1,2}??) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l |
-- | 4 |

-- case: a-greedy-loop-before-it-bars-its-rows-from-the-gap
-- why: in 1 the b of row 3 may not be passed over, so no c can be reached; in 2 it can
SELECT * FROM VALUES
  (1, 1, 'a'), (1, 2, 'x'), (1, 3, 'b'), (1, 4, 'c'), (2, 1, 'a'), (2, 2, 'x'), (2, 3, 'x'), (2, 4, 'c')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B* {- X*? -} C*) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | l |
-- | 1 | 1 |
-- | 2 | 4 |

-- case: an-absence-after-it
-- why: row 3 is no c, so the match with the b of row 2 is complete there; one with the b of row 4 would be on row 5
SELECT * FROM VALUES
  (1, 1, 'a'), (1, 2, 'b'), (1, 3, 'x'), (1, 4, 'b'), (1, 5, 'x'), (2, 1, 'a'), (2, 2, 'b'), (2, 3, 'x'), (2, 4, 'b'), (2, 5, 'c')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B+?? [^C]) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | l |
-- | 1 | 2 |
-- | 2 | 2 |

-- case: skipping-past-its-last-row
-- why: the match of 1 ends on row 3, and 4 was looked at only
SELECT * FROM VALUES (1, 'a'), (2, 'x'), (3, 'b'), (4, 'a'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A {- X*? -} B*) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f | l |
-- | 1 | 3 |
-- | 4 | 4 |

-- case: a-loop-that-still-waits-times-out-beside-its-match
-- why: A B is the match at the end of the rows, and waits for another b all the same
-- ordered
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP
  PATTERN (A B+??) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | l | late  |
-- | 2 | false |
-- | 2 | true  |

-- case: two-absences-over-gaps-at-the-end
-- why: the second follows the first, and no row up to the end is a b or a c
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'x'), (2, 1, 'a'), (2, 2, 'b'), (3, 1, 'a'), (3, 2, 'x'), (3, 3, 'c')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES A.id AS a
  PATTERN (A {- X*? -} [^B] {- Y*? -} [^C]) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | a |
-- | 1 | 1 |

-- case: a-loop-before-an-absence-need-not-take-while-it-can
-- why: Flink's CEP library completes the bs of rows 3 and 7 on row 8, which is no c; the loop is not the last element
SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, 'a'), (5, 'c'), (6, 'a'), (7, 'b'), (8, 'x'), (9, 'b'), (10, 'x')
  AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(A.id) AS f, LAST(A.id) AS l, COUNT(*) AS n AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A{2,3}?? [^B]) DEFINE A AS s = 'b', B AS s = 'c');
-- expect:
-- | f | l | n |
-- | 3 | 7 | 2 |

-- case: so-such-a-loop-does-not-time-out
-- why: Flink's CEP library completes 4, 7, 8 on row 9, which is no a
SELECT * FROM VALUES (3, 'b'), (4, 'a'), (7, 'b'), (8, 'b'), (9, 'c'), (10, 'b'), (11, 'b'), (12, 'c'), (13, 'b'),
  (16, 'c'), (17, 'b') AS t(o, s) MATCH_RECOGNIZE (
  ORDER BY o MEASURES A.o AS a, FIRST(B.o) AS f, LAST(B.o) AS l, COUNT(B.*) AS n, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH SKIP TO FIRST B
  PATTERN (A {- X1* -} B+?? [^C]) WITHIN 9 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'a');
-- expect:
-- | a | f | l | n | late  |
-- | 4 | 7 | 8 | 2 | false |

-- case: after-a-loop-an-absence-over-a-gap-needs-a-next-row
-- why: Flink's CEP library leaves the loop at the next row; 1 has none, 2 has one beyond the bound, 3 has one
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'b'), (2, 9, 'x'), (3, 1, 'a'), (3, 2, 'b'), (3, 3, 'x')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES AFTER MATCH NO SKIP
  PATTERN (A B+ {- X*? -} [^C]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | l | late  |
-- | 1 | 2 | true  |
-- | 2 | 2 | true  |
-- | 3 | 2 | false |

-- case: at-its-upper-bound-it-needs-none
-- why: Flink's CEP library; in 1 the loop could take one more, in 2 it is full
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a'), (2, 2, 'b'), (2, 3, 'b') AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B{1,2} {- X*? -} [^C]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | k | l |
-- | 2 | 3 |

-- case: a-greedy-loop-before-it-bars-its-rows-up-to-the-bound
-- why: Flink's CEP library; the b of row 4 is after the loop
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B+ {- X*? -} [^C]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |

-- case: a-reluctant-loop-before-it-bars-nothing
-- why: Flink's CEP library; as above
SELECT * FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'b'), (5, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B+? {- X*? -} [^C]) WITHIN 5 DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | l |
-- | 2 |

-- case: no-later-iteration-takes-what-is-absent
-- why: Flink's CEP library; the row bc is a b and a c: in 1 it would be the second b, in 2 it is the first
SELECT * FROM VALUES (1, 1, 'a'), (1, 2, 'b'), (1, 3, 'bc'), (1, 4, 'x'), (2, 1, 'a'), (2, 2, 'bc'), (2, 3, 'x')
  AS t(k, id, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY id MEASURES LAST(id) AS l
  PATTERN (A B+? {- X*? -} [^C]) WITHIN 5 DEFINE A AS s = 'a', B AS s LIKE 'b%', C AS s LIKE '%c');
-- expect:
-- | k | l |
-- | 2 | 2 |
