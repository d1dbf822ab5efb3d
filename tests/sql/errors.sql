-- What is refused. Each misuse has a condition of its own and says what to write instead
-- (semantics.md, Errors; docs/errors.md lists all of them).

CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 10, 'a'), (2, 20, 'b') AS t(id, price, s);

-- Variables

-- case: unknown-variable-in-measures
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES Z.price AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.UNKNOWN_VARIABLE [42703]

-- case: unknown-variable-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS Z.price > 1);
-- error: MATCH_RECOGNIZE.UNKNOWN_VARIABLE [42703]

-- case: unknown-column
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS A.cost > 1);
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION [42703]
-- says: `cost`

-- case: define-of-a-variable-that-the-pattern-does-not-use
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE B AS price > 1);
-- error: MATCH_RECOGNIZE.DEFINE_NOT_IN_PATTERN
-- says: B

-- case: two-definitions-of-one-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS price > 1, a AS price < 9);
-- error: MATCH_RECOGNIZE.DEFINED_TWICE

-- case: unknown-variable-in-subset
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) SUBSET U = (A, B));
-- error: MATCH_RECOGNIZE.SUBSET_UNKNOWN_MEMBER

-- case: a-subset-of-a-subset
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A B) SUBSET U = (A, B), W = (U, A));
-- error: MATCH_RECOGNIZE.SUBSET_NESTED

-- case: a-subset-with-the-name-of-a-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A B) SUBSET A = (A, B));
-- error: MATCH_RECOGNIZE.SUBSET_NAME_TAKEN

-- case: two-subsets-of-one-name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A B) SUBSET U = (A), U = (B));
-- error: MATCH_RECOGNIZE.SUBSET_TWICE

-- case: a-definition-of-a-subset
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A B) SUBSET U = (A, B) DEFINE U AS price > 1);
-- error: MATCH_RECOGNIZE.DEFINE_OF_SUBSET

-- case: an-unknown-skip-target
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO Z PATTERN (A));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET
-- says: Z

-- case: classifier-of-no-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER(Z) AS c PATTERN (A));
-- error: MATCH_RECOGNIZE.NOT_A_VARIABLE

-- case: a-second-definition-in-back-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS price > 1, `a` AS price < 9);
-- error: MATCH_RECOGNIZE.DEFINED_TWICE
-- underlines: `a`

-- case: counting-rows-of-no-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(Z.*) AS n PATTERN (A));
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED
-- underlines: Z.*

-- case: a-classifier-of-all-rows-beside-a-variables-column
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.s || CLASSIFIER()) AS n PATTERN (A));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES
-- underlines: LAST(A.s || CLASSIFIER())

-- case: a-filter-by-classifier-of-a-variables-sum
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(A.price) FILTER (WHERE CLASSIFIER() = 'A') AS n PATTERN (A));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES
-- underlines: SUM(A.price) FILTER (WHERE CLASSIFIER() = 'A')

-- case: rows-of-a-variable-in-another-aggregate
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MIN(A.*) AS low PATTERN (A));
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED
-- underlines: A.*

-- case: all-columns-in-a-condition
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS COUNT(struct(*)) > 0);
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED [42601]
-- underlines: *

-- case: a-variable-in-a-subquery
-- why: within a subquery A is no variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES (SELECT A.price) AS p PATTERN (A));
-- error: UNRESOLVED_COLUMN.WITHOUT_SUGGESTION [42703]

-- case: a-subquery-of-two-columns-for-one-value
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS NOT A.price IN (SELECT 1, 2));
-- error: DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH [42K09]
-- says: (length: 2): ["1", "2"]

-- case: a-subquery-of-another-type
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES (PREV(id), DATE'2020-01-01') IN (SELECT 1, 2) AS pair PATTERN (A));
-- error: DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH [42K09]
-- says: is not compatible with the data type of the output of the subquery

-- case: a-subquery-of-another-type-for-a-key
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY id IN (SELECT DATE'2020-01-01') AS seen MEASURES COUNT(*) AS n PATTERN (A));
-- error: DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH [42K09]
-- says: is not compatible with the data type of the output of the subquery

-- Conditions and expressions

-- case: a-condition-that-is-not-boolean
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS price + 1);
-- error: MATCH_RECOGNIZE.CONDITION_NOT_BOOLEAN
-- says: INT
-- underlines: price + 1

-- case: a-condition-that-is-a-column-alone-and-not-boolean
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS price);
-- error: MATCH_RECOGNIZE.CONDITION_NOT_BOOLEAN
-- underlines: price

-- case: a-measure-that-is-a-column-alone-under-a-name-that-is-taken
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES price AS s ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN
-- underlines: price

