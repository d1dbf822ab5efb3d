-- Expressions of DEFINE and MEASURES: any deterministic expression of Spark, of any type
-- (semantics.md: One variable per call, Conditions and Subqueries, variables and functions).
-- conf: spark.sql.ansi.enabled=true
-- conf: spark.sql.session.timeZone=UTC

CREATE TEMP VIEW readings AS SELECT * FROM VALUES
  (1, TIMESTAMP'2024-01-01 10:00:00', named_struct('level', 5, 'tags', array('a', 'b')), map('x', 1), 1.50BD, X'0A'),
  (2, TIMESTAMP'2024-01-01 10:05:00', named_struct('level', 7, 'tags', array('b')),      map('x', 4), 2.25BD, X'0B'),
  (3, TIMESTAMP'2024-01-01 10:20:00', named_struct('level', 9, 'tags', array('c', 'a')), map('y', 9), 4.00BD, X'0C'),
  (4, TIMESTAMP'2024-01-01 10:21:00', named_struct('level', 2, 'tags', array()),         map('x', 2), NULL,   X'01')
  AS t(id, at, s, m, d, b);

-- case: struct-fields [One variable per call]
-- why: levels 5 7 9 rise, 2 does not
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES A.s.level AS first, LAST(UP.s.level) AS last, LAST(UP.s.level, 1) AS before, MAX(UP.s.level) AS most
  PATTERN (A UP+) DEFINE UP AS UP.s.level > PREV(s.level));
-- expect:
-- | first : int | last | before | most |
-- | 5           | 9    | 7      | 9    |

-- case: a-whole-struct [One variable per call]
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.s AS s, PREV(A.s) AS none PATTERN (^ A));
-- expect:
-- | s                | none |
-- | {5, [a, b]}      | NULL |

-- case: array-and-map-elements [One variable per call]
-- why: the first tags are a, b, c and none; x is 1, 4, none, 2
SELECT id, tag, x, y FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES get(A.s.tags, 0) AS tag, A.m['x'] AS x, LAST(try_element_at(A.m, 'y')) AS y
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | tag  | x    | y    |
-- | 1  | a    | 1    | NULL |
-- | 2  | b    | 4    | NULL |
-- | 3  | c    | NULL | 9    |
-- | 4  | NULL | 2    | NULL |

-- case: lambdas-reach-several-rows [One variable per call]
-- why: the levels 7 and 9 less the first level 5; tags of the last row that are not those of the first
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES transform(array(LAST(UP.s.level, 1), LAST(UP.s.level)), l -> l - A.s.level) AS above,
           filter(UP.s.tags, tag -> NOT array_contains(A.s.tags, tag)) AS new_tags
  PATTERN (A UP+) DEFINE UP AS exists(array(s.level), l -> l > PREV(s.level)));
-- expect:
-- | above  | new_tags |
-- | [2, 4] | [c]      |

-- case: a-lambdas-name-hides-a-variable [Names]
-- why: inside the lambda A is the element
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id MEASURES transform(array(1, 2), A -> A + 1) AS next PATTERN (^ A));
-- expect:
-- | next   |
-- | [2, 3] |

-- case: case-and-casts
-- why: 5 and 7 are below 8
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES CASE WHEN COUNT(LOW.id) > 1 THEN CAST(COUNT(LOW.id) AS STRING) || ' low' ELSE 'few' END AS text,
           TRY_CAST('x' || LAST(LOW.id) AS INT) AS nothing
  PATTERN (LOW+) DEFINE LOW AS CASE s.level WHEN 2 THEN FALSE ELSE s.level < 8 END);
-- expect:
-- | text  | nothing : int |
-- | 2 low | NULL          |

-- case: intervals-and-timestamps
-- why: 5 minutes between rows 1 and 2, 15 to row 3
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY at
  MEASURES LAST(NEAR.at) - A.at AS lasts, A.at + INTERVAL '1' DAY AS next_day
  PATTERN (A NEAR+) DEFINE NEAR AS at <= PREV(at) + INTERVAL '10' MINUTE);
-- expect:
-- | lasts                               | next_day            |
-- | INTERVAL '0 00:05:00' DAY TO SECOND | 2024-01-02 10:00:00 |
-- | INTERVAL '0 00:01:00' DAY TO SECOND | 2024-01-02 10:20:00 |

-- case: decimals-keep-scale
-- why: 1.50 + 2.25 + 4.00 = 7.75; the fourth is NULL and is not greater
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES SUM(d) AS total, A.d * 2 AS doubled, AVG(UP.d) AS average
  PATTERN (A UP+) DEFINE UP AS d > PREV(d));
