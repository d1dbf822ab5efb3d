-- MATCH_ROWTIME(), MATCH_PROCTIME() and MATCH_TIMED_OUT(): what a match says of its time
-- (semantics.md, "Extensions").
-- conf: spark.sql.session.timeZone=UTC

CREATE TEMP VIEW trips AS SELECT * FROM VALUES
  (1, TIMESTAMP'2025-01-01 10:00:00', 'start'),
  (2, TIMESTAMP'2025-01-01 10:10:00', 'stop'),
  (3, TIMESTAMP'2025-01-01 10:20:00', 'end'),
  (4, TIMESTAMP'2025-01-01 11:00:00', 'start'),
  (5, TIMESTAMP'2025-01-01 11:05:00', 'stop') AS t(id, ts, what);

-- case: rowtime-is-the-key-of-the-last-row
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES A.id AS id, MATCH_ROWTIME() AS t
  PATTERN (A S* E?) DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id : int | t : timestamp       |
-- | 1        | 2025-01-01 10:20:00 |
-- | 4        | 2025-01-01 11:05:00 |

-- case: rowtime-of-the-whole-match-on-each-row
SELECT id, c, t FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES CLASSIFIER() AS c, MATCH_ROWTIME() AS t
  ALL ROWS PER MATCH
  PATTERN (A S* E) DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id | c | t                   |
-- | 1  | A | 2025-01-01 10:20:00 |
-- | 2  | S | 2025-01-01 10:20:00 |
-- | 3  | E | 2025-01-01 10:20:00 |

-- case: rowtime-counts-an-excluded-last-row
SELECT id, t FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES MATCH_ROWTIME() AS t
  ALL ROWS PER MATCH
  PATTERN (A S {- E -}) DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id | t                   |
-- | 1  | 2025-01-01 10:20:00 |
-- | 2  | 2025-01-01 10:20:00 |

-- case: rowtime-and-timed-out-are-null-beside-matches
-- why: rows 2, 3 and 5 start an empty match each, which has no last row; with A+ they start none
SELECT id, n, t, late FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES MATCH_NUMBER() AS n, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
  ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (A S?) DEFINE A AS what = 'start', S AS what = 'stop');
-- expect:
-- | id | n    | t                   | late  |
-- | 1  | 1    | 2025-01-01 10:10:00 | false |
-- | 2  | 1    | 2025-01-01 10:10:00 | false |
-- | 3  | NULL | NULL                | NULL  |
-- | 4  | 2    | 2025-01-01 11:05:00 | false |
-- | 5  | 2    | 2025-01-01 11:05:00 | false |

-- case: rowtime-of-an-empty-match
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES MATCH_NUMBER() AS n, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
  PATTERN ((A S E)?) DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | n : bigint | t                   | late : boolean |
-- | 1          | 2025-01-01 10:20:00 | false          |
-- | 2          | NULL                | false          |
-- | 3          | NULL                | false          |

-- case: rowtime-has-the-type-of-a-computed-key
-- why: 10:00 is hour 10; the sum is of numbers, so the call is typed before it is added to
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY hour(ts) * 60 + minute(ts), id
  MEASURES A.id AS id, MATCH_ROWTIME() + 0.5 AS t, LAST(MATCH_ROWTIME(), 5) AS none
  PATTERN (A S) DEFINE A AS what = 'start', S AS what = 'stop');
-- expect:
-- | id | t     | none : int |
-- | 1  | 610.5 | NULL       |
-- | 4  | 665.5 | NULL       |

-- case: a-trip-without-an-end-times-out
-- why: trip 1 ends after 20 minutes. Trip 4 has a stop, and then no row within the hour: the partial match
-- A S waits for an E. Its rowtime is that of row 5, its last row.
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES A.id AS id, E.id AS ended, COUNT(S.id) AS stops, MATCH_NUMBER() AS n,
    MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A S* E) WITHIN INTERVAL '1' HOUR
  DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id | ended | stops | n | t                   | late  |
-- | 1  | 3     | 1     | 1 | 2025-01-01 10:20:00 | false |
-- | 4  | NULL  | 1     | 2 | 2025-01-01 11:05:00 | true  |

-- case: a-filter-above-keeps-the-time-outs
-- why: 10:00 to 10:20 is beyond 15 minutes, so trip 1 times out at its stop; the bound includes 10:15
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES A.id AS id, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A S* E) WITHIN INTERVAL '15' MINUTE
  DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end')