-- case: final-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS FINAL LAST(price) > 1);
-- error: MATCH_RECOGNIZE.FINAL_IN_DEFINE

-- case: a-condition-that-is-a-string
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS 'yes');
-- error: MATCH_RECOGNIZE.CONDITION_NOT_BOOLEAN [42804]
-- says: STRING

-- case: final-before-an-aggregate-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS FINAL AVG(price) > 1);
-- error: MATCH_RECOGNIZE.FINAL_IN_DEFINE
-- underlines: FINAL

-- case: final-before-a-scalar-function
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL upper(s) AS u PATTERN (A));
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED
-- underlines: FINAL upper(s)

-- case: final-before-a-column-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A) DEFINE A AS FINAL price > 1);
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED
-- underlines: FINAL price
-- says: Remove FINAL.

-- case: final-before-prev
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL PREV(price) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED

-- case: final-before-classifier
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL CLASSIFIER() AS c PATTERN (A));
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED

-- case: final-before-a-scalar-function-in-a-navigation
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(FINAL upper(s)) AS u PATTERN (A));
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED
-- underlines: FINAL upper(s)

-- case: running-before-a-scalar-function-in-an-aggregate
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MAX(RUNNING upper(s)) AS u PATTERN (A));
-- error: MATCH_RECOGNIZE.SEMANTICS_NOT_ALLOWED
-- underlines: RUNNING upper(s)

-- case: two-variables-in-one-navigation
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.price - B.price) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: two-variables-in-one-aggregate
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(A.price + price) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: two-variables-in-a-filter
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(A.price) FILTER (WHERE B.price > 0) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: two-variables-in-two-arguments
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES max_by(A.price, B.price) AS p PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: a-plain-column-beside-a-filters-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(price) FILTER (WHERE B.price > 0) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: a-plain-column-beside-a-variable-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A B) DEFINE B AS LAST(A.price + price) > 1);
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES
-- underlines: LAST(A.price + price)

-- case: the-classifier-of-another-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(A.s || CLASSIFIER(B)) AS c PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: the-classifier-of-a-variable-beside-a-plain-column
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(s || CLASSIFIER(A)) AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: classifiers-of-two-variables
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(CLASSIFIER(A) || CLASSIFIER(B)) AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.MIXED_VARIABLES

-- case: first-around-prev
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(PREV(price)) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_NESTING

-- case: prev-around-prev
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(PREV(price)) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_NESTING

-- case: prev-around-last-not-directly
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(LAST(price) + 1) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_NESTING

-- case: prev-around-next
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(NEXT(price)) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_NESTING
-- underlines: NEXT(price)

-- case: first-around-last-not-directly
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS FIRST(abs(LAST(price))) > 0);
-- error: MATCH_RECOGNIZE.WRONG_NESTING
-- underlines: LAST(price)

-- case: prev-around-two-navigations
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(LAST(price, 1) + LAST(price, 2)) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_NESTING

-- case: a-navigation-in-an-aggregate
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(price - PREV(price)) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.NAVIGATION_IN_AGGREGATE

-- case: an-aggregate-in-a-navigation
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(SUM(price)) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.AGGREGATE_IN_NAVIGATION

-- case: an-aggregate-in-prev
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(AVG(price) + 5) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.AGGREGATE_IN_NAVIGATION
-- underlines: AVG(price)

-- case: a-navigation-in-an-aggregate-of-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS SUM(PREV(A.price)) > 0);
-- error: MATCH_RECOGNIZE.NAVIGATION_IN_AGGREGATE

-- case: an-aggregate-in-an-aggregate
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES SUM(COUNT(price)) AS d PATTERN (A B));
-- error: MATCH_RECOGNIZE.NESTED_AGGREGATE

-- case: a-negative-offset
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(price, -1) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_OUT_OF_RANGE

-- case: an-offset-of-null
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS FIRST(price, NULL) > 0);
-- error: MATCH_RECOGNIZE.OFFSET_OUT_OF_RANGE [22003]
-- underlines: NULL

-- case: an-offset-of-text
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(price, 'one') AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_OUT_OF_RANGE
-- underlines: 'one'

-- case: an-offset-beyond-int
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES NEXT(price, 3000000000) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_OUT_OF_RANGE

-- case: an-offset-from-a-subquery
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(price, (SELECT 1)) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_NOT_CONSTANT

-- case: an-offset-that-is-not-constant
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(price, id) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_NOT_CONSTANT

-- case: an-offset-that-is-a-column-is-underlined-where-it-appears
SELECT * FROM (SELECT id, qty FROM (SELECT id, price AS qty FROM t)) MATCH_RECOGNIZE (
  ORDER BY qty MEASURES PREV(A.id,
    qty) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.OFFSET_NOT_CONSTANT
-- underlines: qty
-- says: line 3

-- case: first-with-a-flag
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price, true) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.BOOLEAN_OFFSET
-- says: first_value

