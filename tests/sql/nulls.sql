-- NULLs: a condition that is NULL is not true; values that are NULL stay rows (semantics.md: Navigation, Aggregates and Conditions).

CREATE TEMP VIEW t AS SELECT * FROM VALUES (1, 10), (2, NULL), (3, 5), (4, 7) AS t(id, v);

-- case: a-comparison-with-null-is-not-true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS v > 0);
-- expect:
-- | id |
-- | 1  |
-- | 3  |
-- | 4  |

-- case: nor-is-its-negation
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS NOT v > 0);
-- expect:
-- | id |

-- case: null-or-true-is-true
-- why: for row 2, v > 0 is NULL, and id = 2 is true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS v > 9 OR id = 2);
-- expect:
-- | id |
-- | 1  |
-- | 2  |

-- case: a-row-with-a-null-is-still-the-last-row
-- why: A.v is the value of A's last row, not the last value that is not NULL
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.v AS a, LAST(A.v) AS l, LAST(A.v, 1) AS l1, B.v AS b
  PATTERN (A{2} B));
-- expect:
-- | a    | l    | l1 | b |
-- | NULL | NULL | 10 | 5 |

-- case: prev-of-a-null-is-null
-- why: row 3 is compared with row 2's NULL; 7 > 5
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (UP) DEFINE UP AS v > PREV(v));
-- expect:
-- | id |
-- | 4  |

-- case: null-safe-equality
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS v <=> NULL);
-- expect:
-- | id |
-- | 2  |

-- case: a-null-condition-is-not-true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS CAST(NULL AS BOOLEAN));
-- expect:
-- | n |

-- case: a-missing-row-and-a-null-look-alike
-- why: PREV(v) is NULL on row 1 (no row before it) and on row 3 (NULL before it); PREV(id) tells them apart
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES PREV(v) AS prev_v, PREV(id) AS prev_id ALL ROWS PER MATCH
  PATTERN (A) DEFINE A AS PREV(v) IS NULL);
-- expect:
-- | id | prev_v | prev_id | v  |
-- | 1  | NULL   | NULL    | 10 |
-- | 3  | NULL   | 2       | 5  |

-- case: an-expression-over-a-null-is-that-rows-value
-- why: A's last row is row 2, whose v is NULL; a row six before it does not exist
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES LAST(COALESCE(A.v, -1)) AS a, LAST(A.v * 2) AS b, LAST(CASE WHEN A.v IS NULL THEN 'none' END) AS c,
    LAST(COALESCE(A.v, -1), 6) AS d
  PATTERN (^ A{2}));
-- expect:
-- | a  | b    | c    | d    |
-- | -1 | NULL | none | NULL |

-- case: a-condition-that-is-the-word-null
-- why: as after WHERE, an untyped NULL is a condition that is not true
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(*) AS n PATTERN (A) DEFINE A AS NULL);
-- expect:
-- | n |

-- case: an-index-that-is-null-into-a-constant-array
-- why: row 1 has no row before it, so the index is NULL, and so is the element
SELECT * FROM VALUES (0), (1), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o MEASURES A.o AS x PATTERN (A) DEFINE A AS array(10, 20, 30)[PREV(o)] IS NULL);
-- expect:
-- | x |
-- | 0 |

-- case: an-element-of-a-constant-array-by-a-navigation
SELECT * FROM VALUES (0), (1), (2) AS t(o) MATCH_RECOGNIZE (
  ORDER BY o
  MEASURES array(10, 20, 30)[PREV(A.o)] AS x, element_at(array(1, 2), B.o) AS y,
    transform(array(1, NULL), i -> array(7, 8)[i]) AS z
  PATTERN (A | B) DEFINE B AS FALSE);
-- expect:
-- | x    | y    | z         |
-- | NULL | NULL | [8, null] |
-- | 10   | NULL | [8, null] |
-- | 20   | NULL | [8, null] |
