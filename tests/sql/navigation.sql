-- Navigation: PREV and NEXT go by physical rows of the partition, FIRST and LAST by the rows mapped
-- (semantics.md: Navigation and One variable per call).

CREATE TEMP VIEW ticker AS SELECT * FROM VALUES
  (1, 10), (2, 20), (3, 15), (4, 30), (5, 25) AS t(day, price);

-- case: prev-is-the-row-before
-- why: 20 > 10 and 30 > 15; the first row has no row before it, and NULL is not true
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES day AS day, PREV(price) AS before
  PATTERN (UP) DEFINE UP AS price > PREV(price));
-- expect:
-- | day | before : int |
-- | 2   | 10           |
-- | 4   | 15           |

-- case: next-looks-ahead-of-the-match
-- why: 20 and 30 are above both neighbours
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES day AS day, NEXT(price) AS after
  PATTERN (TOP) DEFINE TOP AS price > PREV(price) AND price > NEXT(price));
-- expect:
-- | day | after |
-- | 2   | 15    |
-- | 4   | 25    |

-- case: an-offset-counts-rows
-- why: 15 > 10, 30 > 20, 25 > 15
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES day AS day, PREV(day, 1 + 1) AS two_before, NEXT(day, 2) AS two_after
  PATTERN (A) DEFINE A AS price > PREV(price, 2));
-- expect:
-- | day | two_before | two_after |
-- | 3   | 1          | 5         |
-- | 4   | 2          | NULL      |
-- | 5   | 3          | NULL      |

-- case: offset-zero-is-the-row-itself
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES PREV(A.day, 0) AS a, NEXT(A.day, 0) AS b, LAST(A.day, 0) AS c
  PATTERN (A B C D E));
-- expect:
-- | a | b | c |
-- | 1 | 1 | 1 |

-- case: never-across-a-partition
-- why: the first row of each partition has nothing before it, the last nothing after it
SELECT * FROM VALUES ('x', 1), ('x', 2), ('y', 1), ('y', 2) AS t(p, id) MATCH_RECOGNIZE (
  PARTITION BY p ORDER BY id MEASURES PREV(id) AS before, NEXT(id) AS after
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | p | id | before | after |
-- | x | 1  | NULL   | 2     |
-- | x | 2  | 1      | NULL  |
-- | y | 1  | NULL   | 2     |
-- | y | 2  | 1      | NULL  |

-- case: physical-navigation-starts-at-the-variables-last-row
-- why: with A on days 1 to 3 and B on day 4, the last A is day 3; its neighbours are days 2 and 4.
-- While only A are mapped, the last A is the current row.
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES PREV(A.day) AS before_a, NEXT(A.day) AS after_a, PREV(B.day, 3) AS b3
  ALL ROWS PER MATCH PATTERN (A{3} B));
-- expect:
-- | day | before_a | after_a | b3   | price |
-- | 1   | NULL     | 2       | NULL | 10    |
-- | 2   | 1        | 3       | NULL | 20    |
-- | 3   | 2        | 4       | NULL | 15    |
-- | 4   | 2        | 4       | 1    | 30    |

-- case: rows-of-other-matches-and-unmatched-rows-count
-- why: day 3 is the match; day 2 is before it, day 4 after it, neither of them mapped
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES PREV(price) AS before, NEXT(price) AS after, PREV(price, 2) AS two_before
  PATTERN (A) DEFINE A AS price = 15);
-- expect:
-- | before | after | two_before |
-- | 20     | 30    | 10         |

-- case: first-and-last-count-inward
-- why: A is on days 1 to 4, B on day 5
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES FIRST(A.day) AS f0, FIRST(A.day, 1) AS f1, FIRST(A.day, 3) AS f3, FIRST(A.day, 4) AS f4,
    LAST(A.day) AS l0, LAST(A.day, 1) AS l1, LAST(A.day, 3) AS l3, LAST(A.day, 4) AS l4
  PATTERN (A{4} B));
-- expect:
-- | f0 | f1 | f3 | f4   | l0 | l1 | l3 | l4   |
-- | 1  | 2  | 4  | NULL | 4  | 3  | 1  | NULL |

