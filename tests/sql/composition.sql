-- The clause as part of a query: over tables, views, subqueries and joins, and under them.

CREATE TEMP VIEW ticks AS SELECT * FROM VALUES
  ('X', 1, 10), ('X', 2, 8), ('X', 3, 12), ('X', 4, 9), ('X', 5, 14),
  ('Y', 1, 5), ('Y', 2, 4), ('Y', 3, 6) AS t(symbol, day, price);

CREATE TEMP VIEW names AS SELECT * FROM VALUES ('X', 'Xylo'), ('Y', 'Yarn'), ('Z', 'Zinc') AS t(symbol, name);

-- case: over-a-subquery
SELECT * FROM (SELECT day, price FROM ticks WHERE symbol = 'Y') MATCH_RECOGNIZE (
  ORDER BY day MEASURES UP.price AS up PATTERN (DOWN UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | up |
-- | 6  |

-- case: over-a-common-table-expression
WITH y AS (SELECT * FROM ticks WHERE symbol = 'Y')
SELECT * FROM y MATCH_RECOGNIZE (
  ORDER BY day MEASURES SUM(price) AS total PATTERN (A+));
-- expect:
-- | total |
-- | 15    |

-- case: in-a-common-table-expression
WITH v AS (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS row_id PATTERN (DOWN UP)
    DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)))
SELECT symbol, COUNT(*) AS n FROM v GROUP BY symbol;
-- expect:
-- | symbol | n |
-- | X      | 2 |
-- | Y      | 1 |

-- case: over-values
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.s || B.s AS word PATTERN (A B));
-- expect:
-- | word |
-- | ab   |

-- case: over-a-table-function
SELECT * FROM range(5) MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(id) AS total PATTERN (A{2} B));
-- expect:
-- | total |
-- | 3     |

-- case: over-a-join-in-parentheses
-- why: Z has no ticks, so the inner join leaves it out
SELECT * FROM (ticks JOIN names USING (symbol)) MATCH_RECOGNIZE (
  PARTITION BY name ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | name | n |
-- | Xylo | 5 |
-- | Yarn | 3 |

-- case: on-the-left-of-a-join
SELECT name, n FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
JOIN names ON names.symbol = m.symbol;
-- expect:
-- | name | n |
-- | Xylo | 5 |
-- | Yarn | 3 |

-- case: on-the-right-of-an-outer-join
SELECT name, n FROM names LEFT JOIN ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
  ON names.symbol = m.symbol;
-- expect:
-- | name | n    |
-- | Xylo | 5    |
-- | Yarn | 3    |
-- | Zinc | NULL |

-- case: joined-with-itself
-- why: X has the pairs of matches (2, 2), (2, 4), (4, 2), (4, 4); one has the left before the right
WITH v AS (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS row_id PATTERN (DOWN UP)
    DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)))
SELECT l.symbol, l.row_id AS one, r.row_id AS two FROM v AS l JOIN v AS r ON l.symbol = r.symbol AND l.row_id < r.row_id;
-- expect:
-- | symbol | one | two |
-- | X      | 2   | 4   |

-- case: filtered-grouped-and-ordered
-- ordered
SELECT symbol, SUM(gain) AS gains FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES UP.price - DOWN.price AS gain
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
WHERE gain > 1 GROUP BY symbol HAVING SUM(gain) > 0 ORDER BY gains DESC;
-- expect:
-- | symbol | gains |
-- | X      | 9     |
-- | Y      | 2     |

-- case: in-a-scalar-subquery
SELECT (SELECT MAX(n) FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+))) AS longest;
-- expect:
-- | longest |
-- | 5       |

-- case: in-an-in-subquery
SELECT name FROM names WHERE symbol IN (
  SELECT symbol FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day PATTERN (A{4})));
-- expect:
-- | name |
-- | Xylo |

-- case: in-a-union
SELECT 'long' AS kind, symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (^ A{4}))
UNION ALL
SELECT 'short', symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (^ A{1,3} $ ));
-- expect:
-- | kind  | symbol |
-- | long  | X      |
-- | short | Y      |

