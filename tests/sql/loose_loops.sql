-- Loose loops: q?? greedy, q??? reluctant. Between iterations rows at which the body's first variable does not hold are
-- passed over; they are mapped to nothing (semantics.md, Extensions).

CREATE TEMP VIEW seq AS SELECT * FROM VALUES
  (1, 'a'), (2, 'x'), (3, 'a'), (4, 'x'), (5, 'x'), (6, 'a'), (7, 'c') AS t(id, s);

-- case: passes-over-rows-between-iterations
SELECT id, var FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A+??) DEFINE A AS s = 'a');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 3  | A   |
-- | 6  | A   |

-- case: the-next-element-follows-strictly
-- why: the c comes directly after 6; a b would have to, too
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS n, C.id AS c AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+?? C) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | n | c |
-- | 3 | 7 |
-- | 2 | 7 |
-- | 1 | 7 |

-- case: unless-a-gap-precedes-it
-- why: reluctantly once, then a gap
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS n, COUNT(X.*) AS x, C.id AS c
  PATTERN (A+??? {- X*? -} C) DEFINE A AS s = 'a', C AS s = 'c');
-- expect:
-- | n | x | c |
-- | 1 | 5 | 7 |

-- case: rows-passed-over-are-mapped-to-nothing
-- why: aggregates and LAST see rows 1 and 3, PREV sees row 2, which has no variable
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) AS n, SUM(id) AS total, LAST(id, 1) AS before, PREV(id) AS p, PREV(CLASSIFIER()) AS pc
  PATTERN (A{2}??) DEFINE A AS s = 'a');
-- expect:
-- | n | total | before | p | pc   |
-- | 2 | 4     | 1      | 2 | NULL |

-- case: they-are-covered-and-skipped-past
-- why: rows 1 to 3 are a match; from 4 on there is but one a
-- ordered
SELECT id, mn FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (A{2}??) DEFINE A AS s = 'a');
-- expect:
-- | id | mn   |
-- | 1  | 1    |
-- | 3  | 1    |
-- | 4  | NULL |
-- | 5  | NULL |
-- | 6  | NULL |
-- | 7  | NULL |

-- case: reluctant
-- why: as few as will do: two
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN (A{2,}???) DEFINE A AS s = 'a');
-- expect:
-- | f | l |
-- | 1 | 3 |

-- case: with-bounds
-- why: at most two, the rest is another match
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN (A{1,2}??) DEFINE A AS s = 'a');
-- expect:
-- | f | l |
-- | 1 | 3 |
-- | 6 | 6 |

-- case: zero-iterations-pass-over-nothing
-- why: row 7 has an empty match, which is omitted here
SELECT id FROM seq MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH OMIT EMPTY MATCHES
  PATTERN (A*??) DEFINE A AS s = 'a');
-- expect:
-- | id |
-- | 1  |
-- | 3  |
-- | 6  |

-- case: a-group-takes-the-first-row-that-its-first-variable-accepts
-- why: after the first pair 4 is the next a; no b follows it, and 6 is not tried: it starts a match of its own
SELECT id, mn FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'a'), (5, 'x'), (6, 'a'), (7, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH
  PATTERN ((A B)+??) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | mn |
-- | 1  | 1  |
-- | 2  | 1  |
-- | 6  | 2  |
-- | 7  | 2  |

-- case: a-group-within-an-iteration-is-strict
SELECT id FROM VALUES (1, 'a'), (2, 'b'), (3, 'x'), (4, 'a'), (5, 'b'), (6, 'a'), (7, 'x') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN ((A B)+??) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id |
-- | 1  |
-- | 2  |
-- | 4  |
-- | 5  |

-- case: rising-with-interruptions
-- why: 10, 12, 15: rows that do not rise are passed over. The running LAST is of the row mapped before
SELECT id, v FROM VALUES (1, 10), (2, 9), (3, 12), (4, 11), (5, 15), (6, 14) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN (UP{2,}??) DEFINE UP AS LAST(UP.v, 1) IS NULL OR UP.v > LAST(UP.v, 1));
-- expect:
-- | id | v  |
-- | 1  | 10 |
-- | 3  | 12 |
-- | 5  | 15 |

-- case: within-a-bound
-- why: 6 is five after 1
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN (A{2,}??) WITHIN 4 DEFINE A AS s = 'a');
-- expect:
-- | f | l |
-- | 1 | 3 |

-- case: a-time-out-while-passing-over
-- why: from 6 the row 7 is passed over, and another a awaited; what was mapped is 6
SELECT * FROM seq MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l, MATCH_ROWTIME() AS rt, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A{2,}??) WITHIN 4 DEFINE A AS s = 'a');
-- expect:
-- | f | l | rt | late  |
-- | 1 | 3 | 3  | false |
-- | 6 | 6 | 6  | true  |

-- case: the-body-begins-with-a-variable
SELECT * FROM seq MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN ((A | C)+??) DEFINE A AS s = 'a', C AS s = 'c');
-- error: MATCH_RECOGNIZE.LOOSE_LOOP_BODY
