-- WITHIN: the time from the first to the last row of a match is at most the interval (semantics.md, Extensions).
-- It limits the search: the match is the preferred one among those that keep to the bound.
-- conf: spark.sql.session.timeZone=America/New_York

CREATE TEMP VIEW calls AS SELECT id, CAST(ts AS TIMESTAMP) AS ts, s FROM VALUES
  (1, '2024-05-01 10:00:00', 'a'), (2, '2024-05-01 10:30:00', 'b'), (3, '2024-05-01 11:00:00', 'c'),
  (4, '2024-05-01 12:00:00', 'a'), (5, '2024-05-01 13:00:01', 'c') AS t(id, ts, s);

CREATE TEMP VIEW numbered AS SELECT * FROM VALUES
  (0, 'a'), (5, 'b'), (10, 'b'), (11, 'b'), (20, 'a') AS t(id, s);

-- case: the-bound-itself-is-within
-- why: rows 1 and 3 are one hour apart; rows 4 and 5 one hour and a second
SELECT * FROM calls MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.id AS a, C.id AS c
  PATTERN (A B* C) WITHIN INTERVAL '1' HOUR
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c |
-- | 1 | 3 |

-- case: a-bound-of-nothing-is-one-time
-- why: a row is 0 from itself, no two rows of calls are of one time
SELECT * FROM calls MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.id AS a, COUNT(*) AS n
  PATTERN (A Z*) WITHIN INTERVAL '0' SECOND DEFINE A AS s = 'a');
-- expect:
-- | a | n |
-- | 1 | 1 |
-- | 4 | 1 |

-- case: a-greedy-loop-takes-what-is-within
-- why: 0, 5 and 10 are within 10 of 0, and 11 is not; 20 starts the next match, 11 none
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l
  PATTERN (A B*) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | f  | l  |
-- | 0  | 10 |
-- | 20 | 20 |

-- case: the-first-in-preferment-that-is-within
-- why: A B B B is preferred but reaches 11; A B B is the next
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES COUNT(B.*) AS n
  PATTERN (A B B B | A B B | A B) WITHIN 10 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | n |
-- | 2 |

-- case: excluded-rows-count
-- why: 5 is within 5 of 0; with 10 the match spans 10, whether or not that row is output
SELECT id FROM numbered MATCH_RECOGNIZE (
  ORDER BY id ALL ROWS PER MATCH
  PATTERN (A B {- B -}) WITHIN 9 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | id |

-- case: rows-only-looked-at-do-not-count
-- why: NEXT of 0 is 5, and of 20 no row
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a, NEXT(A.id) AS n
  PATTERN (A) WITHIN 1 DEFINE A AS s = 'a' AND (NEXT(id) > 0 OR NEXT(id) IS NULL));
-- expect:
-- | a  | n    |
-- | 0  | 5    |
-- | 20 | NULL |

-- case: the-partition's-end-is-not-the-bound's
-- why: only 20 has no row of the partition after it
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A $) WITHIN 1 DEFINE A AS s = 'a');
-- expect:
-- | a  |
-- | 20 |

-- case: null-keys-start-nothing
-- why: the row without a time comes first and starts not even an empty match; without WITHIN it would start one.
--   From 1: rows 1 and 2. Row 9 is no A, an empty match.
SELECT * FROM VALUES (NULL, 'a'), (1, 'a'), (2, 'a'), (9, 'b') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (A*) WITHIN 5 DEFINE A AS s = 'a');
-- expect:
-- | mn | n |
-- | 1  | 2 |
-- | 2  | 0 |

-- case: null-keys-that-come-last-are-beyond-every-bound
SELECT * FROM VALUES (NULL, 'a'), (1, 'a'), (2, 'a') AS t(id, s) MATCH_RECOGNIZE (
  ORDER BY id NULLS LAST MEASURES MATCH_NUMBER() AS mn, COUNT(*) AS n
  PATTERN (A*) WITHIN 1000 DEFINE A AS s = 'a');
-- expect:
-- | mn | n |
-- | 1  | 2 |