-- case: without-a-variable-over-all-rows
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES FIRST(day) AS f0, FIRST(day, 4) AS f4, LAST(day) AS l0, LAST(day, 1) AS l1, LAST(day, 5) AS l5
  PATTERN (A{4} B));
-- expect:
-- | f0 | f4 | l0 | l1 | l5   |
-- | 1  | 5  | 5  | 4  | NULL |

-- case: a-variable-with-gaps-between-its-rows
-- why: A is on days 1, 3 and 5: logical navigation counts them only, physical navigation every day
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES FIRST(A.day, 1) AS f1, LAST(A.day, 2) AS l2, PREV(A.day) AS p, PREV(LAST(A.day, 1)) AS pl
  PATTERN (A B A B A));
-- expect:
-- | f1 | l2 | p | pl |
-- | 3  | 1  | 4 | 2  |

-- case: prev-and-next-around-first-and-last
-- why: A is on days 1 to 4. FIRST(A, 1) is day 2, before it day 1, two after it day 4; LAST(A) is day 4,
-- three before it day 1; LAST(A, 1) is day 3, after it day 4; before FIRST(A) is nothing; LAST is day 5.
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES PREV(FIRST(A.day, 1)) AS a, NEXT(FIRST(A.day, 1), 2) AS b, PREV(LAST(A.day), 3) AS c,
    NEXT(LAST(A.day, 1)) AS d, PREV(FIRST(A.day)) AS e, NEXT(LAST(day)) AS f, NEXT(LAST(A.day, 9)) AS g
  PATTERN (A{4} B));
-- expect:
-- | a | b | c | d | e    | f    | g    |
-- | 1 | 4 | 1 | 4 | NULL | NULL | NULL |

-- case: a-navigation-without-its-row-is-null-as-a-whole
-- why: COALESCE within is evaluated on a row that does not exist; COALESCE around sees the NULL
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST(COALESCE(A.price, -1), 9) AS a, COALESCE(LAST(A.price, 9), -1) AS b,
    PREV(COALESCE(price, -1), 9) AS c, FIRST(COALESCE(B.price, -1)) AS d
  PATTERN (A{4} B?) DEFINE B AS price > 100);
-- expect:
-- | a    | b  | c    | d    |
-- | NULL | -1 | NULL | NULL |

-- case: whole-expressions-are-evaluated-on-the-row
-- why: day 4: 30 * 2 + 4; day 1: 10 + 1; before the last A, day 3: 15 - 3
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST(A.price * 2 + A.day) AS l, FIRST(price + day) AS f, PREV(A.price - A.day) AS p
  PATTERN (A{4} B));
-- expect:
-- | l  | f  | p  |
-- | 64 | 11 | 12 |

-- case: in-define-the-tested-row-is-the-last-one
-- why: LAST(DOWN.price) would be the row itself, LAST(DOWN.price, 1) is the DOWN before. From day 1:
-- day 2 has none before it, day 3 falls, day 4 does not. From day 4: day 5 has none before it.
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES START.day AS start_day, COUNT(DOWN.*) AS n, LAST(DOWN.price) AS low
  PATTERN (START DOWN+)
  DEFINE DOWN AS LAST(DOWN.price, 1) IS NULL OR DOWN.price < LAST(DOWN.price, 1));
-- expect:
-- | start_day | n | low |
-- | 1         | 2 | 15  |
-- | 4         | 1 | 25  |

-- case: in-define-another-variables-last-row
-- why: from day 1 the later prices are all above 10; the match takes what it can
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES LAST(day) AS last_day, COUNT(*) AS n
  PATTERN (A B+) DEFINE B AS B.price > A.price);
-- expect:
-- | last_day | n |
-- | 5        | 5 |

-- case: in-define-a-variable-not-yet-mapped-is-null
-- why: when A is tested no B is mapped, B.price is NULL, and NULL is not true
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES A.day AS day PATTERN (A B) DEFINE A AS A.price < B.price);
-- expect:
-- | day |

-- case: in-define-first-of-the-match
-- why: every row is within 10 of the match's first: 10, 20, 15; 30 is not; then 30, 25
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES FIRST(day) AS first_day, LAST(day) AS last_day
  PATTERN (A+) DEFINE A AS ABS(price - FIRST(price)) <= 10);
