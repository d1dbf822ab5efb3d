-- IN over a subquery is TRUE, FALSE or NULL wherever it occurs (semantics.md: Conditions and Subqueries, variables and functions).

CREATE TEMP VIEW nt AS SELECT * FROM VALUES (1, 1), (2, 2), (3, NULL), (4, 9) AS t(id, x);
CREATE TEMP VIEW s0 AS SELECT * FROM VALUES (1) AS t(y) WHERE y > 5;
CREATE TEMP VIEW s1 AS SELECT * FROM VALUES (1), (2) AS t(y);
CREATE TEMP VIEW s2 AS SELECT * FROM VALUES (1), (NULL) AS t(y);
CREATE TEMP VIEW pairs AS SELECT * FROM VALUES (1, 1, 10), (2, 1, NULL), (3, NULL, 10), (4, NULL, 11), (5, 2, 10), (6, NULL, NULL) AS t(id, a, b);
CREATE TEMP VIEW p1 AS SELECT * FROM VALUES (1, 10), (2, 20) AS t(c, d);
CREATE TEMP VIEW p2 AS SELECT * FROM VALUES (1, 10), (2, CAST(NULL AS INT)) AS t(c, d);

-- case: not-in [Subqueries, variables and functions]
-- why: 9 is not in the list; whether NULL is, is not known
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS x NOT IN (SELECT y FROM s1));
-- expect:
-- | id |
-- | 4  |

-- case: not-in-over-a-null [Subqueries, variables and functions]
-- why: each x could be the NULL, but 1 is in the list for certain
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS x NOT IN (SELECT y FROM s2));
-- expect:
-- | id |

-- case: not-in-over-no-rows [Subqueries, variables and functions]
-- why: nothing is in an empty list, not even NULL
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS x NOT IN (SELECT y FROM s0));
-- expect:
-- | id |
-- | 1  |
-- | 2  |
-- | 3  |
-- | 4  |

-- case: in-compared-with-false [Subqueries, variables and functions]
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS (x IN (SELECT y FROM s1)) = FALSE);
-- expect:
-- | id |
-- | 4  |

-- case: in-under-and-under-not [Subqueries, variables and functions]
-- why: row 1 is TRUE AND TRUE, row 2 NULL AND TRUE, rows 3 and 4 NULL AND FALSE
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS id PATTERN (A) DEFINE A AS NOT (A.x IN (SELECT y FROM s2) AND id < 3));
-- expect:
-- | id |
-- | 3  |
-- | 4  |

-- case: in-under-or-and-case [Subqueries, variables and functions]
-- why: NOT IN is FALSE for row 1 and NULL for the others; a NULL condition of CASE goes to ELSE
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A)
  DEFINE A AS x NOT IN (SELECT y FROM s2) OR CASE WHEN x IN (SELECT y FROM s2) THEN FALSE ELSE x IS NULL END);
-- expect:
-- | id |
-- | 3  |

-- case: in-where-null-is-as-good-as-false [Subqueries, variables and functions]
-- why: 1 and 2 are in s1; row 3 by its id
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A)
  DEFINE A AS x IN (SELECT y FROM s1) AND id < 9 OR id = 3 AND x IS NULL);
-- expect:
-- | id |
-- | 1  |
-- | 2  |
-- | 3  |

-- case: in-as-a-measure [Subqueries, variables and functions]
-- why: s1 is 1, 2; s2 is 1, NULL; s0 is empty; the row before row 1 does not exist
SELECT id, one, two, none, not_one, before FROM nt MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES x IN (SELECT y FROM s1) AS one, A.x IN (SELECT y FROM s2) AS two, x IN (SELECT y FROM s0) AS none,
    x NOT IN (SELECT y FROM s1) AS not_one, PREV(x NOT IN (SELECT y FROM s1)) AS before
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | one   | two  | none  | not_one | before |
-- | 1  | true  | true | false | false   | NULL   |
-- | 2  | true  | NULL | false | false   | false  |
-- | 3  | NULL  | NULL | false | NULL    | false  |
-- | 4  | false | NULL | false | true    | NULL   |

-- case: in-within-aggregates [Subqueries, variables and functions]
-- why: over s1 the rows are TRUE, TRUE, NULL, FALSE; over s2 TRUE and three times NULL
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) FILTER (WHERE x NOT IN (SELECT y FROM s1)) AS outside, COUNT(x IN (SELECT y FROM s2)) AS known,
    bool_and(A.x IN (SELECT y FROM s1)) AS every, collect_list(CAST(x IN (SELECT y FROM s1) AS STRING)) AS list
  PATTERN (A+));
-- expect:
-- | outside | known | every | list                |
-- | 1       | 1     | false | [true, true, false] |

