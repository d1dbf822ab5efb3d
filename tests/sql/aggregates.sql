-- Aggregates over the rows mapped to a variable, to a SUBSET, or to any (semantics.md: One variable per call and Aggregates).

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

-- case: collecting-classifiers
-- why: the second collects rows 1 to 3 only, those of U
SELECT id, labels, u FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES array_join(collect_list(CLASSIFIER()), '') AS labels, array_join(collect_list(lower(CLASSIFIER(U))), '') AS u
  ALL ROWS PER MATCH
  PATTERN (A+ `!`+) SUBSET U = (A) DEFINE A AS s = 'a', `!` AS s = 'b');
-- expect:
-- | id | labels | u   |
-- | 1  | A      | a   |
-- | 2  | AA     | aa  |
-- | 3  | AAA    | aaa |
-- | 4  | AAA!   | aaa |
-- | 5  | AAA!!  | aaa |

-- case: an-aggregate-of-two-arguments
-- why: v is largest on row 3, of the b rows it is largest on row 5 and least on row 4; the labels with their row are
-- A1 A2 A3 B4 B5
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES max_by(id, v) AS top, max_by(B.id, B.v) AS top_b, min_by(B.id, B.v) AS low_b,
    max_by(id, CLASSIFIER() || id) AS last
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | top | top_b | low_b | last |
-- | 3   | 5     | 4     | 5    |

-- case: an-aggregate-that-ignores-nulls
-- why: the match is rows 1 and 2, and row 2 has no value
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES last_value(A.v) AS a, last_value(A.v) IGNORE NULLS AS b
  PATTERN (A{2}) DEFINE A AS s = 'a');
-- expect:
-- | a    | b  |
-- | NULL | 10 |

-- case: an-order-of-its-own
-- why: in match order the a rows are 1, 2, 3; of the b rows the one with 7 comes first
-- spark: 4.0+, no LISTAGG before
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES LISTAGG(A.s || A.id, '-') AS a, LISTAGG(B.s || B.id, '-') WITHIN GROUP (ORDER BY B.v DESC) AS b
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a        | b     |
-- | a1-a2-a3 | b5-b4 |

-- case: a-filter-names-the-variable
-- why: the rows of B above 4 are 5 and 7; those of A above 4 are not B's
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) FILTER (WHERE B.v > 4) AS n
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n |
-- | 2 |

-- case: in-define-a-refused-row-does-not-count
-- why: tested as A, rows 1 and 2 give sums of 2 and 9, and become B; so row 3 alone is 7
SELECT id, var, total FROM VALUES (1, 2), (2, 9), (3, 7) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var, SUM(A.v) AS total ALL ROWS PER MATCH
  PATTERN ((A | B)+) DEFINE A AS SUM(A.v) = 7);
-- expect:
-- | id | var | total |
-- | 1  | B   | NULL  |
-- | 2  | B   | NULL  |
-- | 3  | A   | 7     |

-- case: in-define-rows-given-back-do-not-count
-- why: with two X, the rows 3 and 4 have the minimum 1; with one X, rows 2 and 3 have the minimum 5
SELECT id, var FROM VALUES (1, 3), (2, 5), (3, 6), (4, 1) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (X{1,2} B{2}) DEFINE B AS MIN(B.v) > 3);
-- expect:
-- | id | var |
-- | 1  | X   |
-- | 2  | B   |
-- | 3  | B   |

-- case: in-define-rows-of-a-variable-that-are-apart
-- why: the A rows have 5, 6 and 10: 5, 11, and 21 is too much; then 10 alone
SELECT * FROM VALUES (1, 5), (2, 90), (3, 6), (4, 90), (5, 10), (6, 90) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id, SUM(A.v) AS total
  PATTERN ((A B)+) DEFINE A AS SUM(A.v) < 20);
-- expect:
-- | first_id | last_id | total |
-- | 1        | 4       | 11    |
-- | 5        | 6       | 10    |

-- case: in-define-sums-of-two-variables
-- why: of the ways to map 3, 1 and 2, A A A has no B, A A B gives 4 and 2, A B A 5 and 1, A B B 3 and 3
SELECT id, var FROM VALUES (1, 3), (2, 1), (3, 2), (4, 0) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (^ (A | B)+ LAST_ROW $ ) DEFINE LAST_ROW AS SUM(A.v) = SUM(B.v));
-- expect:
-- | id | var      |
-- | 1  | A        |
-- | 2  | B        |
-- | 3  | B        |
-- | 4  | LAST_ROW |

