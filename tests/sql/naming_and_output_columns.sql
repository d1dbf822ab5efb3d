-- Names: variables, aliases, output columns and their order (semantics.md: Names, Output columns and Output order).

CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 10, 'm'), (2, 20, 'n') AS t(id, price, note);

-- case: the-alias-qualifies-the-output
SELECT m.a, m.b FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a, B.price AS b PATTERN (A B)) AS m;
-- expect:
-- | a  | b  |
-- | 10 | 20 |

-- case: the-alias-without-as
SELECT m.* FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a PATTERN (A B)) m;
-- expect:
-- | a  |
-- | 10 |

-- case: the-alias-with-column-names
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS a, B.price AS b PATTERN (A B)) AS m (low, high);
-- expect:
-- | low | high |
-- | 10  | 20   |

-- case: a-measure-name-without-as
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price low, LAST(B.price) high PATTERN (A B));
-- expect:
-- | low | high |
-- | 10  | 20   |

-- case: names-come-out-as-written
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES a.PRICE AS firstPrice, B.Price AS `last price` PATTERN (A B));
-- expect:
-- | firstPrice | last price |
-- | 10         | 20         |

-- case: variables-ignore-case
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES up.price AS p PATTERN (start_row Up) DEFINE uP AS UP.price > START_ROW.price);
-- expect:
-- | p  |
-- | 20 |

-- case: a-variable-wins-over-a-struct-of-its-name
-- why: A is a variable, so A.x is column x of A's rows, and A.A.x reaches into the struct
SELECT * FROM VALUES (1, 5, named_struct('x', 7)) AS t(id, x, a) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.x AS col, A.A.x AS field PATTERN (A));
-- expect:
-- | col | field |
-- | 5   | 7     |

-- case: a-struct-field-without-a-variable
SELECT * FROM VALUES (1, named_struct('x', 7)), (2, named_struct('x', 9)) AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES s.x AS cur, FIRST(A.s.x) AS f PATTERN (A B) DEFINE B AS B.s.x > A.s.x);
-- expect:
-- | cur | f |
-- | 9   | 7 |

-- case: reserved-words-are-variables-in-pattern
SELECT id, var FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS var ALL ROWS PER MATCH
  PATTERN (SELECT FROM) DEFINE SELECT AS price = 10);
-- expect:
-- | id | var    |
-- | 1  | SELECT |
-- | 2  | FROM   |

-- case: the-clauses-words-are-names-elsewhere
SELECT pattern, define, measures FROM VALUES (1, 2, 3) AS match_recognize(pattern, define, measures);
-- expect:
-- | pattern | define | measures |
-- | 1       | 2      | 3        |

-- case: columns-called-like-the-clauses-words
SELECT * FROM VALUES (1, 2) AS t(pattern, define) MATCH_RECOGNIZE (
  ORDER BY pattern MEASURES A.define AS measures PATTERN (A) DEFINE A AS define = 2);
-- expect:
-- | measures |
-- | 2        |

-- case: a-measure-may-have-an-input-columns-name-with-one-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS id, SUM(price) AS price PATTERN (A B));
-- expect:
-- | id | price |
-- | 1  | 30    |

-- case: select-star-and-more
SELECT m.*, m.n + 1 AS more FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A B)) AS m;
-- expect:
-- | id | n | price | note | more |
-- | 1  | 1 | 10    | m    | 2    |
-- | 2  | 2 | 20    | n    | 3    |

-- case: words-that-go-on-are-no-alias
-- why: ONE ROW after the last measure opens the next part; it is not the measure's name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) AS n
  ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A B)) match_result;
-- expect:
-- | n |
-- | 2 |

-- Names: the input's own alias

-- case: the-inputs-alias-is-gone-after-the-clause [Output columns]
-- why: the clause's alias qualifies its columns, and nothing else does
SELECT x.id FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES A.id AS id PATTERN (A)) AS m;
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION

-- case: the-inputs-alias-in-define [Names]
SELECT * FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES A.id AS id PATTERN (A) DEFINE A AS x.price > 1);
-- error: MATCH_RECOGNIZE.INPUT_ALIAS [42703]
-- underlines: x.price
-- says: Write price or A.price

-- case: the-inputs-alias-in-measures [Names]
SELECT * FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES SUM(x.price) AS total PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS
-- underlines: x.price

-- case: the-inputs-alias-after-a-variable [Names]
SELECT * FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES A.x.price AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS

-- case: identifier-means-what-it-spells [Names]
-- why: row 1 has the price 10; row 2 is of another partition
SELECT * FROM t AS x MATCH_RECOGNIZE (
  PARTITION BY IDENTIFIER('x.' || 'note') ORDER BY IDENTIFIER('x.id')
  MEASURES IDENTIFIER('A.price') AS low, LAST(IDENTIFIER('A' || '.price') + 1) AS more,
           IDENTIFIER('max')(IDENTIFIER('price')) AS high
  PATTERN (A B?) DEFINE A AS IDENTIFIER('A.price') = 10, B AS IDENTIFIER('price') > A.price);