-- expect:
-- | total : decimal(13,2) | doubled : decimal(5,2) | average : decimal(7,6) |
-- | 7.75                  | 3.00                   | 3.125000               |

-- case: binary
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id MEASURES hex(LAST(UP.b)) AS last, hex(MIN(b)) AS least, COUNT(*) AS n
  PATTERN (A UP+) DEFINE UP AS b > PREV(b));
-- expect:
-- | last | least | n |
-- | 0C   | 0A    | 3 |

-- case: variant
-- why: the last v is {"n": 3}
-- spark: 4.0+, no VARIANT before
SELECT * FROM (SELECT id, parse_json('{"n": ' || id || '}') AS v FROM range(1, 4)) MATCH_RECOGNIZE (
  ORDER BY id MEASURES variant_get(LAST(A.v), '$.n', 'int') AS n, FIRST(variant_get(A.v, '$.n', 'int'), 1) AS second
  PATTERN (A+) DEFINE A AS variant_get(v, '$.n', 'int') > 0);
-- expect:
-- | n | second |
-- | 3 | 2      |

-- case: a-path-into-a-variant
-- why: the last v is {"n": 3}
-- spark: 4.1+, no paths into a VARIANT before
SELECT * FROM (SELECT id, parse_json('{"n": ' || id || '}') AS v FROM range(1, 4)) MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.v):n::int AS n PATTERN (A+) DEFINE A AS v:n::int > 0);
-- expect:
-- | n |
-- | 3 |

-- case: geometries
-- why: the first row is 0 or 2, whose point is (1, 1); the input is not sorted, so its rows share their memory
-- spark: 4.2+, no geometries before
SELECT hex(st_asbinary(g)) AS g FROM (
  SELECT /*+ REPARTITION(1) */ id, st_geomfromwkb(CASE id % 2
    WHEN 0 THEN X'0101000000000000000000F03F000000000000F03F'
    ELSE X'010100000000000000000000400000000000000040' END) AS g
  FROM range(0, 4, 1, 2))
MATCH_RECOGNIZE (MEASURES FIRST(g) AS g PATTERN (A B*) DEFINE B AS id >= 0);
-- expect:
-- | g                                          |
-- | 0101000000000000000000F03F000000000000F03F |

-- case: collations [Conditions]
-- why: without regard to case all three are equal to 'A', and the maximum of equal ones is one of them
-- spark: 4.0+, no collations before
SELECT n, least FROM (SELECT id, c COLLATE UTF8_LCASE AS c FROM VALUES (1, 'a'), (2, 'A'), (3, 'a'), (4, 'b') AS t(id, c))
MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, lower(MAX(A.c)) AS least
  PATTERN (A+) DEFINE A AS c = 'A');
-- expect:
-- | n | least |
-- | 3 | a     |

-- case: partitions-by-collation [Partition and order keys]
-- why: without regard to case there are two keys
-- spark: 4.0+, no collations before
SELECT n FROM (SELECT id, c COLLATE UTF8_LCASE AS c FROM VALUES (1, 'a'), (2, 'B'), (3, 'A'), (4, 'b'), (5, 'a') AS t(id, c))
MATCH_RECOGNIZE (PARTITION BY c ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | n |
-- | 3 |
-- | 2 |

-- case: distinct-by-collation [Conditions]
-- why: without regard to case the values are 'a' and 'b'; the third row is the first that adds a second one
-- spark: 4.0+, no collations before
SELECT n, size(kept) AS kept, z FROM (SELECT id, c COLLATE UTF8_LCASE AS c FROM VALUES (1, 'a'), (2, 'A'), (3, 'b'), (4, 'B') AS t(id, c))
MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(DISTINCT c) AS n, COLLECT_LIST(DISTINCT c) AS kept, LAST(A.id) AS z
  PATTERN (A+ C+) DEFINE A AS COUNT(DISTINCT A.c) = 1);
-- expect:
-- | n | kept | z |
-- | 2 | 2    | 2 |

-- case: distinct-by-collation-in-parts [Conditions]
-- why: the second struct equals the first, and the second array, too
-- spark: 4.0+, no collations before
SELECT * FROM (SELECT id, c COLLATE UTF8_LCASE AS c FROM VALUES (1, 'a'), (2, 'A') AS t(id, c))
MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(DISTINCT named_struct('c', c)) AS s, COUNT(DISTINCT array(c)) AS a, COUNT(DISTINCT c, 1) AS two
  PATTERN (A+));
-- expect:
-- | s | a | two |
-- | 1 | 1 | 1   |

