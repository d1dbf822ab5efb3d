-- PARTITION BY and ORDER BY: expressions, names, NULLs and directions (semantics.md: Output columns and Partition and order keys).

CREATE TEMP VIEW t AS SELECT * FROM VALUES
  ('x', 1, 10), ('x', 2, 20), ('y', 1, 30), (NULL, 1, 40), (NULL, 2, 50) AS t(p, o, v);

-- case: nulls-are-one-partition
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY o MEASURES COUNT(*) AS n, SUM(v) AS total PATTERN (A+));
-- expect:
-- | p    | n | total |
-- | x    | 2 | 30    |
-- | y    | 1 | 30    |
-- | NULL | 2 | 90    |

-- case: without-partition-by-all-rows-are-one-partition
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY v MEASURES COUNT(*) AS n, FIRST(v) AS f, LAST(v) AS l PATTERN (A+));
-- expect:
-- | n | f  | l  |
-- | 5 | 10 | 50 |

-- case: partition-by-two-columns
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY p, o MEASURES SUM(v) AS total PATTERN (A+));
-- expect:
-- | p    | o | total |
-- | x    | 1 | 10    |
-- | x    | 2 | 20    |
-- | y    | 1 | 30    |
-- | NULL | 1 | 40    |
-- | NULL | 2 | 50    |

-- case: partition-by-an-expression-with-a-name
-- why: odd o: 10, 30, 40; even o: 20, 50
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY o % 2 AS odd ORDER BY v MEASURES COUNT(*) AS n, LAST(v) AS l PATTERN (A+));
-- expect:
-- | odd | n | l  |
-- | 1   | 3 | 40 |
-- | 0   | 2 | 50 |

-- case: partition-by-an-expression-without-a-name
-- why: Spark's generated name
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY o + 1 ORDER BY v MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | (o + 1) | n |
-- | 2       | 3 |
-- | 3       | 2 |