-- case: dates
-- why: 1 March is two days after 28 February in a leap year
SELECT * FROM VALUES (DATE'2024-02-28', 'a'), (DATE'2024-03-01', 'b'), (DATE'2023-02-27', 'a'), (DATE'2023-03-02', 'b')
  AS t(d, s) MATCH_RECOGNIZE (
  ORDER BY d MEASURES A.d AS a, B.d AS b
  PATTERN (A B) WITHIN INTERVAL '2' DAY DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | a          | b          |
-- | 2024-02-28 | 2024-03-01 |

-- case: timestamps-without-zone
SELECT * FROM VALUES (TIMESTAMP_NTZ'2024-03-09 12:00:00', 'a'), (TIMESTAMP_NTZ'2024-03-10 12:00:00', 'b')
  AS t(ts, s) MATCH_RECOGNIZE (
  ORDER BY ts MEASURES B.ts AS b
  PATTERN (A B) WITHIN INTERVAL '24' HOUR DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | b                   |
-- | 2024-03-10 12:00:00 |

-- case: a-day-is-one-of-the-calendar-as-in-timestamp-plus-interval
-- why: on 10 March 2024 clocks in New York went forward: noon is 23 hours after noon, and half past is more than a day
SELECT * FROM VALUES (1, TIMESTAMP'2024-03-09 12:00:00', 'a'), (1, TIMESTAMP'2024-03-10 12:00:00', 'b'),
  (2, TIMESTAMP'2024-03-09 12:00:00', 'a'), (2, TIMESTAMP'2024-03-10 12:30:00', 'b') AS t(k, ts, s) MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY ts MEASURES B.ts AS b
  PATTERN (A B) WITHIN INTERVAL '1' DAY DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | k | b                   |
-- | 1 | 2024-03-10 12:00:00 |

-- case: only-the-first-key-counts
SELECT * FROM VALUES (1, 100, 'a'), (2, 0, 'b') AS t(id, other, s) MATCH_RECOGNIZE (
  ORDER BY id, other DESC MEASURES B.id AS b
  PATTERN (A B) WITHIN 1 DEFINE A AS s = 'a', B AS s = 'b');
-- expect:
-- | b |
-- | 2 |

-- case: longer-than-the-partition-is-none
SELECT * FROM calls MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.id AS a, C.id AS c
  PATTERN (A B* C) WITHIN INTERVAL '1000' DAY
  DEFINE A AS s = 'a', B AS s = 'b', C AS s = 'c');
-- expect:
-- | a | c |
-- | 1 | 3 |
-- | 4 | 5 |

-- case: months-are-refused
SELECT * FROM calls MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.id AS a PATTERN (A) WITHIN INTERVAL '1' MONTH DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.WITHIN_TYPE [42804]
-- says: months differ in length

-- case: a-negative-bound-is-refused
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A) WITHIN -1 DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.WITHIN_OUT_OF_RANGE [22003]

-- case: a-null-bound-is-refused
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id MEASURES A.id AS a PATTERN (A) WITHIN CAST(NULL AS INT) DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.WITHIN_OUT_OF_RANGE [22003]

-- case: descending-order-is-refused
SELECT * FROM numbered MATCH_RECOGNIZE (
  ORDER BY id DESC MEASURES A.id AS a PATTERN (A) WITHIN 1 DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.WITHIN_DESCENDING [42601]

-- case: no-order-is-refused
SELECT * FROM numbered MATCH_RECOGNIZE (MEASURES A.id AS a PATTERN (A) WITHIN 1 DEFINE A AS s = 'a');
-- error: MATCH_RECOGNIZE.WITHIN_WITHOUT_ORDER [42601]

-- case: dates-beyond-all-timestamps [Within]
-- why: a timestamp ends in the year 294247; days are counted from then on, and 2 and 3 are one day apart, as 5 and 6 are
SELECT * FROM VALUES (DATE'2020-01-01', 1), (DATE'+300000-01-01', 2), (DATE'+300000-01-02', 3), (DATE'+300000-01-04', 4),
  (DATE'-300000-01-01', 5), (DATE'-300000-01-02', 6), (DATE'-299999-01-01', 7) AS t(d, n)
MATCH_RECOGNIZE (ORDER BY d MEASURES FIRST(n) AS first, LAST(n) AS last PATTERN (A+) WITHIN INTERVAL '1' DAY);
-- expect:
-- | first | last |
-- | 5     | 6    |
-- | 7     | 7    |
-- | 1     | 1    |
-- | 2     | 3    |
-- | 4     | 4    |

-- case: the-longest-interval-over-dates [Within]
-- why: the second row is one day after the first; the bound and the filter of the first row end beyond all dates
SELECT * FROM VALUES (DATE'2020-01-01', 1), (DATE'2020-01-02', 2) AS t(d, n) MATCH_RECOGNIZE (
  ORDER BY d MEASURES A.n AS a, B.n AS b PATTERN (A B) WITHIN INTERVAL '106751991' DAY
  DEFINE A AS A.d <= DATE'2020-01-01');
-- expect:
-- | a | b |
-- | 1 | 2 |

-- case: a-time-zone-by-a-short-name [Within]
-- conf: spark.sql.session.timeZone=PST
SELECT * FROM VALUES (TIMESTAMP'2024-01-01 10:00:00', 1), (TIMESTAMP'2024-01-01 10:00:02', 2), (TIMESTAMP'2024-01-01 10:00:05', 3) AS t(ts, n) MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.n AS a, B.n AS b PATTERN (A B) WITHIN INTERVAL '2' SECOND);
-- expect:
-- | a | b |
-- | 1 | 2 |
