-- RUNNING looks at the match up to the current row, FINAL at the whole match (semantics.md: Running and final values).

CREATE TEMP VIEW v AS SELECT * FROM VALUES (1, 10), (2, 20), (3, 30) AS t(id, x);

-- case: running-is-the-default-of-measures
SELECT id, f, l, s, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(x) AS f, LAST(x) AS l, SUM(x) AS s, COUNT(*) AS n
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | f  | l  | s  | n |
-- | 1  | 10 | 10 | 10 | 1 |
-- | 2  | 10 | 20 | 30 | 2 |
-- | 3  | 10 | 30 | 60 | 3 |

-- case: running-written-out
SELECT id, l, s, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES RUNNING LAST(x) AS l, RUNNING SUM(x) AS s, RUNNING COUNT(*) AS n
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | l  | s  | n |
-- | 1  | 10 | 10 | 1 |
-- | 2  | 20 | 30 | 2 |
-- | 3  | 30 | 60 | 3 |

-- case: final-sees-the-whole-match
SELECT id, l, s, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL LAST(x) AS l, FINAL SUM(x) AS s, FINAL COUNT(*) AS n
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | l  | s  | n |
-- | 1  | 30 | 60 | 3 |
-- | 2  | 30 | 60 | 3 |
-- | 3  | 30 | 60 | 3 |

-- case: running-first-does-not-pass-the-current-row
-- why: the second row of the match is not there yet on the first row
SELECT id, r, f FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(x, 1) AS r, FINAL FIRST(x, 1) AS f
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | r    | f  |
-- | 1  | NULL | 20 |
-- | 2  | 20   | 20 |
-- | 3  | 20   | 20 |

-- case: running-last-with-an-offset
SELECT id, r, f FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES LAST(x, 1) AS r, FINAL LAST(x, 2) AS f
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | r    | f  |
-- | 1  | NULL | 10 |
-- | 2  | 10   | 10 |
-- | 3  | 20   | 10 |

-- case: a-plain-column-is-the-current-row-and-a-variable-its-last-row-so-far
SELECT id, cur, a, b FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES x AS cur, A.x AS a, B.x AS b
  ALL ROWS PER MATCH PATTERN (A B A));
-- expect:
-- | id | cur | a  | b    |
-- | 1  | 10  | 10 | NULL |
-- | 2  | 20  | 10 | 20   |
-- | 3  | 30  | 30 | 20   |

-- case: final-of-a-variable
SELECT id, a, b, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL LAST(A.x) AS a, FINAL LAST(B.x) AS b, FINAL COUNT(A.*) AS n
  ALL ROWS PER MATCH PATTERN (A B A));
-- expect:
-- | id | a  | b  | n |
-- | 1  | 30 | 20 | 2 |
-- | 2  | 30 | 20 | 2 |
-- | 3  | 30 | 20 | 2 |

-- case: running-and-final-side-by-side
-- why: what is left of the sum of 60
SELECT id, rest FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FINAL SUM(x) - RUNNING SUM(x) AS rest
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | rest |
-- | 1  | 50   |
-- | 2  | 30   |
-- | 3  | 0    |

-- case: prev-and-next-around-a-final-last
-- why: the last row is 3 for every row: before it 20; its last but one is 20, before it 10; after 10 is 20
SELECT id, a, b, c FROM v MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES PREV(FINAL LAST(x)) AS a, PREV(FINAL LAST(x, 1), 1) AS b, NEXT(FINAL FIRST(x)) AS c
  ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | a  | b  | c  |
-- | 1  | 20 | 10 | 20 |
-- | 2  | 20 | 10 | 20 |
-- | 3  | 20 | 10 | 20 |

-- case: next-goes-beyond-the-running-end
-- why: PREV and NEXT go by physical rows, whatever is mapped
SELECT id, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES NEXT(LAST(x)) AS n ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | n    |
-- | 1  | 20   |
-- | 2  | 30   |
-- | 3  | NULL |

-- case: define-is-running
-- why: COUNT(*) counts the tested row: two rows a match, then one
SELECT * FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A+) DEFINE A AS RUNNING COUNT(*) <= 2);
-- expect:
-- | first_id | last_id |
-- | 1        | 2       |
-- | 3        | 3       |

-- case: in-lower-case
SELECT id, l FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES final last(x) AS l ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | id | l  |
-- | 1  | 30 |
-- | 2  | 30 |
-- | 3  | 30 |

-- case: the-words-are-names-elsewhere
-- why: FINAL and RUNNING are keywords only before a call
SELECT * FROM VALUES (1, 2) AS t(final, running) MATCH_RECOGNIZE (
  ORDER BY final MEASURES final AS a, A.running AS running PATTERN (A));
-- expect:
-- | a | running |
-- | 1 | 2       |

-- case: running-and-final-of-classifiers
-- why: what only the match knows can be aggregated both ways
SELECT id, r, f FROM v MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES array_join(RUNNING collect_list(CLASSIFIER()), '') AS r, array_join(FINAL collect_list(lower(CLASSIFIER())), '') AS f
  ALL ROWS PER MATCH PATTERN (A B A));
-- expect:
-- | id | r   | f   |
-- | 1  | A   | aba |
-- | 2  | AB  | aba |
-- | 3  | ABA | aba |

-- case: deep-within-an-expression
-- why: rows 1 and 2 are a match of two, row 3 is one of its own
SELECT id, n FROM v MATCH_RECOGNIZE (
  ORDER BY id MEASURES CASE WHEN FINAL COUNT(*) > 1 THEN 10 + RUNNING COUNT(*) END AS n
  ALL ROWS PER MATCH PATTERN (A{1,2}));
-- expect:
-- | id | n    |
-- | 1  | 11   |
-- | 2  | 12   |
-- | 3  | NULL |