-- case: negative-zero-equals-zero
SELECT n FROM VALUES (0.0D, 1), (-0.0D, 2), (1.0D, 3) AS t(d, id) MATCH_RECOGNIZE (
  PARTITION BY d ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | n |
-- | 2 |
-- | 1 |

-- case: nan-is-one-partition
SELECT n FROM VALUES (double('NaN'), 1), (double('NaN'), 2), (1.0D, 3) AS t(d, id) MATCH_RECOGNIZE (
  PARTITION BY d ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | n |
-- | 2 |
-- | 1 |

-- case: ascending-puts-nulls-first
-- why: that is Spark's default; other engines put NULLs last
SELECT o, r FROM VALUES (1), (NULL), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o    | r |
-- | NULL | 1 |
-- | 1    | 2 |
-- | 2    | 3 |

-- case: descending-puts-nulls-last
SELECT o, r FROM VALUES (1), (NULL), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o DESC MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o    | r |
-- | 2    | 1 |
-- | 1    | 2 |
-- | NULL | 3 |

-- case: nulls-last-and-nulls-first
SELECT o, r FROM VALUES (1), (NULL), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o ASC NULLS LAST MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o    | r |
-- | 1    | 1 |
-- | 2    | 2 |
-- | NULL | 3 |

-- case: descending-with-nulls-first
SELECT o, r FROM VALUES (1), (NULL), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o DESC NULLS FIRST MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o    | r |
-- | NULL | 1 |
-- | 2    | 2 |
-- | 1    | 3 |

-- case: order-decides-which-row-is-before
-- why: in descending order the row before has the larger o
SELECT o, before FROM VALUES (1), (2), (3) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o DESC MEASURES PREV(o) AS before ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o | before |
-- | 3 | NULL   |
-- | 2 | 3      |
-- | 1 | 2      |

-- case: order-by-two-keys
SELECT o, v, r FROM VALUES (1, 1), (1, 2), (0, 5) AS t(o, v) MATCH_RECOGNIZE (
  ORDER BY o, v DESC MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o | v | r |
-- | 0 | 5 | 1 |
-- | 1 | 2 | 2 |
-- | 1 | 1 | 3 |

-- case: an-order-expression-without-a-name-is-not-output
-- why: ordered by -v: 50 first; the output has the input columns only
SELECT * FROM VALUES (10), (50), (30) AS t(v) MATCH_RECOGNIZE (
  ORDER BY -v MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | r | v  |
-- | 1 | 50 |
-- | 2 | 30 |
-- | 3 | 10 |

-- case: an-order-expression-with-a-name-is-output
SELECT * FROM VALUES (10), (50) AS t(v) MATCH_RECOGNIZE (
  ORDER BY -v AS rank_key MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | rank_key | r | v  |
-- | -50      | 1 | 50 |
-- | -10      | 2 | 10 |

-- case: a-column-that-is-both-keys-appears-once-first
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  PARTITION BY id ORDER BY id MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | r | s |
-- | 1  | 1 | a |
-- | 2  | 1 | b |

-- case: the-inputs-alias-is-visible-in-the-keys
SELECT * FROM t AS src MATCH_RECOGNIZE (
  PARTITION BY src.p ORDER BY src.o MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | p    | n |
-- | x    | 2 |
-- | y    | 1 |
-- | NULL | 2 |

-- case: keys-of-time
SELECT * FROM VALUES (DATE'2024-01-02', 2), (DATE'2024-01-01', 1), (DATE'2024-02-01', 3) AS t(d, v) MATCH_RECOGNIZE (
  PARTITION BY month(d) AS month ORDER BY d MEASURES FIRST(d) AS first_day, LAST(v) AS l PATTERN (A+));
-- expect:
-- | month | first_day  | l |
-- | 1     | 2024-01-01 | 2 |
-- | 2     | 2024-02-01 | 3 |

-- case: a-number-is-no-ordinal
-- why: 2 is a constant, so all rows are one partition; it does not mean the second column
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY 2 ORDER BY v MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | 2 | n |
-- | 2 | 5 |

-- case: the-same-order-column-twice
-- why: as with PARTITION BY, the column is output once
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id, id DESC MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | r | s |
-- | 1  | 1 | a |
-- | 2  | 2 | b |

-- case: keys-that-read-alike-when-joined
-- why: 1 and 3 are one partition, 4 and 6 another; 'a' next to 'bc' is not 'ab' next to 'c', NULL is not ''
SELECT o, r FROM VALUES ('a', 'bc', 1), ('ab', 'c', 2), ('a', 'bc', 3), ('', NULL, 4), (NULL, '', 5), ('', NULL, 6)
  AS t(p, q, o) MATCH_RECOGNIZE (
  PARTITION BY p, q ORDER BY o MEASURES COUNT(*) AS r ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o | r |
-- | 1 | 1 |
-- | 2 | 1 |
-- | 3 | 2 |
-- | 4 | 1 |
-- | 5 | 1 |
-- | 6 | 2 |

-- case: a-map-as-a-partition-key
-- spark: 4.0+, Spark 3.5 has no groups of maps
-- why: the entries of a map have no order; NULL is a key of its own
SELECT m['a'] AS a, m['b'] AS b, n, l FROM VALUES
  (map('a', 1, 'b', 2), 1), (map('b', 2, 'a', 1), 2), (map('a', 1), 3), (NULL, 4) AS t(m, id)
MATCH_RECOGNIZE (PARTITION BY m ORDER BY id MEASURES COUNT(*) AS n, LAST(m['a']) AS l PATTERN (A+));
-- expect:
-- | a    | b    | n | l    |
-- | 1    | 2    | 2 | 1    |
-- | 1    | NULL | 1 | 1    |
-- | NULL | NULL | 1 | NULL |

-- case: a-map-as-a-key-with-all-rows
-- spark: 4.0+, Spark 3.5 has no groups of maps
SELECT * FROM VALUES (map('a', 1), 1), (map('a', 1), 2), (map('b', 3), 3) AS t(m, id) MATCH_RECOGNIZE (
  PARTITION BY m ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | m : map<string,int> | id | n |
-- | {a -> 1}            | 1  | 1 |
-- | {a -> 1}            | 2  | 2 |
-- | {b -> 3}            | 3  | 1 |

-- case: a-map-of-an-expression-as-a-key
-- spark: 4.0+, Spark 3.5 has no groups of maps
SELECT k, n FROM VALUES (1), (2), (3) AS t(id) MATCH_RECOGNIZE (
  PARTITION BY map(id % 2, 0) AS k ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | k        | n |
-- | {0 -> 0} | 1 |
-- | {1 -> 0} | 2 |

-- case: a-map-whose-values-are-null-as-a-key
-- spark: 4.0+, Spark 3.5 has no groups of maps
-- why: NULL is not 0. Ids 0 and 2 have NULL, 1 and 3 have 0; Spark's own GROUP BY m has one group
SELECT f, n FROM (SELECT id, map('a', IF(id % 2 = 0, NULL, 0)) AS m FROM range(0, 4, 1, 1))
MATCH_RECOGNIZE (PARTITION BY m ORDER BY id MEASURES FIRST(id) AS f, COUNT(*) AS n PATTERN (A+));
-- expect:
-- | f : bigint | n |
-- | 0          | 2 |
-- | 1          | 2 |

-- case: maps-in-the-structs-of-an-array-as-a-key
-- spark: 4.0+, Spark 3.5 has no groups of maps
-- why: the entries of a map have no order; -0.0 equals 0.0; a NULL of the key, of the array, of the
-- struct and an empty array are four different keys
SELECT * FROM VALUES
  (array(named_struct('i', 1, 'm', map('a', 0D, 'b', 2D))), 1),
  (array(named_struct('i', 1, 'm', map('b', 2D, 'a', -0.0D))), 2),
  (array(named_struct('i', 2, 'm', map('a', 0D, 'b', 2D))), 3),
  (array(named_struct('i', 1, 'm', NULL)), 4), (array(NULL), 5), (array(), 6), (NULL, 7),
  (NULL, 8), (array(NULL), 9) AS t(k, id)
MATCH_RECOGNIZE (PARTITION BY k ORDER BY id
  MEASURES FIRST(id) AS f, COUNT(*) AS n, LAST(get(k, 0).m['b']) AS b PATTERN (A+));
-- expect:
-- | k : array<struct<i:int,m:map<string,double>>> | f | n | b    |
-- | [{1, {a -> 0.0, b -> 2.0}}]                   | 1 | 2 | 2.0  |
-- | [{2, {a -> 0.0, b -> 2.0}}]                   | 3 | 1 | 2.0  |
-- | [{1, null}]                                   | 4 | 1 | NULL |
-- | [null]                                        | 5 | 2 | NULL |
-- | []                                            | 6 | 1 | NULL |
-- | NULL                                          | 7 | 2 | NULL |

-- case: maps-of-maps-in-a-struct-as-a-key-with-all-rows
-- spark: 4.0+, Spark 3.5 has no groups of maps
-- why: the entries of inner maps have no order either
SELECT * FROM VALUES
  (named_struct('m', map('x', map(2, array(map('q', 1)), 1, NULL), 'w', NULL)), 1),
  (named_struct('m', map('w', NULL, 'x', map(1, NULL, 2, array(map('q', 1))))), 2),
  (named_struct('m', map('w', NULL, 'x', map(1, NULL, 2, array(map('q', 2))))), 3),
  (NULL, 4), (named_struct('m', NULL), 5), (NULL, 6) AS t(s, id)
MATCH_RECOGNIZE (PARTITION BY s ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | s : struct<m:map<string,map<int,array<map<string,int>>>>> | id | n |
-- | {{w -> null, x -> {1 -> null, 2 -> [{q -> 1}]}}}           | 1  | 1 |
-- | {{w -> null, x -> {1 -> null, 2 -> [{q -> 1}]}}}           | 2  | 2 |
-- | {{w -> null, x -> {1 -> null, 2 -> [{q -> 2}]}}}           | 3  | 1 |
-- | NULL                                                      | 4  | 1 |
-- | {null}                                                    | 5  | 1 |
-- | NULL                                                      | 6  | 2 |

-- case: a-key-that-holds-a-map-without-an-order
-- spark: 4.0+, no VARIANT before
SELECT id FROM VALUES (1) AS t(id) MATCH_RECOGNIZE (
  PARTITION BY array(map(id, parse_json('1'))) ORDER BY id MEASURES LAST(id) AS id PATTERN (A+));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE
-- underlines: array(map(id, parse_json('1')))
