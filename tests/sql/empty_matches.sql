-- Empty matches: a pattern may match without taking a row (semantics.md: Empty matches). Such a match has
-- a number; the search continues at the next row.

CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 5), (2, 15), (3, 20), (4, 3) AS t(id, v);

-- case: one-row-gives-a-row-without-values
-- why: rows 2 and 3 are above 10; rows 1 and 4 are the start rows of empty matches
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n, FIRST(id) AS first_id, CLASSIFIER() AS var
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | mn | n | first_id | var  |
-- | 1  | 0 | NULL     | NULL |
-- | 2  | 2 | 2        | A    |
-- | 3  | 0 | NULL     | NULL |

-- case: all-rows-shows-the-start-row-by-default
-- why: id and v are the start row's own, also where no row is mapped
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n ALL ROWS PER MATCH
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | id | mn | n | v  |
-- | 1  | 1  | 0 | 5  |
-- | 2  | 2  | 1 | 15 |
-- | 3  | 2  | 2 | 20 |
-- | 4  | 3  | 0 | 3  |

-- case: show-empty-matches-is-that-default
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n ALL ROWS PER MATCH SHOW EMPTY MATCHES
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | id | mn | n | v  |
-- | 1  | 1  | 0 | 5  |
-- | 2  | 2  | 1 | 15 |
-- | 3  | 2  | 2 | 20 |
-- | 4  | 3  | 0 | 3  |

-- case: omit-empty-matches-leaves-them-out-but-counts-them
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n ALL ROWS PER MATCH OMIT EMPTY MATCHES
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | id | mn | n | v  |
-- | 2  | 2  | 1 | 15 |
-- | 3  | 2  | 2 | 20 |

-- case: no-match-is-not-an-empty-match
-- why: A+ does not match at rows 1 and 4 at all, so the match at 2 is number 1
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (A+) DEFINE A AS v > 10);
-- expect:
-- | mn | n |
-- | 1  | 2 |

-- case: measures-of-an-empty-match
-- why: no row is mapped, so references, navigations and aggregates are NULL and counts are 0;
-- constants and what is computed outside of them are as ever
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES v AS v, A.v AS av, LAST(v, 0) AS l, PREV(v) AS p, NEXT(v) AS n, PREV(FIRST(A.v)) AS pf,
    SUM(v) AS s, MAX(A.v) AS m, COUNT(A.v) AS c, COUNT(A.*) AS ca, 1 + 1 AS two,
    COALESCE(A.v, -1) AS d
  PATTERN (A*) DEFINE A AS v > 100);
-- expect:
-- | v    | av   | l    | p    | n    | pf   | s    | m    | c | ca | two | d  |
-- | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0  | 2   | -1 |
-- | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0  | 2   | -1 |
-- | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0  | 2   | -1 |
-- | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0  | 2   | -1 |

-- case: the-empty-pattern-matches-everywhere
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH PATTERN (()));
-- expect:
-- | id | mn | v  |
-- | 1  | 1  | 5  |
-- | 2  | 2  | 15 |
-- | 3  | 3  | 20 |
-- | 4  | 4  | 3  |

-- case: a-reluctant-loop-alone-matches-nothing
-- why: no row is preferred to one
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n PATTERN (A*?));
-- expect:
-- | mn | n |
-- | 1  | 0 |
-- | 2  | 0 |
-- | 3  | 0 |
-- | 4  | 0 |

-- case: an-empty-alternative-on-the-right
-- why: A is preferred where it holds
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (A | ()) DEFINE A AS v > 10);
-- expect:
-- | id | var  | v  |
-- | 1  | NULL | 5  |
-- | 2  | A    | 15 |
-- | 3  | A    | 20 |
-- | 4  | NULL | 3  |

-- case: an-empty-alternative-on-the-left
-- why: no row is preferred to A, everywhere
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (() | A) DEFINE A AS v > 10);
-- expect:
-- | id | var  | v  |
-- | 1  | NULL | 5  |
-- | 2  | NULL | 15 |
-- | 3  | NULL | 20 |
-- | 4  | NULL | 3  |

-- case: no-empty-match-after-the-last-row
-- why: all rows are one match, and there is no row left to start at
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n PATTERN (A*));
-- expect:
-- | mn | n |
-- | 1  | 4 |