-- case: functions-that-spark-replaces
-- why: BETWEEN, NULLIF, NVL and others are taken apart by Spark; 5 and 7 lie between
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES NULLIF(A.s.level, 5) AS none, NVL(PREV(A.id), -1) AS before, LAST(s.level) BETWEEN 6 AND 8 AS between_them,
           COUNT_IF(s.level > 5) AS above, IFNULL(A.d, 0) AS d
  PATTERN (A MID+) DEFINE MID AS s.level BETWEEN 5 AND 7);
-- expect:
-- | none | before | between_them | above | d    |
-- | NULL | -1     | true         | 1     | 1.50 |

-- case: an-uncorrelated-scalar-subquery [Subqueries, variables and functions]
-- why: the average level is 5.75
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, (SELECT MAX(id) FROM readings) AS ids
  PATTERN (HIGH+) DEFINE HIGH AS s.level > (SELECT AVG(s.level) FROM readings));
-- expect:
-- | n | ids |
-- | 2 | 4   |

-- case: in-and-exists-over-a-subquery [Subqueries, variables and functions]
-- why: 7 and 9 are in the list
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, FIRST(H.id) IN (SELECT id FROM readings WHERE id = 2) AS is_two
  PATTERN (H+)
  DEFINE H AS s.level IN (SELECT * FROM VALUES (7), (9)) AND EXISTS (SELECT 1 FROM readings WHERE id = 4));
-- expect:
-- | n | is_two |
-- | 2 | true   |

-- case: an-error-in-a-condition-that-is-never-tested [Conditions]
-- why: B is tested at rows 2 and 3 only; at row 1 its condition would divide by zero
SELECT * FROM VALUES (1, 0), (2, 1), (3, 2) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A B+) DEFINE A AS v = 0, B AS 10 / v > 1);
-- expect:
-- | n |
-- | 3 |

-- case: an-error-in-a-condition-that-is-tested [Conditions]
SELECT * FROM VALUES (1, 0), (2, 1), (3, 0) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A B+) DEFINE B AS 10 / v > 1);
-- error: DIVIDE_BY_ZERO

-- case: an-error-in-an-aggregate-of-a-way-that-comes-to-nothing [Conditions]
-- why: A{2} C is tried first and C fails; its sum would overflow, but it is not that match's measure
SELECT * FROM VALUES (1, 9223372036854775807), (2, 1), (3, 5) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(A.v) AS total, CLASSIFIER() AS last
  PATTERN (A{2} C | A B) DEFINE C AS FALSE);
-- expect:
-- | total               | last |
-- | 9223372036854775807 | B    |

-- case: a-constant-error-in-a-condition-that-is-never-tested [Conditions]
-- why: B is never tested, since no row is an A
SELECT * FROM VALUES (1, 5), (2, 6) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A B | C) DEFINE A AS v > 9, B AS v > 1 / 0, C AS v > 5);
-- expect:
-- | n |
-- | 1 |

-- case: a-constant-error-in-a-condition-that-is-tested [Conditions]
SELECT * FROM VALUES (1, 5), (2, 6) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A B) DEFINE B AS v > 1 / 0);
-- error: DIVIDE_BY_ZERO
-- underlines: 1 / 0

-- case: a-constant-error-in-a-measure-without-a-match [Conditions]
-- why: there is no match, so no measure is computed
SELECT * FROM VALUES (1, 5), (2, 6) AS t(id, v) MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 / 0 AS n PATTERN (A) DEFINE A AS v > 9);
-- expect:
-- | n |

-- case: the-current-date-is-one-constant [Subqueries, variables and functions]
-- why: it is after 2000-01-01 in the measure as in the condition
SELECT * FROM VALUES (1), (2) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES current_date() > DATE'2000-01-01' AS later, COUNT(*) AS n
  PATTERN (A+) DEFINE A AS current_date() > DATE'2000-01-01' AND now() > TIMESTAMP'2000-01-01 00:00:00');
-- expect:
-- | later | n |
-- | true  | 2 |

-- case: an-error-beside-the-current-date [Conditions and Subqueries, variables and functions]
-- why: B is tried first for each row, fails its first test, and its second is not computed
SELECT * FROM VALUES (1), (2) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n
  PATTERN ((B | A)+) DEFINE B AS id > 2 AND year(current_date()) > 1 / 0);
-- expect:
-- | n |
-- | 2 |