-- expect:
-- | note | low | more | high |
-- | m    | 10  | 11   | 10   |

-- case: identifier-with-the-inputs-alias [Names]
SELECT * FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES IDENTIFIER('x.price') AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS
-- underlines: IDENTIFIER('x.price')

-- case: identifier-with-a-variable-that-is-never-mapped [Names]
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES IDENTIFIER('B.price') AS p PATTERN (A [^B]) DEFINE B AS price > 1);
-- error: MATCH_RECOGNIZE.NEVER_MAPPED
-- underlines: IDENTIFIER('B.price')

-- case: the-name-of-a-table-without-an-alias [Names]
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY t.id MEASURES t.price AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS
-- underlines: t.price

-- case: the-inputs-alias-in-a-lambda [Names]
SELECT * FROM t AS x MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES transform(array(1), e -> e + x.price) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS
-- underlines: x.price

-- case: tables-of-a-join-in-the-keys-only [Names]
SELECT * FROM (t AS l JOIN t AS r ON l.id = r.id) MATCH_RECOGNIZE (
  PARTITION BY l.note ORDER BY r.id MEASURES l.price AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.INPUT_ALIAS
-- says: in a subquery

-- case: a-column-of-a-join-in-the-keys [Names]
SELECT * FROM (t AS l JOIN (SELECT id AS other FROM t) AS r ON l.id = r.other) MATCH_RECOGNIZE (
  PARTITION BY l.note ORDER BY r.other MEASURES SUM(other) AS total PATTERN (A+));
-- expect:
-- | note | total |
-- | m    | 1     |
-- | n    | 2     |

-- case: an-alias-called-like-a-variable [Names]
-- why: in the keys A is the table, in MEASURES and DEFINE the variable
SELECT * FROM t AS A MATCH_RECOGNIZE (
  PARTITION BY A.note ORDER BY A.id MEASURES LAST(A.price) AS p PATTERN (A) DEFINE A AS A.price > 10);
-- expect:
-- | note | p  |
-- | n    | 20 |

-- case: a-struct-called-like-the-inputs-alias [Names]
-- why: s is the column, since the alias s is not known here; column f (3) is not field f (7)
SELECT * FROM VALUES (1, 3, named_struct('f', 7)) AS s(id, f, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES s.f AS a, A.s.f AS b, LAST(s.f) AS c PATTERN (A) DEFINE A AS s.f = 7);
-- expect:
-- | a | b | c |
-- | 7 | 7 | 7 |

-- case: a-map-and-a-struct-in-an-array [Names]
SELECT * FROM VALUES (1, map('k', 5), array(named_struct('f', 7))) AS x(id, m, l) MATCH_RECOGNIZE (
  ORDER BY x.id MEASURES m.k AS a, A.m.k AS b, l.f AS c PATTERN (A));
-- expect:
-- | a | b | c   |
-- | 5 | 5 | [7] |

-- case: a-column-called-like-a-variable [Names]
-- why: A is mapped on rows 1 and 3, and a is NULL on row 3
SELECT * FROM VALUES (1, 7), (2, 8), (3, NULL) AS t(id, a) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(A.a) AS of_a, COUNT(a) AS of_all, COUNT(A.*) AS rows_a, a AS cur, FIRST(A.a) AS first_a, B.a AS b
  PATTERN (A B A));
-- expect:
-- | of_a | of_all | rows_a | cur  | first_a | b |
-- | 1    | 2      | 2      | NULL | 7       | 8 |

-- case: columns-called-like-the-functions [Names]
SELECT * FROM VALUES (5, 6, 7) AS t(match_number, classifier, first) MATCH_RECOGNIZE (
  ORDER BY match_number
  MEASURES match_number AS a, MATCH_NUMBER() AS b, A.classifier AS c, CLASSIFIER() AS d, first AS e, FIRST(first) AS f
  PATTERN (A) DEFINE A AS A.first = 7);
-- expect:
-- | a | b | c | d | e | f |
-- | 5 | 1 | 6 | A | 7 | 7 |

-- case: a-column-with-a-dot-in-its-name [Names]
-- why: in back quotes the dot is a part of the name, without them it reaches into the struct
SELECT * FROM VALUES (1, 10, named_struct('y', 20)) AS t(id, `x.y`, x) MATCH_RECOGNIZE (
  ORDER BY id MEASURES `x.y` AS a, x.y AS b, A.`x.y` AS c, A.x.y AS d, LAST(A.`x.y` + A.x.y) AS e PATTERN (A));
-- expect:
-- | a  | b  | c  | d  | e  |
-- | 10 | 20 | 10 | 20 | 30 |

-- case: a-table-with-its-schema-in-the-keys [Names]
DROP TABLE IF EXISTS golden_keys;
CREATE TABLE golden_keys USING parquet AS SELECT * FROM t;
SELECT * FROM default.golden_keys MATCH_RECOGNIZE (
  PARTITION BY default.golden_keys.note ORDER BY golden_keys.id MEASURES price AS p PATTERN (A));
-- expect:
-- | note | p  |
-- | m    | 10 |
-- | n    | 20 |

-- case: an-ambiguous-column [Names]
SELECT * FROM (t AS l JOIN t AS r ON l.id = r.id) MATCH_RECOGNIZE (
  ORDER BY l.id MEASURES price AS p PATTERN (A));
-- error: AMBIGUOUS_REFERENCE

-- case: a-measure-does-not-see-another [Names]
-- why: a measure is over the input's columns, and n is none
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n, n + 1 AS more PATTERN (A));
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION

-- Names: case and quotes

-- case: case-sensitive-variables [Names]
-- conf: spark.sql.caseSensitive=true
-- why: a and A are two variables: the rows 10 and 20
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES a.price AS first, A.price AS second, CLASSIFIER(a) AS c, CLASSIFIER(A) AS d
  PATTERN (a A) DEFINE A AS price > a.price);
-- expect:
-- | first | second | c | d |
-- | 10    | 20     | a | A |

-- case: case-sensitive-an-unknown-variable [Names]
-- conf: spark.sql.caseSensitive=true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES a.price AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.UNKNOWN_VARIABLE
-- underlines: a.price

-- case: case-sensitive-output-columns [Output columns]
-- conf: spark.sql.caseSensitive=true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price) AS p, LAST(price) AS P PATTERN (A B));
-- expect:
-- | p  | P  |
-- | 10 | 20 |

-- case: back-quoted-variables-hold-any-character [Names]
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES `the first`.price AS a, COUNT(`2nd`.*) AS n, CLASSIFIER() AS c
  PATTERN (`the first` `2nd`) DEFINE `2nd` AS `2nd`.price > `the first`.price);
-- expect:
-- | a  | n | c   |
-- | 10 | 1 | 2nd |

-- case: quoted-and-unquoted-are-one-variable [Names]
-- why: the first occurrence is quoted, so the name shows as written
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(UP.*) AS n, CLASSIFIER() AS c PATTERN (`Up` up));
-- expect:
-- | n | c  |
-- | 2 | Up |

-- case: a-back-quoted-function-is-sparks [Names]
-- why: `first` is Spark's aggregate over the rows mapped, first(price, true) skips NULLs; FIRST is the navigation
SELECT * FROM VALUES (1, NULL), (2, 5) AS t(id, price) MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price) AS a, `first`(price, true) AS b PATTERN (A B));
-- expect:
-- | a    | b |
-- | NULL | 5 |

-- Output columns: output columns

-- case: a-back-quoted-alias [Output columns]
SELECT `m n`.`a b` FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS `a b` PATTERN (A B)) AS `m n`;
-- expect:
-- | a b |
-- | 10  |

-- case: a-double-quoted-alias [Output columns]
-- conf: spark.sql.ansi.enabled=true
-- conf: spark.sql.ansi.doubleQuotedIdentifiers=true
SELECT "the match"."lowest price" FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS low PATTERN (A B)) "the match" ("lowest price")
UNION ALL
SELECT "m"."low" FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.price AS "low" PATTERN (A)) AS "m";
-- expect:
-- | lowest price |
-- | 10           |
-- | 10           |
-- | 20           |

-- case: column-names-of-the-alias-with-all-rows [Output columns]
SELECT m.k, m.* FROM t MATCH_RECOGNIZE (
  PARTITION BY note ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A)) AS m (k, o, c, p);
-- expect:
-- | k | k | o | c | p  |
-- | m | m | 1 | 1 | 10 |
-- | n | n | 2 | 1 | 20 |

-- case: the-order-of-the-columns [Output columns]
-- why: partition columns, order columns, measures, then the remaining input columns as the table has them
SELECT * FROM VALUES ('r', 1, 'k', 5, 's') AS t(rest, o, p, v, last) MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY o, v DESC MEASURES 1 AS one, 'x' AS two ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | p : string | o : int | v : int | one : int | two : string | rest | last |
-- | k          | 1       | 5       | 1         | x            | r    | s    |

-- case: a-key-with-another-name-leaves-its-column [Output columns]
-- why: note AS k is a new column, so note stays among the input columns
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY note AS k ORDER BY id MEASURES 1 AS one ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | k | id | one | price | note |
-- | m | 1  | 1   | 10    | m    |
-- | n | 2  | 1   | 20    | n    |