-- case: an-empty-match-does-not-ask-the-skip-clause
-- why: empty matches have no B, yet only the match of rows 2 and 3 skips: to row 3, its B, where the
-- next match is empty (A does not hold there, 20 is not 15)
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n ALL ROWS PER MATCH
  AFTER MATCH SKIP TO B
  PATTERN (A B | ()) DEFINE A AS v = 15);
-- expect:
-- | id | mn | n | v  |
-- | 1  | 1  | 0 | 5  |
-- | 2  | 2  | 1 | 15 |
-- | 3  | 2  | 2 | 20 |
-- | 3  | 3  | 0 | 20 |
-- | 4  | 4  | 0 | 3  |

-- case: empty-matches-with-skip-to-next-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | mn | n |
-- | 1  | 0 |
-- | 2  | 2 |
-- | 3  | 1 |
-- | 4  | 0 |

-- case: partition-columns-of-an-empty-match-are-the-start-rows
SELECT * FROM VALUES ('x', 1), ('y', 1) AS t(p, id) MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES COUNT(*) AS n PATTERN (A?) DEFINE A AS p = 'x');
-- expect:
-- | p | n |
-- | x | 1 |
-- | y | 0 |

-- case: an-empty-match-is-not-an-unmatched-row
-- why: each row starts a match, so WITH UNMATCHED ROWS adds none; empty matches are shown
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (A*) DEFINE A AS v > 10);
-- expect:
-- | id | mn | v  |
-- | 1  | 1  | 5  |
-- | 2  | 2  | 15 |
-- | 3  | 2  | 20 |
-- | 4  | 3  | 3  |

-- case: lambda-functions-over-columns-of-an-empty-match
-- why: the second match is empty, so x is NULL, although no row of the table has a NULL
SELECT * FROM VALUES (1, 5), (2, 7) AS v(id, x) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS mn, transform(array(x), e -> e IS NULL) AS t, filter(array(x), e -> e IS NULL) AS f,
    exists(array(x, x), e -> e IS NULL) AS e, map_filter(map('a', x), (k, e) -> e IS NULL) AS m,
    aggregate(array(x), 0, (sum, e) -> sum + coalesce(e, 1)) AS s
  PATTERN (A*) DEFINE A AS x = 5);
-- expect:
-- | mn | t       | f      | e     | m           | s |
-- | 1  | [false] | []     | false | {}          | 5 |
-- | 2  | [true]  | [null] | true  | {a -> null} | 1 |

-- case: lambda-functions-over-nested-columns-of-an-empty-match
-- why: e is an array whose element is NULL in the second match, and so is what a function inside takes of it
SELECT * FROM VALUES (1, 5), (2, 7) AS v(id, x) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS mn, transform(array(array(x)), e -> e[0]) AS t,
    transform(array(array(x)), e -> exists(e, f -> f IS NULL)) AS e,
    transform(array(named_struct('y', x)), e -> e.y IS NULL) AS s
  PATTERN (A*) DEFINE A AS x = 5);
-- expect:
-- | mn | t      | e       | s       |
-- | 1  | [5]    | [false] | [false] |
-- | 2  | [null] | [true]  | [true]  |

-- case: types-that-spark-reads-off-columns-that-have-no-null
-- why: x is NULL in the second match, also in what is cast to the type of something else and in a field of all structs
SELECT * FROM VALUES (1, 5), (2, 7) AS v(id, x) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS mn, array(x) = array(5L) AS equal, concat(array(x), array(1L)) AS a,
    named_struct('y', x) = named_struct('y', 5L) AS s, map_concat(map('k', x), map('l', 1L)) AS m,
    array_distinct(array(named_struct('y', x))).y AS fields,
    array_distinct(array(named_struct('y', named_struct('z', x)))).y.z AS deeper
  PATTERN (A*) DEFINE A AS array(x) = array(5L));
-- expect:
-- | mn | equal | a         | s     | m                    | fields | deeper |
-- | 1  | true  | [5, 1]    | true  | {k -> 5, l -> 1}     | [5]    | [5]    |
-- | 2  | false | [null, 1] | false | {k -> null, l -> 1}  | [null] | [null] |