-- case: lag-with-a-default
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAG(price, 1, 0) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.DEFAULT_ARGUMENT

-- case: lag-that-ignores-nulls
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAG(price) IGNORE NULLS AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.IGNORE_NULLS

-- case: a-window-function
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS RANK() OVER (ORDER BY price) = 1);
-- error: MATCH_RECOGNIZE.WINDOW_FUNCTION

-- case: a-generator
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES explode(array(1, 2)) AS e PATTERN (A));
-- error: MATCH_RECOGNIZE.GENERATOR

-- case: a-generator-as-a-partition-key
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY explode(array(1, 2)) AS k ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- error: MATCH_RECOGNIZE.GENERATOR [42903]
-- underlines: explode(array(1, 2))
-- says: PARTITION BY

-- case: a-generator-as-an-order-key
-- why: it would give each row twice
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY explode(array(1, 2)), id MEASURES COUNT(*) AS n PATTERN (A+));
-- error: MATCH_RECOGNIZE.GENERATOR [42903]
-- says: ORDER BY

-- case: in-over-a-subquery-of-what-the-match-knows
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS CLASSIFIER() IN (SELECT s FROM t));
-- error: MATCH_RECOGNIZE.NOT_OF_ONE_ROW [0A000]

-- case: a-nondeterministic-function
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS rand() < 0.5);
-- error: MATCH_RECOGNIZE.NONDETERMINISTIC

-- Output columns

-- case: two-output-columns-of-one-name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price) AS price ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN

-- case: a-column-of-the-input-twice
SELECT * FROM (SELECT id, price, price FROM t) MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN
-- says: one from the input, one from the input

-- case: two-measures-of-one-name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price) AS p, LAST(price) AS P PATTERN (A));
-- error: MATCH_RECOGNIZE.DUPLICATE_OUTPUT_COLUMN

-- case: no-output-column
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id PATTERN (A));
-- error: MATCH_RECOGNIZE.NO_OUTPUT_COLUMN

-- case: a-measure-without-a-name
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(price) PATTERN (A));
-- error: MATCH_RECOGNIZE.MISSING_MEASURE_NAME

-- case: unmatched-rows-with-exclusion
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A {- B -}));
-- error: MATCH_RECOGNIZE.UNMATCHED_ROWS_WITH_EXCLUSION

-- The pattern

-- case: bare-parentheses
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN ());
-- error: MATCH_RECOGNIZE.EMPTY_PATTERN
-- says: (())

-- case: an-empty-exclusion
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A {- -}));
-- error: MATCH_RECOGNIZE.EMPTY_EXCLUSION

-- case: an-upper-bound-of-zero
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{0}));
-- error: MATCH_RECOGNIZE.BOUND_TOO_SMALL

-- case: at-most-zero
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{,0}));
-- error: MATCH_RECOGNIZE.BOUND_TOO_SMALL

-- case: from-zero-to-zero
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{0,0}));
-- error: MATCH_RECOGNIZE.BOUND_TOO_SMALL

-- case: bounds-the-wrong-way-round
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{3,2}));
-- error: MATCH_RECOGNIZE.BOUNDS_REVERSED
-- says: {2,3}

-- case: a-bound-beyond-int
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{2147483648}));
-- error: MATCH_RECOGNIZE.BOUND_TOO_LARGE

-- case: a-lower-bound-beyond-int
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{3000000000,}));
-- error: MATCH_RECOGNIZE.BOUND_TOO_LARGE

-- case: a-bound-that-is-computed
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A{1 + 1}));
-- error: MATCH_RECOGNIZE.INVALID_BOUNDS
-- underlines: {1 + 1}

-- case: two-quantifiers
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A+*));
-- error: MATCH_RECOGNIZE.SECOND_QUANTIFIER
-- says: (A+)*

-- case: three-marks
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A???));
-- error: MATCH_RECOGNIZE.TOO_MANY_MARKS

-- case: a-double-bar
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A || B));
-- error: MATCH_RECOGNIZE.DOUBLE_BAR

-- case: a-missing-alternative
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A | ));
-- error: MATCH_RECOGNIZE.EMPTY_ALTERNATIVE

-- case: a-quantifier-of-nothing
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (+ A));
-- error: MATCH_RECOGNIZE.NOTHING_TO_REPEAT

-- The clause

-- case: no-pattern-after-measures
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one DEFINE A AS price > 1);
-- error: MATCH_RECOGNIZE.MISSING_PATTERN
-- says: Write PATTERN (...) after MEASURES.

-- case: define-before-pattern
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one DEFINE A AS price > 1 PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_ORDER