-- case: subqueries-within-a-navigation [Subqueries, variables and functions]
-- why: the last level is 2; the first id is 1
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES LAST(A.s.level + (SELECT 100)) AS l, FIRST(A.id IN (SELECT 1)) AS f, LAST(A.id < 0 OR EXISTS (SELECT 1)) AS e
  PATTERN (A+) DEFINE A AS FIRST(s.level < 0 OR (SELECT TRUE)));
-- expect:
-- | l   | f    | e    |
-- | 102 | true | true |

-- case: subqueries-within-an-aggregate [Subqueries, variables and functions]
-- why: 1 + 2 + 3 + 4 and four times 10; two of the ids are in the list
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES SUM(id + (SELECT 10)) AS total, COUNT_IF(A.id IN (SELECT * FROM VALUES (2), (3))) AS n,
    array_join(collect_list(CLASSIFIER() || (SELECT '!')), '') AS labels
  PATTERN (A+));
-- expect:
-- | total | n | labels   |
-- | 50    | 2 | A!A!A!A! |

-- case: navigations-and-functions-in-a-list-after-in
-- why: 1 is neither 3 nor the last id, 4
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(A.id) IN (3, LAST(A.id)) AS a, CLASSIFIER() IN ('X', upper('a')) AS b, MATCH_NUMBER() IN (0, MATCH_NUMBER()) AS c
  PATTERN (A+) DEFINE A AS id IN (FIRST(id), LAST(id, 1) + 1) AND CLASSIFIER() IN ('A', 'B'));
-- expect:
-- | a     | b    | c    |
-- | false | true | true |

-- case: lambdas-reach-what-the-match-knows [One variable per call]
-- why: the first id is 1 for every row tested
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES transform(array(1, 2), x -> x + MATCH_NUMBER()) AS a, transform(array('q'), x -> x || CLASSIFIER()) AS b, COUNT(*) AS n
  PATTERN (A+) DEFINE A AS exists(array(1), x -> x = FIRST(id) AND MATCH_NUMBER() = 1 AND CLASSIFIER() = 'A'));
-- expect:
-- | a      | b    | n |
-- | [2, 3] | [qA] | 4 |

-- case: what-is-not-needed-is-not-computed [Conditions]
-- why: each division by zero comes after what decides already
SELECT * FROM readings MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES TRUE OR MATCH_NUMBER() / 0 > 0 AS a, bool_or(id > 9 AND MATCH_NUMBER() / 0 > 0) AS b, COUNT(*) AS n
  PATTERN (A+) DEFINE A AS IF(id > 0, TRUE, MATCH_NUMBER() / 0 > 1) OR MATCH_NUMBER() / 0 > 0);
-- expect:
-- | a    | b     | n |
-- | true | false | 4 |

-- case: dates-beyond-all-timestamps-compared-with-one [Conditions]
-- why: no row is an A, so B is tested for none, and no date is made a timestamp
SELECT * FROM VALUES (1, DATE'2020-01-01', TIMESTAMP'2020-01-02 00:00:00'),
  (2, DATE'+300000-01-01', TIMESTAMP'2020-01-02 00:00:00') AS t(id, d, ts)
MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a PATTERN (A B) DEFINE A AS id = 5, B AS d < ts);
-- expect:
-- | a |

-- case: conditions-that-differ-in-the-sign-of-zero [Conditions]
-- why: x * 0 is 0 and x * -0 is -0, which are equal as numbers but not as texts; all rows can be A
SELECT * FROM (SELECT id, id % 7 AS x FROM range(30)) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l PATTERN (A+ B+)
  DEFINE A AS STRING(x * 0D) = '0.0', B AS STRING(x * -0D) = '-0.0' AND x > PREV(x));
-- expect:
-- | f | l  |
-- | 0 | 29 |

-- case: aggregates-that-differ-in-the-sign-of-zero [Conditions]
SELECT * FROM VALUES (1, 1), (2, 2), (3, 3) AS t(id, x) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+)
  DEFINE A AS STRING(MAX(x * 0D)) = '0.0' AND STRING(MAX(x * -0D)) = '-0.0');
-- expect:
-- | n |
-- | 3 |

-- case: fields-named-after-columns
-- why: Spark names the fields of a zipped array after the columns, and those of a struct
SELECT * FROM VALUES (1, array(1), named_struct('b', array(2))) AS t(id, a, s) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES to_json(arrays_zip(X.a, X.s.b)) AS x, to_json(ARRAYS_ZIP(a, s.b)) AS p, to_json(struct(X.a, s.b)) AS r
  PATTERN (X));
-- expect:
-- | x               | p               | r                 |
-- | [{"a":1,"b":2}] | [{"a":1,"b":2}] | {"a":[1],"b":[2]} |
