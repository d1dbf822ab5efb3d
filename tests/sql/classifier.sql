-- CLASSIFIER(): the primary variable that a row is mapped to (semantics.md: Names and Row pattern functions).

CREATE TEMP VIEW abbc AS SELECT * FROM VALUES
  (1, 'a'), (2, 'b'), (3, 'b'), (4, 'c') AS t(id, s);

-- case: of-each-row
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A B+ C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | var : string |
-- | 1  | A            |
-- | 2  | B            |
-- | 3  | B            |
-- | 4  | C            |

-- case: with-one-row-it-is-the-last-rows
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var PATTERN (A | B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | var |
-- | A   |
-- | B   |

-- case: an-unquoted-name-is-upper-case
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (strt Mid+) DEFINE STRT AS s = 'a', mid AS MID.s = 'b');
-- expect:
-- | id | var  |
-- | 1  | STRT |
-- | 2  | MID  |
-- | 3  | MID  |

-- case: a-back-quoted-name-is-as-written
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (`Start` `the rest`+) DEFINE `Start` AS s = 'a', `the rest` AS s = 'b');
-- expect:
-- | id | var      |
-- | 1  | Start    |
-- | 2  | the rest |
-- | 3  | the rest |

-- case: the-first-occurrence-in-pattern-decides
-- why: up and `Up` are one variable for a case-insensitive resolver
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (`Up` UP) DEFINE up AS s = 'b');
-- expect:
-- | id | var |
-- | 2  | Up  |
-- | 3  | Up  |

-- case: case-sensitive-as-written
-- conf: spark.sql.caseSensitive=true
-- why: a and A are two variables then
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (a A) DEFINE a AS s = 'a', A AS s = 'b');
-- expect:
-- | id | var |
-- | 1  | a   |
-- | 2  | A   |

-- case: of-a-variable
-- why: B is not mapped on row 1
SELECT id, a, b FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER(A) AS a, CLASSIFIER(B) AS b ALL ROWS PER MATCH
  PATTERN (A B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | a | b    |
-- | 1  | A | NULL |
-- | 2  | A | B    |
-- | 3  | A | B    |

-- case: of-a-subset
-- why: the variable of the last row mapped to A or C
SELECT id, u FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER(U) AS u ALL ROWS PER MATCH
  PATTERN (A B+ C) SUBSET U = (A, C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | u |
-- | 1  | A |
-- | 2  | A |
-- | 3  | A |
-- | 4  | C |

-- case: of-the-neighbours
-- why: the match is rows 2 to 4. Row 1 is not mapped, so its classifier is NULL; NEXT sees the whole match.
SELECT id, before, after FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(CLASSIFIER()) AS before, NEXT(CLASSIFIER()) AS after ALL ROWS PER MATCH
  PATTERN (B+ C) DEFINE B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | before | after |
-- | 2  | NULL   | B     |
-- | 3  | B      | C     |
-- | 4  | B      | NULL  |

-- case: first-and-last
SELECT id, f, l1, fl FROM abbc MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(CLASSIFIER()) AS f, LAST(CLASSIFIER(), 1) AS l1, FINAL LAST(CLASSIFIER()) AS fl
  ALL ROWS PER MATCH
  PATTERN (A B+ C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | f | l1   | fl |
-- | 1  | A | NULL | C  |
-- | 2  | A | A    | C  |
-- | 3  | A | B    | C  |
-- | 4  | A | B    | C  |

-- case: in-define
-- why: a REST row must follow a row of another variable: row 2 follows X, row 3 follows REST, so it is
-- no REST; then X = 3, REST = 4
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (X REST+) DEFINE REST AS PREV(CLASSIFIER()) = 'X');
-- expect:
-- | id | var  |
-- | 1  | X    |
-- | 2  | REST |
-- | 3  | X    |
-- | 4  | REST |

-- case: in-define-of-the-tested-row
-- why: the tested row counts as mapped to its variable already
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A | B) DEFINE A AS CLASSIFIER() = 'B', B AS CLASSIFIER() = 'B' AND s = 'b');
-- expect:
-- | id | var |
-- | 2  | B   |
-- | 3  | B   |

