-- SUBSET: a union variable, the rows of several primary variables together (semantics.md: Definitions).

CREATE TEMP VIEW t AS SELECT * FROM VALUES
  (1, 'a', 10), (2, 'b', 20), (3, 'a', 30), (4, 'c', 40) AS t(id, s, v);

-- case: navigation-and-aggregates-over-several-variables
-- why: U is rows 1, 3 (A) and 4 (C)
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(U.v) AS f, LAST(U.v) AS l, LAST(U.v, 1) AS l1, SUM(U.v) AS total, COUNT(U.*) AS n, U.id AS id
  PATTERN ((A | B)+ C) SUBSET U = (A, C)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | f  | l  | l1 | total | n | id |
-- | 10 | 40 | 30 | 80    | 3 | 4  |

-- case: running
SELECT id, u, n FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES U.v AS u, COUNT(U.*) AS n ALL ROWS PER MATCH
  PATTERN ((A | B)+ C) SUBSET U = (A, C)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | u  | n |
-- | 1  | 10 | 1 |
-- | 2  | 10 | 1 |
-- | 3  | 30 | 2 |
-- | 4  | 40 | 3 |

-- case: several-subsets-may-overlap
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(U.v) AS u, FIRST(W.v) AS w, COUNT(U.*) AS nu, COUNT(W.*) AS nw
  PATTERN ((A | B)+ C) SUBSET U = (A, B), W = (B, C)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | u  | w  | nu | nw |
-- | 10 | 20 | 3  | 2  |

-- case: a-subset-of-one
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(U.v) AS u
  PATTERN ((A | B)+ C) SUBSET U = (B)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | u  |
-- | 20 |

-- case: in-define
-- why: C needs a value above all of A and B before it: 40 > 30
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES C.v AS v
  PATTERN ((A | B)+ C) SUBSET U = (A, B)
  DEFINE A AS s = 'a', B AS s = 'b', C AS C.v > MAX(U.v));
-- expect:
-- | v  |
-- | 40 |

-- case: in-define-the-tested-row-is-in-the-subset
-- why: B is in U, so LAST(U.v) is the tested row's own 20 and LAST(U.v, 1) is A's 10
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b
  PATTERN (A B) SUBSET U = (A, B)
  DEFINE A AS s = 'a', B AS LAST(U.v) = 20 AND LAST(U.v, 1) = 10);
-- expect:
-- | a | b |
-- | 1 | 2 |

-- case: without-rows
-- why: neither B nor C is mapped
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES U.v AS v, COUNT(U.*) AS n, CLASSIFIER(U) AS var
  PATTERN (A | B C) SUBSET U = (B, C)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | v    | n | var  |
-- | NULL | 0 | NULL |
-- | NULL | 0 | NULL |

-- case: prev-of-a-subset
-- why: the last row of A or B is row 3; before it is row 2
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(U.v) AS p, PREV(FIRST(U.v, 1)) AS pf
  PATTERN ((A | B)+ C) SUBSET U = (A, B)
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | p  | pf |
-- | 20 | 10 |

-- case: names-in-back-quotes
-- why: rows 1 and 2; no b follows row 3
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(`all of it`.v) AS total, CLASSIFIER(`ALL OF IT`) AS var
  PATTERN (A `b c`) SUBSET `all of it` = (a, `b c`) DEFINE A AS s = 'a', `b c` AS s = 'b');
-- expect:
-- | total | var |
-- | 30    | b c |
