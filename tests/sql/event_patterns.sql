-- Event patterns as tutorials tell them, each in one clause: what a reader may start from.

CREATE TEMP VIEW stock AS SELECT * FROM VALUES
  ('ACME', 1, 30), ('ACME', 2, 25), ('ACME', 3, 20), ('ACME', 4, 24), ('ACME', 5, 29), ('ACME', 6, 33), ('ACME', 7, 31),
  ('FLAT', 1, 10), ('FLAT', 2, 10), ('FLAT', 3, 10) AS t(symbol, day, price);

CREATE TEMP VIEW account AS SELECT k, CAST(ts AS TIMESTAMP) AS ts, what, amount FROM VALUES
  ('x', '2025-01-01 10:00:00', 'LOGIN', 0), ('x', '2025-01-01 10:01:00', 'PASSWORD', 0), ('x', '2025-01-01 10:20:00', 'WITHDRAW', 12000),
  ('y', '2025-01-01 10:00:00', 'LOGIN', 0), ('y', '2025-01-01 10:01:00', 'PASSWORD', 0), ('y', '2025-01-01 11:20:00', 'WITHDRAW', 12000),
  ('z', '2025-01-01 10:00:00', 'LOGIN', 0), ('z', '2025-01-01 10:01:00', 'PASSWORD', 0), ('z', '2025-01-01 11:00:00', 'WITHDRAW', 9000),
  ('w', '2025-01-01 10:00:00', 'LOGIN', 0), ('w', '2025-01-01 10:05:00', 'VIEW', 0), ('w', '2025-01-01 10:06:00', 'PASSWORD', 0),
  ('w', '2025-01-01 11:00:00', 'WITHDRAW', 20000) AS t(k, ts, what, amount);

CREATE TEMP VIEW shop AS SELECT u, CAST(ts AS TIMESTAMP) AS ts, what FROM VALUES
  (1, '2025-01-01 10:00:00', 'CHECKOUT'), (1, '2025-01-01 10:00:05', 'PURCHASE'),
  (2, '2025-01-01 10:00:00', 'CHECKOUT'), (2, '2025-01-01 10:05:00', 'CLICK'), (2, '2025-01-01 11:00:00', 'PURCHASE'),
  (3, '2025-01-01 10:50:00', 'CLICK'),
  (4, '2025-01-01 10:00:00', 'CHECKOUT'), (4, '2025-01-01 10:20:00', 'CLICK'), (4, '2025-01-01 10:30:00', 'PURCHASE')
  AS t(u, ts, what);

-- case: v-shape-recovery
-- why: from 30 down to 20 on day 3, up to 33 on day 6
SELECT * FROM stock MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES S.day AS first_day, LAST(DOWN.day) AS bottom_day, LAST(UP.day) AS last_day, LAST(DOWN.price) AS bottom
  PATTERN (S DOWN+ UP+)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price));
-- expect:
-- | symbol | first_day | bottom_day | last_day | bottom |
-- | ACME   | 1         | 3          | 6        | 20     |

-- case: v-shape-that-recovers-the-loss
-- why: 29 on day 5 is below the 30 it began with, 33 on day 6 is not
SELECT * FROM stock MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES S.price AS before, BACK.day AS day, BACK.price AS price
  PATTERN (S DOWN+ UP*? BACK)
  DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price), BACK AS price > PREV(price) AND price >= S.price);
-- expect:
-- | symbol | before | day | price |
-- | ACME   | 30     | 6   | 33    |