-- case: two-clauses-in-one-from
SELECT a.n AS x, b.n AS y FROM
  (SELECT * FROM ticks WHERE symbol = 'X') MATCH_RECOGNIZE (ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS a,
  (SELECT * FROM ticks WHERE symbol = 'Y') MATCH_RECOGNIZE (ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS b;
-- expect:
-- | x | y |
-- | 5 | 3 |

-- case: nested
-- why: the inner clause finds a rise to 12 on day 3 and one to 14 on day 5 of X, and one of Y; the outer
-- one looks for two rises in a row, the second higher
SELECT * FROM (
  SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day
    MEASURES UP.day AS day, UP.price AS top
    PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
  ) MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES LOW.top AS low, HIGH.top AS high
  PATTERN (LOW HIGH) DEFINE HIGH AS top > LOW.top);
-- expect:
-- | symbol | low | high |
-- | X      | 12  | 14   |

-- case: over-a-view-with-the-clause
CREATE TEMP VIEW dips AS SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS day, DOWN.price AS low
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
SELECT * FROM dips WHERE low < 9;
-- expect:
-- | symbol | day | low |
-- | X      | 2   | 8   |
-- | Y      | 2   | 4   |

-- case: a-condition-on-a-precomputed-window
-- why: window functions belong in a subquery: the mean of X is 10.6, above it are days 3 and 5; that of Y is 5
SELECT * FROM (SELECT *, AVG(price) OVER (PARTITION BY symbol) AS mean FROM ticks) MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES A.day AS day PATTERN (A) DEFINE A AS price > mean);
-- expect:
-- | symbol | day |
-- | X      | 3   |
-- | X      | 5   |
-- | Y      | 3   |

-- case: limited
SELECT COUNT(*) AS n FROM (SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day ALL ROWS PER MATCH PATTERN (A+)) LIMIT 4);
-- expect:
-- | n |
-- | 4 |

-- case: a-view-used-twice
CREATE OR REPLACE TEMP VIEW falls AS SELECT * FROM VALUES (1, 5), (2, 3), (3, 4) AS t(day, price) MATCH_RECOGNIZE (
  ORDER BY day MEASURES DOWN.price AS low PATTERN (DOWN UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)) AS m WHERE low > 0;
SELECT l.low, r.low AS again FROM falls AS l JOIN falls AS r ON l.low = r.low;
-- expect:
-- | low | again |
-- | 3   | 3     |

-- case: create-table-as-select
DROP TABLE IF EXISTS golden_dips;
CREATE TABLE golden_dips USING parquet AS SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES DOWN.price AS low, COUNT(*) AS n
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)) AS m;
SELECT * FROM golden_dips;
-- expect:
-- | symbol : string | low : int | n : bigint |
-- | X               | 8         | 2          |
-- | X               | 9         | 2          |
-- | Y               | 4         | 2          |

-- case: insert
DROP TABLE IF EXISTS golden_rows;
CREATE TABLE golden_rows (symbol STRING, n BIGINT) USING parquet;
INSERT INTO golden_rows SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+));
INSERT INTO golden_rows (n, symbol) SELECT m.n, 'all' FROM ticks MATCH_RECOGNIZE (
  ORDER BY symbol, day MEASURES COUNT(*) AS n PATTERN (A+)) m;
SELECT * FROM golden_rows;
-- expect:
-- | symbol | n |
-- | X      | 5 |
-- | Y      | 3 |
-- | all    | 8 |

-- case: insert-into-two-tables
DROP TABLE IF EXISTS golden_one;
DROP TABLE IF EXISTS golden_two;
CREATE TABLE golden_one (n BIGINT) USING parquet;
CREATE TABLE golden_two (symbol STRING) USING parquet;
FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
INSERT INTO golden_one SELECT n WHERE n > 3
INSERT INTO golden_two SELECT symbol;
SELECT 'one' AS t, CAST(n AS STRING) AS v FROM golden_one UNION ALL SELECT 'two', symbol FROM golden_two;
-- expect:
-- | t   | v |
-- | one | 5 |
-- | two | X |
-- | two | Y |

-- case: cached
CACHE TABLE golden_cached AS SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+));
SELECT * FROM golden_cached WHERE n > 3;
-- expect:
-- | symbol | n |
-- | X      | 5 |

-- case: one-clause-used-twice
-- why: both sides are the same plan: the columns of one must not be taken for those of the other
SELECT l.n AS a, r.n AS b FROM
  (SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+))) AS l
  JOIN (SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+))) AS r
  ON l.n > r.n;
-- expect:
-- | a | b |
-- | 5 | 3 |

-- case: a-view-with-the-clause-joined-with-its-own-input
CREATE OR REPLACE TEMP VIEW lows AS SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES DOWN.day AS day PATTERN (DOWN UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
SELECT t.symbol, t.price FROM ticks AS t JOIN lows USING (symbol, day);
-- expect:
-- | symbol | price |
-- | X      | 8     |
-- | X      | 9     |
-- | Y      | 4     |

-- case: nested-three-deep
-- why: the inner clauses keep every row, so the outer one counts the rows of Y
SELECT * FROM (SELECT * FROM (SELECT * FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day ALL ROWS PER MATCH PATTERN (A+))) MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day ALL ROWS PER MATCH PATTERN (A+)) WHERE symbol = 'Y') MATCH_RECOGNIZE (
  ORDER BY day MEASURES COUNT(*) AS n, SUM(price) AS total PATTERN (A+));