-- case: measures-before-order-by
SELECT * FROM t MATCH_RECOGNIZE (
  MEASURES 1 AS one ORDER BY id PATTERN (A));
-- error: MATCH_RECOGNIZE.WRONG_ORDER

-- case: a-missing-comma-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A B) DEFINE A AS price > 1 B AS price > 2);
-- error: MATCH_RECOGNIZE.MISSING_COMMA

-- case: a-missing-as-in-define
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A) DEFINE A price > 1);
-- error: MATCH_RECOGNIZE.MISSING_DEFINE_AS

-- case: a-misspelled-keyword
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURS 1 AS one PATTERN (A));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- says: MEASURES

-- case: omit-empty-matches-with-one-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one ONE ROW PER MATCH OMIT EMPTY MATCHES PATTERN (A));
-- error: MATCH_RECOGNIZE.OPTION_NEEDS_ALL_ROWS

-- case: after-a-join
SELECT * FROM t JOIN t AS u ON t.id = u.id MATCH_RECOGNIZE (
  ORDER BY id MEASURES 1 AS one PATTERN (A));
-- error: MATCH_RECOGNIZE.AFTER_JOIN

-- case: a-second-clause
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES 1 AS one PATTERN (A))
MATCH_RECOGNIZE (ORDER BY one MEASURES 2 AS two PATTERN (B));
-- error: MATCH_RECOGNIZE.SECOND_CLAUSE

-- While rows are matched (after_match_skip.sql has more)

-- case: a-skip-error-names-partition-and-start
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY s ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO A PATTERN (A));
-- error: MATCH_RECOGNIZE.SKIP_TO_FIRST_ROW_OF_MATCH
-- says: SKIP TO

-- case: an-error-in-a-condition-that-is-tested
-- conf: spark.sql.ansi.enabled=true
-- why: row 2 has price 20, and 1 / (20 - price) divides by zero there
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A+) DEFINE A AS 1 / (20 - price) < 9);
-- error: DIVIDE_BY_ZERO

-- case: an-error-in-a-condition-that-is-not-tested
-- conf: spark.sql.ansi.enabled=true
-- why: B is only tried where A fails: row 1 is an A and row 2 too
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A.*) AS n PATTERN ((A | B)+)
  DEFINE A AS price > 5, B AS 1 / (20 - price) > 0);
-- expect:
-- | n |
-- | 2 |

-- Functions of the clause outside MEASURES and DEFINE (semantics.md: Row pattern functions)

-- case: classifier-without-the-clause
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT CLASSIFIER() FROM t;
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE [42K0E]
-- underlines: CLASSIFIER()
-- says: in MEASURES

-- case: classifier-without-the-clause-on-3.5
-- spark: 3.5, Spark itself says that there is no such function
SELECT CLASSIFIER() FROM t;
-- error: UNRESOLVED_ROUTINE

-- case: match-number-after-the-clause
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id ALL ROWS PER MATCH PATTERN (A)) WHERE match_number() = 1;
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- underlines: match_number()

-- case: classifier-in-partition-by
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY CLASSIFIER() ORDER BY id MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- underlines: CLASSIFIER()

-- case: prev-in-order-by
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY PREV(id) MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- underlines: PREV(id)

-- case: prev-in-back-quotes
-- why: in back quotes it is Spark's function of that name, and Spark has none
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES `prev`(price) AS p PATTERN (A));
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- underlines: `prev`(price)

-- case: classifier-in-a-subquery-of-define
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS s IN (SELECT CLASSIFIER() FROM t));
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE

-- case: prev-without-the-clause
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT PREV(price) FROM t;
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- says: LAG(...) OVER

-- case: next-without-the-clause
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT id FROM t ORDER BY NEXT(price);
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE
-- says: LEAD(...) OVER

-- case: match-sequence-number-in-a-common-table-expression
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM (WITH c AS (SELECT MATCH_SEQUENCE_NUMBER() AS n FROM t) SELECT n FROM c);
-- error: MATCH_RECOGNIZE.FUNCTION_OUTSIDE_CLAUSE

-- More of each kind (docs/errors.md has all)

-- case: a-permute-of-too-many
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (PERMUTE(A*, B, C, D, E, F, G, H, I)));
-- error: MATCH_RECOGNIZE.PERMUTE_TOO_LARGE [54001]
-- underlines: PERMUTE(A*, B, C, D, E, F, G, H, I)

-- case: a-column-from-outside
SELECT * FROM t AS o, LATERAL (SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A) DEFINE A AS price > o.price));
-- error: MATCH_RECOGNIZE.OUTER_REFERENCE [0A000]
-- underlines: o.price

