-- Columns of type CHAR(n) are compared as WHERE compares them: the shorter side is padded with blanks
-- (semantics.md: Conditions).

DROP TABLE IF EXISTS golden_chars;
CREATE TABLE golden_chars (id INT, c CHAR(6), d CHAR(8), v VARCHAR(8)) USING parquet;
INSERT INTO golden_chars VALUES (1, 'k1', 'k1', 'k1'), (2, 'k2', 'k1', 'k2'), (3, NULL, 'k3', 'k3'), (4, 'k1', 'k4', 'k1');

-- case: a-plain-column [Conditions]
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS c = 'k1');
-- expect:
-- | id |
-- | 1  |
-- | 4  |

-- case: a-column-of-a-variable [Conditions]
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS id PATTERN (A) DEFINE A AS 'k1' = A.c);
-- expect:
-- | id |
-- | 1  |
-- | 4  |

-- case: other-comparisons [Conditions]
-- why: row 1 is k1 in both columns; row 3 has no c
SELECT id, e, s, l, i, f FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES c <=> 'k1' AS e, A.c <> 'k1' AS s, c > 'k1' AS l, A.c IN ('k2', 'k9') AS i,
    CASE c WHEN 'k1' THEN 1 WHEN 'k2' THEN 2 END AS f
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | e     | s     | l     | i     | f    |
-- | 1  | true  | false | false | false | 1    |
-- | 2  | false | true  | true  | true  | 2    |
-- | 3  | false | NULL  | NULL  | NULL  | NULL |
-- | 4  | true  | false | false | false | 1    |

-- case: columns-of-two-lengths [Conditions]
-- why: c is CHAR(6), d is CHAR(8); the d of the row before is k1, k1, k3
SELECT id, same, before FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES c = d AS same, A.c = PREV(A.d) AS before ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | same  | before |
-- | 1  | true  | NULL   |
-- | 2  | false | false  |
-- | 3  | NULL  | NULL   |
-- | 4  | false | false  |

-- case: columns-of-two-variables [Conditions]
-- why: A is row 1, B row 2, whose d is k1
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, B.id AS b PATTERN (A B) DEFINE B AS A.c = B.d);
-- expect:
-- | a | b |
-- | 1 | 2 |

-- case: a-column-of-another-row [Conditions]
-- why: rows 2 and 3 follow rows with k1 and k2; the c of row 3 is NULL
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id, FIRST(A.c) = 'k2' AS two PATTERN (A) DEFINE A AS PREV(c) = 'k1' OR PREV(c = 'k2'));
-- expect:
-- | id | two  |
-- | 2  | true |
-- | 3  | NULL |

-- case: within-aggregates [Conditions]
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES COUNT(*) FILTER (WHERE c = 'k1') AS n, COUNT_IF(A.c = 'k2') AS m, MAX(IF(A.c = A.d, A.id, 0)) AS same
  PATTERN (A+));
-- expect:
-- | n | m | same |
-- | 2 | 1 | 1    |

-- case: without-padding-on-reads [Conditions]
-- conf: spark.sql.readSideCharPadding=false
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS c = 'k1' AND A.c IN ('k1', 'k'));
-- expect:
-- | id |
-- | 1  |
-- | 4  |

-- case: as-strings [Conditions]
-- conf: spark.sql.legacy.charVarcharAsString=true
-- why: a string is not padded, and the stored value has its blanks
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS c = 'k1');
-- expect:
-- | id |

-- case: measures-above-the-clause [Conditions]
-- why: a measure that is a column has the type of the column
SELECT id FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS id, A.c AS e, LAST(A.c) AS f PATTERN (A)) WHERE e = 'k1' AND f = 'k1';
-- expect:
-- | id |
-- | 1  |
-- | 4  |

-- case: input-columns-above-the-clause [Conditions]
-- why: rows 1 and 2 have d = k1, and e is each row's own c
SELECT id, d FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.c AS e ALL ROWS PER MATCH PATTERN (A)) WHERE d = 'k1' AND c = e;
-- expect:
-- | id | d          |
-- | 1  | 'k1      ' |
-- | 2  | 'k1      ' |

-- case: partition-columns-above-the-clause [Conditions]
SELECT n FROM golden_chars MATCH_RECOGNIZE (
  PARTITION BY c ORDER BY id MEASURES COUNT(*) AS n PATTERN (A+)) WHERE c = 'k1';
-- expect:
-- | n |
-- | 2 |

-- case: varchar-is-not-padded [Conditions]
SELECT * FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id PATTERN (A) DEFINE A AS v = 'k1 ' OR A.v = 'k2');
-- expect:
-- | id |
-- | 2  |

-- case: in-an-aggregate-as-spark-pads [Conditions]
-- why: Spark pads none of BETWEEN's, and 'k2' with blanks is greater than 'k2'
-- spark: 4.0+, BETWEEN is two comparisons before, which Spark pads
SELECT id, n, f FROM golden_chars MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT_IF(c BETWEEN 'k1' AND 'k2') AS n, COUNT(*) FILTER (WHERE c = 'k2') AS f
  ALL ROWS PER MATCH PATTERN (A));
-- expect:
-- | id | n | f |
-- | 1  | 1 | 0 |
-- | 2  | 0 | 1 |
-- | 3  | 0 | 0 |
-- | 4  | 1 | 0 |