-- case: double-bottom
-- why: down to 4 on day 3, up to 8, down to 4 again on day 7 (within 1 of the first), up
SELECT * FROM VALUES (1, 9), (2, 6), (3, 4), (4, 6), (5, 8), (6, 5), (7, 4), (8, 7), (9, 3) AS t(day, price) MATCH_RECOGNIZE (
  ORDER BY day
  MEASURES LAST(DOWN1.day) AS first_bottom, LAST(UP1.day) AS top, LAST(DOWN2.day) AS second_bottom, LAST(UP2.day) AS last_day
  PATTERN (S DOWN1+ UP1+ DOWN2+ UP2+)
  DEFINE DOWN1 AS price < PREV(price), UP1 AS price > PREV(price), DOWN2 AS price < PREV(price),
    UP2 AS price > PREV(price) AND ABS(LAST(DOWN1.price) - LAST(DOWN2.price)) <= 1);
-- expect:
-- | first_bottom | top | second_bottom | last_day |
-- | 3            | 5   | 7             | 8        |

-- case: fraud-within-an-hour
-- why: y withdraws after 80 minutes, z not enough, w has a VIEW in between
SELECT * FROM account MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY ts
  MEASURES A.ts AS login, C.amount AS amount
  PATTERN (A B C) WITHIN INTERVAL '1' HOUR
  DEFINE A AS what = 'LOGIN', B AS what = 'PASSWORD', C AS what = 'WITHDRAW' AND amount > 10000);
-- expect:
-- | k | login               | amount |
-- | x | 2025-01-01 10:00:00 | 12000  |

-- case: fraud-whatever-happens-in-between
-- why: the VIEW of w is passed over, and its hour ends with the withdrawal
SELECT * FROM account MATCH_RECOGNIZE (
  PARTITION BY k ORDER BY ts
  MEASURES C.amount AS amount
  PATTERN (A {- X*? -} B {- Y*? -} C) WITHIN INTERVAL '1' HOUR
  DEFINE A AS what = 'LOGIN', B AS what = 'PASSWORD', C AS what = 'WITHDRAW' AND amount > 10000);
-- expect:
-- | k | amount |
-- | x | 12000  |
-- | w | 20000  |

-- case: sensor-jitter
-- why: 101, 115, 102 are above 100 and more than 10 from the row before; 108 and 109 are not
SELECT * FROM VALUES (1, 90.0), (2, 101.0), (3, 115.0), (4, 102.0), (5, 99.0), (6, 120.0), (7, 108.0), (8, 109.0)
  AS t(ts, temp) MATCH_RECOGNIZE (
  ORDER BY ts
  MEASURES FIRST(JITTER.ts) AS from_ts, LAST(JITTER.ts) AS to_ts, COUNT(*) AS spikes
  PATTERN (JITTER{3,})
  DEFINE JITTER AS temp > 100 AND ABS(temp - PREV(temp)) > 10);
-- expect:
-- | from_ts | to_ts | spikes |
-- | 2       | 4     | 3      |

-- case: abandoned-checkout
-- why: 2 buys, but after an hour; the purchase of 4 is on the bound itself; 3 never began
SELECT u, began FROM shop MATCH_RECOGNIZE (
  PARTITION BY u ORDER BY ts
  MEASURES A.ts AS began, MATCH_TIMED_OUT() AS abandoned
  ONE ROW PER MATCH SHOW TIMEOUT MATCHES
  PATTERN (A {- X*? -} P) WITHIN INTERVAL '30' MINUTES
  DEFINE A AS what = 'CHECKOUT', P AS what = 'PURCHASE')
WHERE abandoned;
-- expect:
-- | u | began               |
-- | 2 | 2025-01-01 10:00:00 |

-- case: how-long-a-checkout-took
-- why: 5 seconds, and half an hour
SELECT * FROM shop MATCH_RECOGNIZE (
  PARTITION BY u ORDER BY ts
  MEASURES unix_timestamp(P.ts) - unix_timestamp(A.ts) AS seconds
  PATTERN (A {- X*? -} P) WITHIN INTERVAL '30' MINUTES
  DEFINE A AS what = 'CHECKOUT', P AS what = 'PURCHASE');
-- expect:
-- | u | seconds |
-- | 1 | 5       |
-- | 4 | 1800    |