-- case: a-partition-key-from-outside
SELECT * FROM t AS o, LATERAL (SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY o.id AS k ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+)));
-- error: MATCH_RECOGNIZE.OUTER_REFERENCE [0A000]
-- underlines: o.id

-- case: an-order-key-from-outside
SELECT * FROM t AS o, LATERAL (SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id * o.id MEASURES COUNT(*) AS n PATTERN (A+)));
-- error: MATCH_RECOGNIZE.OUTER_REFERENCE
-- underlines: o.id

-- case: an-aggregate-as-a-key
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY id, 1 + MAX(price) AS most MEASURES id AS n PATTERN (A));
-- error: MATCH_RECOGNIZE.AGGREGATE_IN_KEY [42601]
-- underlines: MAX(price)
-- says: is not allowed in PARTITION BY

-- case: a-key-without-an-order
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY array(make_interval(1, id)) MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE [42804]
-- underlines: array(make_interval(1, id))

-- case: an-order-key-without-an-order
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id, map(id, s) DESC MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE [42804]
-- underlines: map(id, s)
-- says: is not allowed in ORDER BY

-- case: a-struct-that-holds-a-map-as-an-order-key
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY struct(id, map(id, s)) MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE
-- underlines: struct(id, map(id, s))

-- case: an-interval-of-months-and-days-as-a-key
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY make_interval(1, id) MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE
-- underlines: make_interval(1, id)

-- case: a-variant-as-a-key
-- spark: 4.0+, no VARIANT before
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY parse_json(s) MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE
-- underlines: parse_json(s)

-- case: a-column-without-an-order-is-underlined-in-the-clause
SELECT * FROM (SELECT id, m FROM (SELECT id, make_interval(1, id) AS m FROM t)) AS u
MATCH_RECOGNIZE (
  PARTITION BY u.m ORDER BY id MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.KEY_NOT_ORDERABLE
-- underlines: u.m

-- case: the-clause-is-not-closed
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A);
-- error: MATCH_RECOGNIZE.UNTERMINATED_CLAUSE
-- underlines: MATCH_RECOGNIZE

-- case: the-clause-is-not-after-a-table
SELECT * FROM t WHERE id > 0 MATCH_RECOGNIZE (ORDER BY id PATTERN (A));
-- error: MATCH_RECOGNIZE.NOT_AFTER_TABLE

-- case: a-part-twice
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id ORDER BY price PATTERN (A));
-- error: MATCH_RECOGNIZE.REPEATED_PART
-- underlines: ORDER BY

-- case: one-row-and-all-rows
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n ONE ROW PER MATCH ALL ROWS PER MATCH PATTERN (A));
-- error: MATCH_RECOGNIZE.REPEATED_PART
-- underlines: ALL ROWS PER MATCH
-- says: A second ONE ROW | ALL ROWS PER MATCH is not allowed

-- case: a-star-in-measures
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES A.* AS everything PATTERN (A));
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED

-- case: a-star-of-the-inputs-alias-in-count
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(t.*) AS n PATTERN (A+));
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED
-- underlines: t.*
-- says: COUNT(*) for all rows of the match, COUNT(A.*) for those mapped to A

-- case: a-star-in-partition-by
SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY * ORDER BY id MEASURES id AS n PATTERN (A+));
-- error: MATCH_RECOGNIZE.STAR_NOT_ALLOWED
-- says: Write the columns one by one.

-- case: the-search-takes-too-long
-- conf: spark.sql.matchRecognize.maxSteps=1
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+) DEFINE A AS SUM(price) > 0);
-- error: MATCH_RECOGNIZE.TOO_MANY_STEPS [54001]
-- underlines: A+

-- case: an-error-shows-a-key-in-the-time-zone-of-the-session
-- conf: spark.sql.matchRecognize.maxSteps=1
-- conf: spark.sql.session.timeZone=Asia/Tokyo
SELECT * FROM VALUES (TIMESTAMP'2026-01-01 12:00:00', 1) AS v(ts, x) MATCH_RECOGNIZE (
  ORDER BY ts MEASURES 1 AS one AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS SUM(x) > 0);
-- error: MATCH_RECOGNIZE.TOO_MANY_STEPS [54001]
-- says: (ts = 2026-01-01 12:00:00)

-- case: a-skip-error-underlines-the-target
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY s ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO B PATTERN (A B?) DEFINE B AS price < 9);
-- error: MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH [22000]
-- underlines: B

-- case: the-single-pass-analyzer
-- spark: 4.0+, no single-pass analyzer before
-- conf: spark.sql.analyzer.singlePassResolver.enabled=true
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A));
-- error: MATCH_RECOGNIZE.SINGLE_PASS_ANALYZER [0A000]

