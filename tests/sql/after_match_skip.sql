-- AFTER MATCH: where the search continues after a match of at least one row (semantics.md: After a match).

CREATE TEMP VIEW aabbab AS SELECT * FROM VALUES
  (1, 'a'), (2, 'a'), (3, 'b'), (4, 'b'), (5, 'a'), (6, 'b') AS t(id, s);

-- case: past-last-row-is-the-default
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: past-last-row
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 5        | 6       |

-- case: to-next-row
-- why: row 2 starts a match too, within the first one
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+ B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 2        | 4       |
-- | 5        | 6       |

-- case: to-first-variable
-- why: each match ends on its B, where the next one may begin: rows 1, 2, 3 then 3, 4, then 4, 5, 6
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO FIRST B
  PATTERN (X A* B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 3        | 4       |
-- | 4        | 6       |

-- case: to-last-variable
-- why: match 1 is X = 1, A = 2, B = 3, and its last A is row 2. From there X = 2 and A fails at row 3,
-- from row 3 at row 4; then X = 4, A = 5, B = 6.
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO LAST A
  PATTERN (X A+ B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 4        | 6       |

-- case: to-variable-is-to-last-variable
-- why: the last B of match 1 is row 4; from there X = 4, A = 5, B = 6
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO B
  PATTERN (X A B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 4        | 6       |

-- case: first-and-last-differ
-- why: X = 1, A = 2, B = 3 and 4; the first B is row 3. From there X = 3, B = 4; from row 4 X = 4,
-- A = 5, B = 6; from row 6 nothing.
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO FIRST B
  PATTERN (X A? B+) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 3        | 4       |
-- | 4        | 6       |

-- case: to-a-subset
-- why: the first row of A or B after X is row 2; from there X = 2, then rows 3 and 4 are B
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO FIRST U
  PATTERN (X A* B{2}) SUBSET U = (A, B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 2        | 4       |

-- case: the-target-is-not-in-the-match
-- why: match 1 is X = 1, A = 2, B = 3 and skips to row 2. Match 2 is X = 2, B = 3: it has no A.
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id
  AFTER MATCH SKIP TO A
  PATTERN (X A? B) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH

-- case: the-target-is-the-first-row
-- why: the search would find the same match for ever
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id
  AFTER MATCH SKIP TO FIRST A
  PATTERN (A+ B) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.SKIP_TO_FIRST_ROW_OF_MATCH

-- case: a-last-target-may-be-the-first-row-too
-- why: rows 1 to 3 skip to row 2, the last A. From there the only A is the first row.
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id
  AFTER MATCH SKIP TO LAST A
  PATTERN (A+ B) DEFINE A AS s = 'a', B AS s = 'b');
-- error: MATCH_RECOGNIZE.SKIP_TO_FIRST_ROW_OF_MATCH

-- case: an-error-even-at-the-end-of-the-partition
-- why: the match ends with the partition, but the place to continue at is still needed
SELECT * FROM VALUES (1) AS t(id) MATCH_RECOGNIZE (
  ORDER BY id MEASURES id AS id AFTER MATCH SKIP TO B PATTERN (A | B));
-- error: MATCH_RECOGNIZE.SKIP_TARGET_NOT_IN_MATCH

-- case: relaxed-a-missing-target-is-the-next-row
-- conf: spark.sql.matchRecognize.invalidSkip=nextRow
-- why: row 1: X A B to row 3, on to row 2. Row 2: X = 2, B = 3, no A, on to 3. Row 3: X = 3, B = 4, on
-- to 4. Row 4: X = 4, A = 5, B = 6, on to row 5: X = 5, B = 6, no A, on to 6: nothing.
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO A
  PATTERN (X A? B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 2        | 3       |
-- | 3        | 4       |
-- | 4        | 6       |
-- | 5        | 6       |

-- case: relaxed-the-first-row-is-the-next-row
-- conf: spark.sql.matchRecognize.invalidSkip=nextRow
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO FIRST A
  PATTERN (A+ B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 1        | 3       |
-- | 2        | 3       |
-- | 5        | 6       |

-- case: failed-start-rows-move-on-by-one
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  PATTERN (A B) DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | first_id | last_id |
-- | 2        | 3       |
-- | 5        | 6       |

-- case: skip-words-win-over-variables-of-that-name
-- why: SKIP TO NEXT ROW is the next row, although a variable is called NEXT
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A NEXT) DEFINE A AS s = 'a', NEXT AS s = 'b');
-- expect:
-- | first_id |
-- | 2        |
-- | 5        |

-- case: to-a-subset-of-which-one-member-is-not-in-the-match
-- why: D holds nowhere, so the last row of U is the last B: row 4, then row 6, from where X is alone
SELECT * FROM aabbab MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS first_id, LAST(id) AS last_id
  AFTER MATCH SKIP TO U
  PATTERN (X A+ B+ D?) SUBSET U = (B, D) DEFINE A AS s = 'a', B AS s = 'b', D AS FALSE);
-- expect:
-- | first_id | last_id |
-- | 1        | 4       |
-- | 4        | 6       |