-- case: in-define-what-is-collected-belongs-to-one-way
-- why: the ways A A X and A B X are tried before B A X, and what they collected must not be seen
SELECT id, var FROM VALUES (1), (2), (3) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A | B)+ X) DEFINE X AS collect_list(CLASSIFIER()) = array('B', 'A', 'X'));
-- expect:
-- | id | var |
-- | 1  | B   |
-- | 2  | A   |
-- | 3  | X   |

-- case: in-define-decimals-of-one-way
-- why: A A X has no B, A B X has 2.5, which is the required average
SELECT id, var FROM VALUES (1, 1.5BD), (2, 2.5BD), (3, 3.5BD) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN ((A | B)+ X)
  DEFINE X AS AVG(CAST(B.v AS DECIMAL(30, 10))) = 2.5 AND SUM(CAST(A.v AS DECIMAL(38, 2))) = 1.5);
-- expect:
-- | id | var |
-- | 1  | A   |
-- | 2  | B   |
-- | 3  | X   |

-- case: in-define-distinct-and-filter
-- why: row 3 would be the second value above 6, row 4 a second letter; of rows 4 and 5 one value is above 6
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A+) DEFINE A AS COUNT(DISTINCT s) = 1 AND COUNT(v) FILTER (WHERE v > 6) <= 1);
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |
-- | 3        | 3       |
-- | 4        | 5       |

-- case: counting-rows-without-null
-- why: v is NULL in row 2, so A may have it: row 3 would be the second value of A, and so would row 5
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id, COUNT(v, s) AS n, COUNT(A.v, A.s) AS a
  PATTERN (A+ B) DEFINE A AS COUNT(A.v) <= 1);
-- expect:
-- | first_id | last_id | n | a |
-- | 1        | 3       | 2 | 1 |
-- | 4        | 5       | 2 | 1 |

-- case: an-order-of-its-own-and-distinct
-- why: the letters are a, b and a
-- spark: 4.0+, no LISTAGG before
SELECT * FROM VALUES (1, 'b'), (2, 'a'), (3, 'a') AS v(id, s) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES LISTAGG(DISTINCT s, ',') WITHIN GROUP (ORDER BY s) AS up, LISTAGG(DISTINCT s, ',') WITHIN GROUP (ORDER BY s DESC) AS down
  PATTERN (A+) DEFINE A AS LISTAGG(DISTINCT A.s) WITHIN GROUP (ORDER BY A.s) <> 'ba');
-- expect:
-- | up  | down |
-- | a,b | b,a  |

-- case: an-error-in-a-filter-that-is-not-used
-- why: the row with 0 divides by it, and IF does not use the count; the next match begins anew
-- conf: spark.sql.ansi.enabled=true
SELECT id, r FROM VALUES (1, 1), (2, 0), (3, 2) AS v(id, n) MATCH_RECOGNIZE (
  ORDER BY id MEASURES IF(LAST(n) = 0, -1, COUNT(*) FILTER (WHERE 1 / n > 0)) AS r
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | r  |
-- | 1  | 1  |
-- | 2  | -1 |
-- | 3  | 1  |

-- case: zeros-that-differ-as-text
-- why: A B maps the row with -0.0 to A, and B A the row with 0.0; only the second one ends with C
SELECT * FROM VALUES (1, -0.0D, 'a'), (2, 0.0D, 'a'), (3, 5D, 'z') AS v(id, d, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b PATTERN ((A B | B A) C)
  DEFINE A AS id < 3, B AS id < 3, C AS CAST(MAX_BY(A.d, A.s) AS STRING) = '0.0');
-- expect:
-- | a | b |
-- | 2 | 1 |

-- case: zeros-that-differ-as-text-in-a-struct
SELECT * FROM VALUES (1, -0.0D, 'a'), (2, 0.0D, 'a'), (3, 5D, 'z') AS v(id, d, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b PATTERN ((A B | B A) C)
  DEFINE A AS id < 3, B AS id < 3, C AS CAST(MAX(STRUCT(A.d, A.s)) AS STRING) = '{0.0, a}');
-- expect:
-- | a | b |
-- | 2 | 1 |

-- case: zeros-that-differ-under-distinct
-- why: of equal numbers Spark hands one to the aggregate, and of zeros the positive one;
--   it takes DISTINCT off where repeated values change nothing, so that the first value is as it is
SELECT * FROM VALUES (1, -0.0D), (2, 0.0D), (3, 5D) AS v(id, d) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CAST(COLLECT_LIST(DISTINCT d) AS STRING) AS l, CAST(ANY_VALUE(DISTINCT d) AS STRING) AS v
  PATTERN (A+));
-- expect:
-- | l          | v    |
-- | [0.0, 5.0] | -0.0 |