WHERE late;
-- expect:
-- | id | t                   | late |
-- | 1  | 2025-01-01 10:10:00 | true |
-- | 4  | 2025-01-01 11:05:00 | true |

-- case: all-rows-of-a-time-out
SELECT id, n, c, t, late FROM trips MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES MATCH_NUMBER() AS n, CLASSIFIER() AS c, MATCH_ROWTIME() AS t, MATCH_TIMED_OUT() AS late
  ALL ROWS PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A S* E) WITHIN INTERVAL '1' HOUR
  DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id | n | c | t                   | late  |
-- | 1  | 1 | A | 2025-01-01 10:20:00 | false |
-- | 2  | 1 | S | 2025-01-01 10:20:00 | false |
-- | 3  | 1 | E | 2025-01-01 10:20:00 | false |
-- | 4  | 2 | A | 2025-01-01 11:05:00 | true  |
-- | 5  | 2 | S | 2025-01-01 11:05:00 | true  |

-- case: rowtime-of-each-of-all-matches
-- why: row 1 starts A S E, A S and A, row 4 A S and A, in order of preferment
-- ordered
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES A.id AS id, MATCH_NUMBER() AS n, MATCH_ROWTIME() AS t
  AFTER MATCH NO SKIP
  PATTERN (A (S E?)?) DEFINE A AS what = 'start', S AS what = 'stop', E AS what = 'end');
-- expect:
-- | id | n | t                   |
-- | 1  | 1 | 2025-01-01 10:20:00 |
-- | 1  | 2 | 2025-01-01 10:10:00 |
-- | 1  | 3 | 2025-01-01 10:00:00 |
-- | 4  | 4 | 2025-01-01 11:05:00 |
-- | 4  | 5 | 2025-01-01 11:00:00 |

-- case: a-match-number-in-an-aggregate-is-the-matchs-own
-- why: each match has as many rows as it has, all with its own number: 3 * 1, 2 * 2, 1 * 3
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES COUNT(*) AS n, SUM(MATCH_NUMBER()) AS total
  AFTER MATCH NO SKIP
  PATTERN (A (S E?)?) DEFINE A AS id = 1, S AS what = 'stop', E AS what = 'end');
-- expect:
-- | n | total |
-- | 3 | 3     |
-- | 2 | 4     |
-- | 1 | 3     |

-- case: proctime-is-the-querys
SELECT DISTINCT p = current_timestamp() AS same FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES MATCH_PROCTIME() AS p ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | same |
-- | true |

-- case: proctime-of-an-empty-match-is-there-of-an-unmatched-row-not
SELECT id, p IS NULL AS none FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES MATCH_PROCTIME() AS p
  ALL ROWS PER MATCH WITH UNMATCHED ROWS
  PATTERN (A) DEFINE A AS id > 4);
-- expect:
-- | id | none  |
-- | 1  | true  |
-- | 2  | true  |
-- | 3  | true  |
-- | 4  | true  |
-- | 5  | false |

-- case: rowtime-needs-an-order
SELECT * FROM trips MATCH_RECOGNIZE (MEASURES MATCH_ROWTIME() AS t PATTERN (A));
-- error: MATCH_RECOGNIZE.ROWTIME_WITHOUT_ORDER [42601]
-- underlines: MATCH_ROWTIME()

-- case: rowtime-in-define
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES id AS id PATTERN (A) DEFINE A AS MATCH_ROWTIME() > ts);
-- error: MATCH_RECOGNIZE.ONLY_IN_MEASURES [42K0E]
-- underlines: MATCH_ROWTIME()
-- says: Write the first column of ORDER BY

-- case: proctime-in-define
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES id AS id PATTERN (A) DEFINE A AS ts < match_proctime());
-- error: MATCH_RECOGNIZE.ONLY_IN_MEASURES [42K0E]
-- underlines: match_proctime()
-- says: current_timestamp()

-- case: timed-out-in-an-aggregate
SELECT * FROM trips MATCH_RECOGNIZE (
  ORDER BY ts MEASURES COUNT_IF(MATCH_TIMED_OUT()) AS n PATTERN (A));
-- error: MATCH_RECOGNIZE.MATCH_FUNCTION_IN_AGGREGATE [42601]
-- underlines: MATCH_TIMED_OUT()