-- expect:
-- | n | total |
-- | 3 | 15    |

-- case: in-a-subquery-of-define
-- why: the longest run has 5 rows; rows of X with a day below it are 1 to 4, the pattern takes them all
SELECT * FROM (SELECT * FROM ticks WHERE symbol = 'X') MATCH_RECOGNIZE (
  ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)
  DEFINE A AS day < (SELECT MAX(n) FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (B+))));
-- expect:
-- | n |
-- | 4 |

-- case: in-a-correlated-exists
SELECT name FROM names WHERE EXISTS (
  SELECT 1 FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
  WHERE m.symbol = names.symbol AND m.n > 3);
-- expect:
-- | name |
-- | Xylo |

-- case: lateral
SELECT name, n FROM names, LATERAL (SELECT * FROM ticks) MATCH_RECOGNIZE (
  ORDER BY symbol, day MEASURES COUNT(*) AS n PATTERN (A+)) AS m;
-- expect:
-- | name | n |
-- | Xylo | 8 |
-- | Yarn | 8 |
-- | Zinc | 8 |

-- case: lateral-around-the-clause
-- why: the condition on the outer row is above the clause
SELECT name, n FROM names, LATERAL (SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) AS m WHERE m.symbol = names.symbol);
-- expect:
-- | name | n |
-- | Xylo | 5 |
-- | Yarn | 3 |

-- case: lateral-view-after-the-clause
SELECT symbol, e FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES array_agg(price) AS all PATTERN (A{2})) AS m
LATERAL VIEW explode(all) x AS e WHERE symbol = 'Y';
-- expect:
-- | symbol | e |
-- | Y      | 5 |
-- | Y      | 4 |

-- case: pivot-after-the-clause
SELECT * FROM (SELECT symbol, n FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+))) PIVOT (SUM(n) FOR symbol IN ('X' AS x, 'Y' AS y));
-- expect:
-- | x | y |
-- | 5 | 3 |

-- case: a-window-over-the-result
SELECT symbol, low, RANK() OVER (ORDER BY low DESC) AS place FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES DOWN.price AS low
  PATTERN (DOWN UP) DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | symbol | low | place |
-- | X      | 9   | 1     |
-- | X      | 8   | 2     |
-- | Y      | 4   | 3     |

-- case: except-and-intersect
SELECT symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (A{3}))
EXCEPT
SELECT symbol FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day PATTERN (A{4}));
-- expect:
-- | symbol |
-- | Y      |

-- case: from-first
FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) m SELECT m.n WHERE m.n > 3;
-- expect:
-- | n |
-- | 5 |

-- case: in-a-subquery-of-measures
SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES COUNT(*) AS n, (SELECT MAX(m) FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS m PATTERN (B+))) AS longest
  PATTERN (A+));
-- expect:
-- | symbol | n | longest |
-- | X      | 5 | 5       |
-- | Y      | 3 | 5       |

-- case: a-variable-wins-over-a-table-outside
-- why: B is mapped on days 2 and 4 of X and day 2 of Y, with 8, 9 and 4; the table b outside has no price
SELECT name, (SELECT MAX(p) FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES FIRST(B.price) AS p PATTERN (A B))) AS most
FROM names AS b WHERE b.symbol = 'X';
-- expect:
-- | name | most |
-- | Xylo | 9    |

-- case: over-a-grouped-subquery
SELECT * FROM (SELECT symbol, SUM(price) AS total FROM ticks GROUP BY symbol) MATCH_RECOGNIZE (
  ORDER BY total MEASURES LAST(symbol) AS top, LAST(total) AS most, COUNT(*) AS n PATTERN (A+));
-- expect:
-- | top | most | n |
-- | X   | 53   | 2 |

-- case: clauses-that-differ-in-one-part
-- why: Spark computes equal subqueries once, and these are not equal. Over 0 to 5 in pairs: three matches of two rows;
-- running counts 1 2 1 2 1 2; five overlapping matches; one match of four rows; sums of all ids; one pair below 2;
-- the second ids 1 3 5, in the other order 4 2 0; the first ids 0 2 4 as a subset, and both ids
SELECT
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A{2}))) AS pairs,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A{2}))) AS all_rows,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n AFTER MATCH SKIP TO NEXT ROW PATTERN (A{2}))) AS overlap,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A{4}))) AS fours,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES SUM(id) AS n PATTERN (A{2}))) AS sums,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A{2}) DEFINE A AS id < 2)) AS below,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(id) AS n PATTERN (A{2}))) AS ascending,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id DESC MEASURES LAST(id) AS n PATTERN (A{2}))) AS descending,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES SUM(U.id) AS n PATTERN (A B) SUBSET U = (A))) AS of_one,
  (SELECT SUM(n) FROM range(6) MATCH_RECOGNIZE (ORDER BY id MEASURES SUM(U.id) AS n PATTERN (A B) SUBSET U = (A, B))) AS of_both;