-- case: key-expressions-have-sparks-names [Output columns]
-- why: an ORDER BY expression without a name is not output
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY id % 1, upper(note) ORDER BY price + 1, -price AS minus MEASURES 1 AS one ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | (id % 1) | upper(note) | minus | one | id | price | note |
-- | 0        | M           | -10   | 1   | 1  | 10    | m    |
-- | 0        | N           | -20   | 1   | 2  | 20    | n    |

-- case: a-struct-field-as-a-key [Output columns]
-- why: the name that Spark gives it is that of the field
SELECT * FROM VALUES (1, named_struct('f', 'k')) AS t(id, s) MATCH_RECOGNIZE (
  PARTITION BY s.f ORDER BY id MEASURES COUNT(*) AS n PATTERN (A));
-- expect:
-- | f | n |
-- | k | 1 |

-- case: the-same-partition-column-twice [Output columns]
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY note, note ORDER BY id MEASURES 1 AS one PATTERN (A));
-- expect:
-- | note | one |
-- | m    | 1   |
-- | n    | 1   |

-- case: a-measure-called-like-the-partition-column [Output columns]
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY note ORDER BY id MEASURES id AS note PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN [42711]

-- case: an-order-key-called-like-an-input-column [Output columns]
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY -id AS price ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN

-- case: an-input-with-two-columns-of-one-name [Output columns]
-- why: with ONE ROW the input's columns are not output
SELECT * FROM (t AS l JOIN t AS r ON l.id = r.id) MATCH_RECOGNIZE (
  PARTITION BY l.note ORDER BY l.id MEASURES COUNT(*) AS n PATTERN (A));
-- expect:
-- | note | n |
-- | m    | 1 |
-- | n    | 1 |

-- case: all-rows-of-an-input-with-two-columns-of-one-name [Output columns]
SELECT * FROM (t AS l JOIN t AS r ON l.id = r.id) MATCH_RECOGNIZE (
  ORDER BY l.id ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN

-- case: too-few-column-names [Output columns]
-- spark: 4.0+, Spark has no name for the condition before
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one, 2 AS two PATTERN (A)) AS m (x);
-- error: ASSIGNMENT_ARITY_MISMATCH

-- case: too-few-column-names-on-3.5 [Output columns]
-- spark: 3.5, Spark says so with a number for the condition
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one, 2 AS two PATTERN (A)) AS m (x);
-- error: _LEGACY_ERROR_TEMP_1028
-- says: Number of column aliases: 1; number of columns: 2

-- case: no-hidden-metadata-column [Output columns]
-- why: a file has a hidden column _metadata; the clause's output has none
DROP TABLE IF EXISTS golden_files;
CREATE TABLE golden_files USING parquet AS SELECT * FROM t;
SELECT _metadata FROM golden_files MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN (A));
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION

-- case: select-star-without-metadata [Output columns]
DROP TABLE IF EXISTS golden_files;
CREATE TABLE golden_files USING parquet AS SELECT * FROM t;
SELECT * FROM golden_files MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN (A B));
-- expect:
-- | id | price | note |
-- | 1  | 10    | m    |
-- | 2  | 20    | n    |

-- case: a-hidden-column-of-the-input-in-a-measure [Names]
-- why: the input's hidden columns are columns of its rows
DROP TABLE IF EXISTS golden_files;
CREATE TABLE golden_files USING parquet AS SELECT * FROM t;
SELECT * FROM golden_files MATCH_RECOGNIZE (
  ORDER BY id MEASURES _metadata.file_size > 0 AS a, LAST(A._metadata.file_name) LIKE '%.parquet' AS b PATTERN (A B));
-- expect:
-- | a    | b    |
-- | true | true |

-- Output order: output order

-- case: matches-follow-each-other-and-unmatched-rows-keep-their-place [Output order]
-- ordered
-- why: row 1 starts no match and comes first; the match 2, 3 is output before the match 3, 4; row 4 is covered
SELECT id, n FROM VALUES (1), (2), (3), (4) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS n ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A B) DEFINE A AS id >= 2);
-- expect:
-- | id | n    |
-- | 1  | NULL |
-- | 2  | 1    |
-- | 3  | 1    |
-- | 3  | 2    |
-- | 4  | 2    |

-- case: partitions-are-not-interleaved [Output order]
-- why: of six rows in three partitions only two follow a row of another partition
SELECT COUNT(*) AS changes FROM (
  SELECT p, LAG(p) OVER (ORDER BY place) AS before FROM (
    SELECT p, monotonically_increasing_id() AS place
    FROM VALUES ('a', 1), ('b', 1), ('c', 1), ('a', 2), ('b', 2), ('c', 2) AS t(p, id) MATCH_RECOGNIZE (
      PARTITION BY p ORDER BY id ALL ROWS PER MATCH PATTERN (A)))) WHERE p <> before;
-- expect:
-- | changes |
-- | 2       |