-- case: in-as-a-key [Partition and order keys and Subqueries, variables and functions]
-- why: TRUE for 1 and 2, NULL for 3, FALSE for 4: three partitions
SELECT * FROM nt MATCH_RECOGNIZE (
  PARTITION BY x IN (SELECT y FROM s1) AS k ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | k     | n |
-- | true  | 2 |
-- | NULL  | 1 |
-- | false | 1 |

-- case: in-as-a-key-over-the-rows-columns [Partition and order keys and Subqueries, variables and functions]
-- why: the list is 1, NULL for rows 1 and 2, and empty for 3 and 4: TRUE, NULL, FALSE, FALSE
SELECT * FROM nt MATCH_RECOGNIZE (
  PARTITION BY x IN (SELECT y FROM s2 WHERE id < 3) AS k ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | k     | n |
-- | true  | 1 |
-- | NULL  | 1 |
-- | false | 2 |

-- case: several-columns [Subqueries, variables and functions]
-- why: p1 is (1, 10), (2, 20). Row 2 could be (1, 10), row 3 too, row 6 both; 11 is in no row; (2, 10) differs from each
SELECT id, p, n FROM pairs MATCH_RECOGNIZE (
  ORDER BY id MEASURES (a, b) IN (SELECT c, d FROM p1) AS p, (A.a, A.b) NOT IN (SELECT c, d FROM p1) AS n
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | p     | n     |
-- | 1  | true  | false |
-- | 2  | NULL  | NULL  |
-- | 3  | NULL  | NULL  |
-- | 4  | false | true  |
-- | 5  | false | true  |
-- | 6  | NULL  | NULL  |

-- case: several-columns-over-a-null [Subqueries, variables and functions]
-- why: p2 is (1, 10), (2, NULL). Row 4 could be (2, NULL), row 5 too
SELECT id, p FROM pairs MATCH_RECOGNIZE (
  ORDER BY id MEASURES (a, b) IN (SELECT c, d FROM p2) AS p ALL ROWS PER MATCH
  PATTERN (A) DEFINE A AS NOT (a, b) IN (SELECT c, d FROM p2 WHERE c > 2));
-- expect:
-- | id | p    |
-- | 1  | true |
-- | 2  | NULL |
-- | 3  | NULL |
-- | 4  | NULL |
-- | 5  | NULL |
-- | 6  | NULL |

-- case: values-that-are-expressions [Subqueries, variables and functions]
-- why: x + 1 is 2, 3, NULL, 10 and 2 is in s1; IN within the value of another is TRUE, TRUE, NULL, FALSE
SELECT id, p, q FROM nt MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES x + 1 NOT IN (SELECT y FROM s1) AS p, (x IN (SELECT y FROM s1)) IN (SELECT y = 1 FROM s1 WHERE y = 1) AS q
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | p     | q     |
-- | 1  | false | true  |
-- | 2  | true  | true  |
-- | 3  | NULL  | NULL  |
-- | 4  | true  | false |

-- case: the-same-table-in-the-subquery [Subqueries, variables and functions]
-- why: nt holds a NULL; 9 and 2 are in it, NULL could be any of them
SELECT id, p, q FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES x IN (SELECT x FROM nt WHERE id > 1) AS p, (id, x) IN (SELECT id, x FROM nt) AS q
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | p    | q    |
-- | 1  | NULL | true |
-- | 2  | true | true |
-- | 3  | NULL | NULL |
-- | 4  | true | true |

-- case: without-a-row [Empty matches and Subqueries, variables and functions]
-- why: an empty match has no row, so x is NULL: NULL IN an empty list is FALSE, in s1 NULL; 1 is in s1 whatever the row
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES MATCH_NUMBER() AS n, x IN (SELECT y FROM s0) AS none, x IN (SELECT y FROM s1) AS one,
    x NOT IN (SELECT y FROM s0) AS no, 1 IN (SELECT y FROM s1) AS yes, 3 IN (SELECT y FROM s2) AS open,
    EXISTS (SELECT 1 FROM s1) AS some, EXISTS (SELECT 1 FROM s0) AS nobody
  PATTERN (B*) DEFINE B AS x = 9);
-- expect:
-- | n | none  | one   | no   | yes  | open | some | nobody |
-- | 1 | false | NULL  | true | true | NULL | true | false  |
-- | 2 | false | NULL  | true | true | NULL | true | false  |
-- | 3 | false | NULL  | true | true | NULL | true | false  |
-- | 4 | false | false | true | true | NULL | true | false  |

-- case: of-the-row-before [Navigation and Subqueries, variables and functions]
-- why: nothing comes before row 1; (NULL, 5) is in no list of (1, 10), (2, 20), and (NULL, 10) could be
SELECT id, none, one, pair, other FROM nt MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES PREV(x) NOT IN (SELECT y FROM s0) AS none, PREV(x) IN (SELECT y FROM s1) AS one,
    (PREV(x), 5) IN (SELECT c, d FROM p1) AS pair, (PREV(x), 10) IN (SELECT c, d FROM p1) AS other
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | none | one  | pair  | other |
-- | 1  | true | NULL | false | NULL  |
-- | 2  | true | true | false | true  |
-- | 3  | true | true | false | false |
-- | 4  | true | NULL | false | NULL  |

-- case: not-in-over-no-rows-of-the-row-before [Navigation and Subqueries, variables and functions]
SELECT * FROM nt MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS id PATTERN (A) DEFINE A AS PREV(x) NOT IN (SELECT y FROM s0));
-- expect:
-- | id |
-- | 1  |
-- | 2  |
-- | 3  |
-- | 4  |