-- case: in-aggregates
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(CLASSIFIER()) AS n, MAX(CLASSIFIER()) AS top,
    SUM(id) FILTER (WHERE CLASSIFIER() = 'B') AS b
  PATTERN (A B+ C) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | n | top | b |
-- | 4 | C   | 5 |

-- case: in-define-the-next-rows-is-null
-- why: the row after the tested one is not mapped yet. Row 4 has no row after it.
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+)
  DEFINE A AS NEXT(CLASSIFIER()) IS NULL AND NEXT(id) IS NOT NULL);
-- expect:
-- | n |
-- | 3 |

-- case: in-define-the-row-befores-decides-an-alternative
-- why: as X the first row leads nowhere, as Y it is what Z requires
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((X | Y) Z) DEFINE Z AS PREV(CLASSIFIER()) = 'Y');
-- expect:
-- | id | var |
-- | 1  | Y   |
-- | 2  | Z   |
-- | 3  | Y   |
-- | 4  | Z   |

-- case: in-define-of-a-subset
-- why: when row 4 is tested, the rows of U are 1 to 3: A B B
SELECT id, var FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A B+ C) SUBSET U = (A, B)
  DEFINE A AS s = 'a', B AS s = 'b', C AS CLASSIFIER(U) = 'B' AND FIRST(CLASSIFIER(U)) = 'A' AND LAST(CLASSIFIER(U), 2) = 'A');
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | B   |
-- | 4  | C   |

-- case: a-step-from-a-subset-may-leave-it
-- why: NEXT goes by physical rows: from the last row of U so far, 1 2 3 3, to 2 3 4 4; three after the first row of U
-- is row 4. C is mapped on row 4 alone, and a B is before it.
SELECT id, a, b, c FROM abbc MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES NEXT(CLASSIFIER(U)) AS a, NEXT(FIRST(CLASSIFIER(U)), 3) AS b, PREV(CLASSIFIER(C)) AS c ALL ROWS PER MATCH
  PATTERN (A B+ C) SUBSET U = (A, B) DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | id | a | b | c    |
-- | 1  | B | C | NULL |
-- | 2  | B | C | NULL |
-- | 3  | C | C | NULL |
-- | 4  | C | C | B    |

-- case: in-define-a-step-to-the-tested-row
-- why: three after the first row of U is row 4; while it is tested it counts as a C
SELECT * FROM abbc MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n
  PATTERN (A B+ C) SUBSET U = (A, B)
  DEFINE A AS s = 'a', B AS s = 'b', C AS NEXT(FIRST(CLASSIFIER(U)), 3) = 'C');
-- expect:
-- | n |
-- | 4 |

-- case: threads-that-differ-in-earlier-labels-only
-- C is never true, so nothing matches. How many threads there are depends on the label before.
SELECT COUNT(*) AS n FROM (SELECT * FROM range(200) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN ((A | B)+ C)
  DEFINE B AS PREV(CLASSIFIER()) = 'A', C AS id < 0));
-- expect:
-- | n |
-- | 0 |

-- case: labels-some-rows-before
SELECT id, a, b, c FROM abbc MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES PREV(CLASSIFIER()) AS a, PREV(CLASSIFIER(), 2) AS b, PREV(LAST(CLASSIFIER(), 1)) AS c
  ALL ROWS PER MATCH PATTERN (A B+ C)
  DEFINE A AS s = 'a', B AS PREV(CLASSIFIER()) IN ('A', 'B') AND s = 'b', C AS PREV(CLASSIFIER(), 3) = 'A');
-- expect:
-- | id | a    | b    | c    |
-- | 1  | NULL | NULL | NULL |
-- | 2  | A    | NULL | NULL |
-- | 3  | B    | A    | A    |
-- | 4  | B    | B    | B    |