-- expect:
-- | first_day | last_day |
-- | 1         | 3        |
-- | 4         | 5        |

-- case: in-define-next-of-a-logical-row
-- why: B holds if the row after the match's first row is above 15: it is 20 from day 1
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES FIRST(day) AS first_day, LAST(day) AS last_day
  PATTERN (A B) DEFINE B AS NEXT(FIRST(A.price)) > 15);
-- expect:
-- | first_day | last_day |
-- | 1         | 2        |
-- | 3         | 4        |

-- case: lag-and-lead-are-prev-and-next
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES LAG(day) AS a, LEAD(day) AS b, LAG(day, 2) AS c
  ALL ROWS PER MATCH PATTERN (A{3}));
-- expect:
-- | day | a    | b | c    | price |
-- | 1   | NULL | 2 | NULL | 10    |
-- | 2   | 1    | 3 | NULL | 20    |
-- | 3   | 2    | 4 | 1    | 15    |

-- case: a-constant-in-a-navigation
-- why: a constant is over all rows mapped, here days 1 and 2: it is NULL where the row does not exist
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST('x') AS a, LAST('x', 2) AS b, FIRST(1, 1) AS c, PREV(7) AS d, PREV(7, 2) AS e
  PATTERN (^ A B));
-- expect:
-- | a | b    | c | d | e    |
-- | x | NULL | 1 | 7 | NULL |

-- case: the-largest-offset
-- why: no partition has that many rows
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST(day, 2147483646) AS a, FIRST(A.day, 2147483646) AS b, PREV(day, 2147483646) AS c,
    NEXT(FIRST(day), 2147483646) AS d, PREV(LAST(day, 2147483646), 2147483646) AS e
  PATTERN (A+) DEFINE A AS PREV(day, 2147483646) IS NULL AND LAST(A.day, 2147483646) IS NULL);
-- expect:
-- | a    | b    | c    | d    | e    |
-- | NULL | NULL | NULL | NULL | NULL |

-- case: in-define-offset-zero-is-the-tested-row
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES COUNT(*) AS n
  PATTERN (A+) DEFINE A AS PREV(price, 0) = price AND NEXT(price, 0) = price AND LAST(A.price, 0) = price);
-- expect:
-- | n |
-- | 5 |

-- case: in-define-a-step-from-another-variables-row
-- why: from day 1, day 3 must be above day 2: 15 is not above 20. From day 2, day 4 must be above day 3: 30 > 15.
SELECT * FROM ticker MATCH_RECOGNIZE (
  ORDER BY day MEASURES A.day AS a, B.day AS b
  PATTERN (A X B) DEFINE B AS price > NEXT(A.price));
-- expect:
-- | a | b |
-- | 2 | 4 |

-- case: after-a-subquery-as-the-first-argument
-- why: no id is above 100, so the price before is taken; the average of 10, 8 and 9 is 9
SELECT id, before, c FROM VALUES (1, 10), (2, 8), (3, 9) AS v(id, price) MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COALESCE((SELECT MAX(n) FROM VALUES (1) AS s(n) WHERE n > 100), PREV(A.price)) AS before,
    concat((SELECT 'x'), CLASSIFIER()) AS c
  ALL ROWS PER MATCH PATTERN (A+)
  DEFINE A AS price <= ((SELECT AVG(n) FROM VALUES (10), (8), (9) AS s(n)) + COALESCE(PREV(price), 11)) / 2);
-- expect:
-- | id | before | c  |
-- | 1  | NULL   | xA |
-- | 2  | 10     | xA |

-- case: after-a-union-in-parentheses
-- why: the numbers of the union are 8 and 9
SELECT id, c FROM VALUES (1, 10), (2, 8), (3, 9) AS v(id, price) MATCH_RECOGNIZE (
  ORDER BY id MEASURES CLASSIFIER() AS c ALL ROWS PER MATCH
  PATTERN (A+) DEFINE A AS price IN ((SELECT 8) UNION (SELECT 9)) AND PREV(price) > 7);
-- expect:
-- | id | c |
-- | 2  | A |
-- | 3  | A |