-- case: a-function-of-the-users-is-not-ours
-- spark: 4.0+, no functions written in SQL before
-- why: last in this file, since the function stays in the session
CREATE TEMPORARY FUNCTION match_number(x INT) RETURNS INT RETURN x + 1;
SELECT match_number(id) AS next FROM t;
-- expect:
-- | next |
-- | 2    |
-- | 3    |

-- Slips: what was probably meant

-- case: within-a-string-and-a-unit
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) WITHIN '10' MINUTE);
-- error: MATCH_RECOGNIZE.WITHIN_WITHOUT_INTERVAL
-- underlines: '10' MINUTE
-- says: Write WITHIN INTERVAL '10' MINUTE.

-- case: within-a-number-and-a-unit
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) WITHIN 10 MINUTES DEFINE B AS price > 1);
-- error: MATCH_RECOGNIZE.WITHIN_WITHOUT_INTERVAL
-- underlines: 10 MINUTES
-- says: Write WITHIN INTERVAL 10 MINUTES.

-- case: within-a-short-unit
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) WITHIN 10 MIN);
-- error: MATCH_RECOGNIZE.WITHIN_WITHOUT_INTERVAL
-- underlines: 10 MIN
-- says: INTERVAL 10 MINUTES

-- case: within-two-units
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) WITHIN 1 HOUR 30 MINUTES);
-- error: MATCH_RECOGNIZE.WITHIN_WITHOUT_INTERVAL
-- underlines: 1 HOUR 30 MINUTES
-- says: INTERVAL 1 HOUR 30 MINUTES

-- case: all-row-per-match
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n ALL ROW PER MATCH PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: ROW
-- says: Did you mean ROWS?

-- case: all-row-per-match-after-order-by
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id ALL ROW PER MATCH PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: ROW
-- says: Did you mean ROWS?

-- case: one-rows-per-match-after-order-by
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY s ORDER BY id DESC ONE ROWS PER MATCH PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: ROWS
-- says: Did you mean ROW?

-- case: pattern-without-its-parenthesis
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id PATTERN A B);
-- error: MATCH_RECOGNIZE.UNKNOWN_KEYWORD
-- underlines: A
-- says: Write PATTERN (.

-- case: an-and-without-an-operand
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS price > 1 AND);
-- error: MATCH_RECOGNIZE.MISSING_OPERAND
-- underlines: AND
-- says: AND has no expression after it, before ).

-- case: an-and-without-an-operand-before-a-comma
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE A AS price > 1 AND, B AS price > 2);
-- error: MATCH_RECOGNIZE.MISSING_OPERAND
-- underlines: AND
-- says: before ,

-- case: an-or-without-an-operand-in-parentheses
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS (price > 1 OR) AND id > 1);
-- error: MATCH_RECOGNIZE.MISSING_OPERAND
-- underlines: OR

-- case: a-comparison-without-an-operand
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS price >);
-- error: MATCH_RECOGNIZE.MISSING_OPERAND
-- underlines: >

-- case: pattern-is-not-closed
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B DEFINE B AS price < 5);
-- error: MATCH_RECOGNIZE.MISSING_PARENTHESIS
-- underlines: (
-- says: The parenthesis after PATTERN is not closed. Write ) before DEFINE.

-- case: pattern-is-not-closed-before-a-condition-without-signs
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B DEFINE B AS s);
-- error: MATCH_RECOGNIZE.MISSING_PARENTHESIS
-- underlines: (
-- says: after PATTERN

-- case: a-group-is-not-closed
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN ((A B+ DEFINE B AS price < 5));
-- error: MATCH_RECOGNIZE.MISSING_PARENTHESIS
-- underlines: (
-- says: The parenthesis is not closed. Write ) before DEFINE.

-- case: pattern-is-not-closed-in-a-subquery
SELECT * FROM (SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B SUBSET U = (A, B) DEFINE B AS price < 5)) AS q;
-- error: MATCH_RECOGNIZE.MISSING_PARENTHESIS
-- underlines: (
-- says: before SUBSET

-- case: a-call-in-measures-is-not-closed
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(price AS p PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSING_PARENTHESIS
-- underlines: (
-- says: before PATTERN

-- case: skip-to-lst
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO LST B PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: LST
-- says: Did you mean LAST?

-- case: skip-to-frist
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO FRIST B PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: FRIST
-- says: Did you mean FIRST?

-- case: skip-to-next
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO NEXT PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET
-- underlines: NEXT
-- says: Did you mean SKIP TO NEXT ROW?

-- case: skip-to-last-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO LAST ROW PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET
-- underlines: ROW
-- says: Did you mean SKIP PAST LAST ROW?

-- case: skip-past-next-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP PAST NEXT ROW PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP
-- underlines: PAST NEXT ROW
-- says: Did you mean SKIP PAST LAST ROW or SKIP TO NEXT ROW?

-- case: skip-next-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP NEXT ROW PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP
-- underlines: NEXT ROW
-- says: Did you mean SKIP TO NEXT ROW?

-- case: skip-past-last
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP PAST LAST PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP
-- underlines: PAST LAST
-- says: Did you mean SKIP PAST LAST ROW?

-- case: skip-past-last-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP PAST LAST B PATTERN (A B));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP
-- underlines: PAST LAST B
-- says: Did you mean SKIP TO LAST B?

-- case: skip-to-a-misspelled-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO DWN PATTERN (A DOWN));
-- error: MATCH_RECOGNIZE.UNKNOWN_SKIP_TARGET
-- underlines: DWN
-- says: Did you mean DOWN?

-- case: a-variable-in-double-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN ("A" B));
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: "A"
-- says: or in back quotes: `A`