-- expect:
-- | pairs | all_rows | overlap | fours | sums | below | ascending | descending | of_one | of_both |
-- | 6     | 9        | 10      | 4     | 15   | 2     | 9         | 6          | 6      | 15      |

-- case: columns-whose-names-can-begin-a-query
SELECT * FROM VALUES (1, 5, 9), (2, 7, 8) AS t(id, `values`, `from`) MATCH_RECOGNIZE (
  ORDER BY id MEASURES COALESCE(from, PREV(values)) AS a, ABS(values - PREV(values)) AS b
  PATTERN (A) DEFINE A AS (values > PREV(values)) AND (from > 1) AND EXISTS (FROM ticks SELECT 1));
-- expect:
-- | a | b |
-- | 8 | 2 |

-- case: a-pipe-within-a-condition
-- spark: 4.0+, no pipe syntax before
SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES A.day AS day PATTERN (A)
  DEFINE A AS day IN (FROM ticks |> MATCH_RECOGNIZE (ORDER BY day MEASURES MIN(day) AS d PATTERN (B+))
    |> SELECT d) AND PREV(day) IS NULL AND FIRST(day, 0) = day) WHERE symbol = 'X';
-- expect:
-- | symbol | day |
-- | X      | 1   |

-- case: pipes
-- spark: 4.0+, no pipe syntax before
FROM ticks
|> WHERE symbol = 'X'
|> MATCH_RECOGNIZE (
  ORDER BY day MEASURES DOWN.day AS day, DOWN.price AS low PATTERN (DOWN UP)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price))
|> EXTEND low * 2 AS twice
|> MATCH_RECOGNIZE (ORDER BY day MEASURES SUM(twice) AS total PATTERN (A+)) AS m
|> SELECT m.total;
-- expect:
-- | total |
-- | 34    |

-- case: pipes-with-aliases
-- spark: 4.0+, no pipe syntax before
FROM ticks
|> AS s
|> MATCH_RECOGNIZE (PARTITION BY s.symbol ORDER BY s.day MEASURES COUNT(*) AS n PATTERN (A+)) AS m
|> WHERE m.n > 3
|> SELECT m.symbol;
-- expect:
-- | symbol |
-- | X      |

-- case: execute-immediate
-- spark: 4.0+, no EXECUTE IMMEDIATE before
EXECUTE IMMEDIATE 'SELECT * FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A{:n}) DEFINE A AS price > :least)' USING 2 AS n, 8 AS least;
-- expect:
-- | symbol | n |
-- | X      | 2 |

-- case: execute-immediate-with-an-offset
-- spark: 4.0+, no EXECUTE IMMEDIATE before
-- why: two rows before the last of five
EXECUTE IMMEDIATE 'SELECT symbol, before FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day MEASURES LAST(A.day, :back) AS before PATTERN (^A+$)) WHERE symbol = "X"' USING 2 AS back;
-- expect:
-- | symbol | before |
-- | X      | 3      |

-- case: a-script
-- spark: 4.0+, no SQL scripts before
-- conf: spark.sql.scripting.enabled=true
-- script
BEGIN
  DECLARE longest BIGINT;
  SET longest = (SELECT MAX(n) FROM ticks MATCH_RECOGNIZE (
    PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)));
  SELECT symbol, longest FROM ticks MATCH_RECOGNIZE (PARTITION BY symbol ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+)) m
  WHERE m.n = longest;
END
-- expect:
-- | symbol | longest |
-- | X      | 5       |

-- case: names-after-a-clause-without-an-alias-are-of-tables-outside
-- why: ticks.day is the outer table's; matches end at the days 2 and 4, of which both rows have LAST(day) 1 or 2, 3 or 4
SELECT day FROM VALUES (1, 10), (2, 8), (3, 9), (4, 6), (5, 6) AS ticks(day, price) WHERE EXISTS (
  SELECT 1 FROM VALUES (1, 10), (2, 8), (3, 9), (4, 6), (5, 6) AS ticks(day, price) MATCH_RECOGNIZE (
    ORDER BY day MEASURES LAST(day) AS d
    PATTERN (A B) DEFINE B AS price < PREV(price)) WHERE d = ticks.day);
-- expect:
-- | day |
-- | 2   |
-- | 4   |

-- case: a-column-of-the-input-is-unknown-after-a-clause-without-an-alias
SELECT d FROM VALUES (1, 10), (2, 8) AS ticks(day, price) MATCH_RECOGNIZE (
  ORDER BY day MEASURES LAST(day) AS d PATTERN (A)) WHERE price > 9;
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION
