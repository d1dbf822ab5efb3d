-- Time windows: window(time, size) is a value of one row (semantics.md: Time windows).
-- conf: spark.sql.session.timeZone=UTC

CREATE TEMP VIEW t AS SELECT * FROM VALUES
  (1, TIMESTAMP'2024-01-31 10:11:12'), (2, CAST(NULL AS TIMESTAMP)), (3, TIMESTAMP'2024-01-31 12:01:12')
  AS t(o, ts);

-- case: in-measures-no-row-is-lost
-- why: three rows; the last one is at 12:01
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES COUNT(*) AS n, array_agg(o) AS oo, window(ts, '1 hour').start AS w PATTERN (A+));
-- expect:
-- | n | oo        | w                   |
-- | 3 | [1, 2, 3] | 2024-01-31 12:00:00 |

-- case: in-define-no-row-is-lost
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES COUNT(*) AS n, COUNT(B.*) AS b PATTERN (A B C)
  DEFINE B AS window(ts, '1 hour').start IS NOT NULL OR o = 2);
-- expect:
-- | n | b |
-- | 3 | 1 |

-- case: of-a-navigation
-- why: 10:11 is in the window from 10:00, 12:01 in the one from 12:00
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o
  MEASURES window(A.ts, '1 hour').start AS a, window(LAST(ts), '30 minutes').end AS l,
    window(PREV(C.ts), '1 hour') AS p
  PATTERN (A B C));
-- expect:
-- | a                   | l                   | p    |
-- | 2024-01-31 10:00:00 | 2024-01-31 12:30:00 | NULL |

-- case: of-a-variable-without-a-row
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES window(B.ts, '1 hour') AS w, window(B.ts, '1 hour').start AS s PATTERN (A B?? C C));
-- expect:
-- | w    | s    |
-- | NULL | NULL |

-- case: all-rows-show-no-other-column
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES window(ts, '1 hour').start AS w ALL ROWS PER MATCH PATTERN (A+));
-- expect:
-- | o | w                   | ts                  |
-- | 1 | 2024-01-31 10:00:00 | 2024-01-31 10:11:12 |
-- | 2 | NULL                | NULL                |
-- | 3 | 2024-01-31 12:00:00 | 2024-01-31 12:01:12 |

-- case: with-an-offset-before-1970-and-as-a-date
-- why: windows of a day from 06:00; 05:00 is in the one of the day before
SELECT * FROM VALUES (1, TIMESTAMP'1969-07-20 05:00:00', DATE'2024-02-01') AS t(o, ts, d) MATCH_RECOGNIZE (
  ORDER BY o
  MEASURES window(ts, '1 day', '1 day', '6 hours').start AS a, window(d, '1 day').end AS b,
    window(CAST(ts AS TIMESTAMP_NTZ), '7 hours').start AS c
  PATTERN (A));
-- expect:
-- | a                   | b                   | c                   |
-- | 1969-07-19 06:00:00 | 2024-02-02 00:00:00 | 1969-07-20 05:00:00 |

-- case: two-windows-in-one-clause
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o
  MEASURES window(A.ts, '1 hour').start AS hour, window(A.ts, '1 day').start AS day PATTERN (A B C));
-- expect:
-- | hour                | day                 |
-- | 2024-01-31 10:00:00 | 2024-01-31 00:00:00 |

-- case: as-a-partition-key
-- why: a NULL time is a key of its own
SELECT window.start, n FROM t MATCH_RECOGNIZE (
  PARTITION BY window(ts, '1 day') ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+));
-- expect:
-- | start               | n |
-- | 2024-01-31 00:00:00 | 2 |
-- | NULL                | 1 |

-- case: as-an-order-key
-- why: the NULL comes first
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY window(ts, '1 day'), o DESC MEASURES array_agg(o) AS oo PATTERN (A+));
-- expect:
-- | oo        |
-- | [2, 3, 1] |

-- case: the-time-of-a-window
-- why: a microsecond before its end
SELECT * FROM (SELECT window(ts, '1 hour') AS w, COUNT(*) AS c FROM t GROUP BY 1) MATCH_RECOGNIZE (
  ORDER BY w.start
  MEASURES window_time(A.w) AS a, window(LAST(w), '1 day').start AS d PATTERN (A B));
-- expect:
-- | a                          | d                   |
-- | 2024-01-31 10:59:59.999999 | 2024-01-31 00:00:00 |

-- case: a-sliding-window
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES window(ts, '1 hour', '30 minutes').start AS w PATTERN (A+));
-- error: MATCH_RECOGNIZE.SLIDING_WINDOW [42903]
-- underlines: window(ts, '1 hour', '30 minutes')
-- says: Write window(ts, '1 hour'), or

-- case: sessions
SELECT * FROM t MATCH_RECOGNIZE (
  PARTITION BY session_window(ts, '3 hours') ORDER BY o MEASURES COUNT(*) AS n PATTERN (A+));
-- error: MATCH_RECOGNIZE.SESSION_WINDOW [42903]
-- underlines: session_window(ts, '3 hours')
-- says: DEFINE B AS PREV(ts) + INTERVAL '3 hours' >= ts

-- case: a-size-that-is-no-time
SELECT * FROM t MATCH_RECOGNIZE (
  ORDER BY o MEASURES window(ts, 'soon').start AS w PATTERN (A+));
-- error: CANNOT_PARSE_INTERVAL