-- case: a-variable-in-single-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A ('B' | C)));
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: 'B'

-- case: a-stop-in-double-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A+{"B"}));
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: "B"

-- case: a-definition-in-double-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE "A" AS price > 1);
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: "A"

-- case: a-measures-name-in-double-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS "my id" PATTERN (A B));
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: "my id"
-- says: `my id`

-- case: the-alias-in-double-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B)) "the match";
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: "the match"
-- says: `the match`

-- case: the-alias-in-single-quotes
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B)) AS 'm';
-- error: MATCH_RECOGNIZE.NAME_IN_QUOTES
-- underlines: 'm'

-- case: match-number-without-parentheses
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.CALL_WITHOUT_PARENTHESES [42703]
-- underlines: MATCH_NUMBER
-- says: Write MATCH_NUMBER().

-- case: classifier-without-parentheses
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS PREV(classifier) = 'A');
-- error: MATCH_RECOGNIZE.CALL_WITHOUT_PARENTHESES
-- underlines: classifier
-- says: Write CLASSIFIER().

-- case: match-num
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUM() AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_FUNCTION [42883]
-- underlines: MATCH_NUM()
-- says: Did you mean MATCH_NUMBER()?

-- case: clasifier
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS clasifier() = 'B');
-- error: MATCH_RECOGNIZE.MISSPELLED_FUNCTION
-- underlines: clasifier()
-- says: Did you mean CLASSIFIER()?

-- case: previous
-- spark: 4.0+, 3.5 takes no rule of ours before it looks functions up
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS price > previous(price));
-- error: MATCH_RECOGNIZE.MISSPELLED_FUNCTION
-- underlines: previous(price)
-- says: Did you mean PREV(...)?

-- case: count-of-a-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(A) AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.VARIABLE_WITHOUT_COLUMN [42703]
-- underlines: A
-- says: Write COUNT(A.*) for the number of rows mapped to it.

-- case: count-of-a-union-variable
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(u) AS n PATTERN (A B) SUBSET U = (A, B));
-- error: MATCH_RECOGNIZE.VARIABLE_WITHOUT_COLUMN
-- underlines: u
-- says: COUNT(u.*)

-- case: a-variable-alone
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B) DEFINE B AS B > A);
-- error: MATCH_RECOGNIZE.VARIABLE_WITHOUT_COLUMN
-- underlines: B
-- says: such as B.id

