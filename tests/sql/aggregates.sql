-- Aggregates over the rows mapped to a variable, to a SUBSET, or to any (semantics.md, rules 7 and 9).

CREATE TEMP VIEW t AS SELECT * FROM VALUES
  (1, 'a', 10), (2, 'a', NULL), (3, 'a', 30), (4, 'b', 5), (5, 'b', 7) AS t(id, s, v);

-- case: the-five
-- why: NULL counts for nothing but COUNT(*): A has 10 and 30
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(A.v) AS n, SUM(A.v) AS total, AVG(A.v) AS mean, MIN(A.v) AS low, MAX(A.v) AS high
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n : bigint | total : bigint | mean : double | low : int | high : int |
-- | 2          | 40             | 20.0          | 10        | 30         |

-- case: over-all-rows
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(v) AS n, SUM(v) AS total, AVG(v) AS mean, MIN(v) AS low, MAX(v) AS high
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n | total | mean | low | high |
-- | 4 | 52    | 13.0 | 5   | 30   |

-- case: counting-rows
-- why: COUNT(*) counts rows, COUNT(A.*) rows mapped to A, COUNT(A.v) those where v is not NULL
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) AS rows_all, COUNT(A.*) AS rows_a, COUNT(B.*) AS rows_b, COUNT(A.v) AS vs
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | rows_all : bigint | rows_a : bigint | rows_b | vs |
-- | 5                 | 3               | 2      | 2  |

-- case: running
SELECT id, n, total, b FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, SUM(v) AS total, SUM(B.v) AS b ALL ROWS PER MATCH
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id | n | total | b    |
-- | 1  | 1 | 10    | NULL |
-- | 2  | 2 | 10    | NULL |
-- | 3  | 3 | 40    | NULL |
-- | 4  | 4 | 45    | 5    |
-- | 5  | 5 | 52    | 12   |

-- case: of-no-rows
-- why: B is not in the match
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(B.*) AS c, COUNT(B.v) AS n, SUM(B.v) AS total, AVG(B.v) AS mean, MAX(B.v) AS high
  PATTERN (A{3} | B{3}) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | c | n | total | mean | high |
-- | 0 | 0 | NULL  | NULL | NULL |

-- case: an-expression-as-argument
-- why: 10 * 2 + 1, NULL, 30 * 2 + 3
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(A.v * 2 + A.id) AS total
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | total |
-- | 84    |

-- case: a-constant-is-over-all-rows
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(2) AS total, COUNT(1) AS n
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | total | n |
-- | 10    | 5 |

-- case: filter
-- why: of all rows above 6: 10, 30, 7; of A above 6: 10, 30; of rows mapped to B: 5, 7
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES SUM(v) FILTER (WHERE v > 6) AS a, COUNT(A.v) FILTER (WHERE A.v > 6) AS b,
    SUM(v) FILTER (WHERE CLASSIFIER() = 'B') AS c, COUNT(*) FILTER (WHERE v IS NULL) AS d
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a  | b | c  | d |
-- | 47 | 2 | 12 | 1 |

-- case: distinct
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(DISTINCT s) AS letters, COUNT(DISTINCT A.s) AS a
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | letters | a |
-- | 2       | 1 |

-- case: in-define-the-tested-row-counts
-- why: the sums are 10, 10, 40 and 45; with row 5 it would be 52. Row 5 is a match of its own.
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id, SUM(v) AS total
  PATTERN (A+) DEFINE A AS SUM(v) < 50);
-- expect:
-- | first_id | last_id | total |
-- | 1        | 4       | 45    |
-- | 5        | 5       | 7     |

-- case: in-define-of-no-rows-is-null
-- why: SUM(A.v) is NULL where A's only row has no value: row 2 starts no match, row 3 does
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS s = 'a' AND SUM(A.v) > 0);
-- expect:
-- | id |
-- | 1  |
-- | 3  |

-- case: in-define-counting-rows-of-the-variable
-- why: at most two rows are B: rows 2, 3 after X = 1; then X = 4, B = 5
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES X.id AS x, COUNT(B.*) AS n PATTERN (X B+) DEFINE B AS COUNT(B.*) <= 2);
-- expect:
-- | x | n |
-- | 1 | 2 |
-- | 4 | 1 |

-- case: in-define-an-average
-- why: means are 10, 10 (NULL does not count), 20, 15, 13: all at most 20
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, AVG(v) AS mean PATTERN (A+) DEFINE A AS AVG(v) <= 20);
-- expect:
-- | n | mean |
-- | 5 | 13.0 |

-- case: text
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MIN(s) AS low, MAX(s) AS high
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | low | high |
-- | a   | b    |

-- case: collecting-in-match-order
-- why: the rows come in the order of the match, whatever the input's order; NULL is not collected
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id DESC MEASURES collect_list(v) AS vs, collect_list(A.id) AS ids
  PATTERN (B+ A+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | vs             | ids       |
-- | [7, 5, 30, 10] | [3, 2, 1] |

-- case: aggregates-within-an-expression
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MAX(v) - MIN(v) AS spread, COUNT(A.*) || ' of ' || COUNT(*) AS share
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | spread | share  |
-- | 25     | 3 of 5 |