-- case: match-recognise
SELECT * FROM t MATCH_RECOGNISE (
  ORDER BY id MEASURES id AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD [42601]
-- underlines: MATCH_RECOGNISE
-- says: Did you mean MATCH_RECOGNIZE?

-- case: match-recognize-in-two-words
SELECT * FROM t MATCH RECOGNIZE (
  ORDER BY id MEASURES id AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: MATCH RECOGNIZE

-- case: match-recognize-in-two-clauses-one-misspelled
SELECT * FROM t MATCH_RECOGNIZE (ALL ROWS PER MATCH PATTERN (A)) AS a
JOIN t MATCHRECOGNIZE (ALL ROWS PER MATCH PATTERN (A)) AS b ON a.id = b.id;
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: MATCHRECOGNIZE

-- case: an-alias-before-the-parenthesis
SELECT * FROM t MATCH_RECOGNIZE m (
  ORDER BY id MEASURES id AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.ALIAS_BEFORE_PARENTHESIS
-- underlines: m
-- says: MATCH_RECOGNIZE (...) m.

-- case: an-alias-with-as-before-the-parenthesis
SELECT * FROM t MATCH_RECOGNIZE AS m (
  ORDER BY id MEASURES id AS n PATTERN (A B));
-- error: MATCH_RECOGNIZE.ALIAS_BEFORE_PARENTHESIS
-- underlines: AS m

-- case: the-clause-without-its-parenthesis
SELECT * FROM t MATCH_RECOGNIZE ORDER BY id MEASURES id AS n PATTERN (A B);
-- error: MATCH_RECOGNIZE.UNKNOWN_KEYWORD
-- underlines: ORDER
-- says: Write ( before ORDER.

-- case: pattern-misspelled-and-no-other-part
SELECT * FROM t MATCH_RECOGNIZE (PATERN (A B));
-- error: MATCH_RECOGNIZE.MISSPELLED_KEYWORD
-- underlines: PATERN
-- says: Did you mean PATTERN?

-- case: initial-before-pattern
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n INITIAL PATTERN (A B));
-- error: MATCH_RECOGNIZE.PATTERN_IN_WINDOW
-- underlines: INITIAL

-- case: seek-as-if-it-were-an-alias
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id SEEK PATTERN (A B));
-- error: MATCH_RECOGNIZE.PATTERN_IN_WINDOW
-- underlines: SEEK

-- case: seek-after-the-skip-clause
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS n AFTER MATCH SKIP TO NEXT ROW seek PATTERN (A B));
-- error: MATCH_RECOGNIZE.PATTERN_IN_WINDOW
-- underlines: seek

-- case: a-matcher-that-does-not-apply-names-the-aggregate-as-written
-- conf: spark.sql.matchRecognize.matcher=fused
SELECT * FROM t AS w MATCH_RECOGNIZE (
  PARTITION BY s ORDER BY id MEASURES SUM(price * 1.5) AS total PATTERN (A+));
-- error: MATCH_RECOGNIZE.MATCHER_NOT_APPLICABLE [0A000]
-- says: the aggregate SUM(price * 1.5) needs

-- And what must stay a name

-- case: initial-and-seek-are-names
-- why: with AS, in back quotes, or as a column they are names; each row is a match
SELECT * FROM (SELECT id AS seek FROM t) MATCH_RECOGNIZE (
  ORDER BY seek MEASURES seek + 0 AS initial PATTERN (A));
-- expect:
-- | initial |
-- | 1       |
-- | 2       |

-- case: misspelled-words-are-names
-- why: an alias with columns, a table and a column called so are Spark's own
SELECT match_recognise, m.pattern FROM t match_recognise (match_recognise, pattern, s)
  JOIN (SELECT 10 AS pattern) AS m ON m.pattern = match_recognise.pattern;
-- expect:
-- | match_recognise | pattern |
-- | 1               | 10      |

-- case: columns-with-the-names-of-functions-and-variables
-- why: a column wins over a function without parentheses, and over a variable alone
SELECT * FROM (SELECT id AS match_number, price AS a FROM t) MATCH_RECOGNIZE (
  ORDER BY match_number MEASURES match_number AS n, COUNT(a) AS c PATTERN (A));
-- expect:
-- | n | c |
-- | 1 | 1 |
-- | 2 | 1 |

-- case: skip-to-a-variable-called-next
-- why: NEXT is a variable here: after the match of rows 1 and 2 the search continues at row 2, where no second row is
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS n AFTER MATCH SKIP TO NEXT PATTERN (A NEXT));
-- expect:
-- | n |
-- | 1 |

-- case: words-of-parts-are-variables
-- why: DEFINE B AS C are four variables; only two rows are there
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (DEFINE (B AS C)? OR));
-- expect:
-- | n |
-- | 2 |

-- Explanations

-- case: explain-a-statement-without-a-clause
EXPLAIN MATCH_RECOGNIZE SELECT * FROM t;
-- error: MATCH_RECOGNIZE.EXPLAIN_WITHOUT_CLAUSE [42601]

-- case: explain-a-clause-with-an-unknown-column
EXPLAIN MATCH_RECOGNIZE SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS A.cost > 1);
-- error: UNRESOLVED_COLUMN.WITH_SUGGESTION [42703]
-- says: `cost`

-- case: a-list-of-aliases-in-a-row
-- spark: 4.0+, another condition before
SELECT * FROM VALUES (1, 2) AS t(day, price) MATCH_RECOGNIZE (
  ORDER BY day MEASURES (30(price), 5) IN (SELECT 1, 2) AS pair PATTERN (A));
-- error: MULTI_ALIAS_WITHOUT_GENERATOR

-- case: a-sample-after-the-clause
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A)) TABLESAMPLE (100 PERCENT);
-- error: MATCH_RECOGNIZE.TABLE_PART_AFTER_CLAUSE [42601]
-- underlines: TABLESAMPLE
-- says: for the result

-- case: a-sample-after-the-clause-of-a-subquery
SELECT * FROM (SELECT * FROM t) MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id PATTERN (A)) TABLESAMPLE (2 ROWS) AS s;
-- error: MATCH_RECOGNIZE.TABLE_PART_AFTER_CLAUSE
-- underlines: TABLESAMPLE
