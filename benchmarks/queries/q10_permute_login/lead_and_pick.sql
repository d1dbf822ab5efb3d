-- Four rows with the four events are candidates; a lambda picks those that do not overlap.
WITH fours AS (
  SELECT user_id, ts, event, place,
         LEAD(ts, 3) OVER in_time AS ts4, LEAD(event, 3) OVER in_time AS event4,
         array(event, LEAD(event) OVER in_time, LEAD(event, 2) OVER in_time,
               LEAD(event, 3) OVER in_time) AS events,
         LEAD(ts, 4) OVER in_time AS ts5, LEAD(event, 4) OVER in_time AS event5,
         LEAD(amount, 4) OVER in_time AS amount5
  FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY ts) AS place FROM {clicks})
  WINDOW in_time AS (PARTITION BY user_id ORDER BY ts)),
candidates AS (
  SELECT user_id, place, ts AS t0, event4,
         CASE WHEN event5 = 'purchase' THEN 'P' WHEN amount5 > 100 THEN 'X' END AS fifth, ts4, ts5
  FROM fours
  WHERE array_contains(events, 'search') AND array_contains(events, 'view')
    AND array_contains(events, 'cart') AND array_contains(events, 'checkout')),
picked AS (
  SELECT user_id, inline(aggregate(
      sort_array(collect_list(struct(
        place, t0, IF(fifth IS NULL, ts4, ts5) AS t1,
        COALESCE(fifth, CASE event4 WHEN 'search' THEN 'A' WHEN 'view' THEN 'B'
                                    WHEN 'cart' THEN 'C' ELSE 'D' END) AS last_cls,
        place + IF(fifth IS NULL, 4, 5) AS next))),
      CAST(array() AS ARRAY<STRUCT<place: INT, t0: TIMESTAMP, t1: TIMESTAMP, last_cls: STRING,
                                   next: INT>>),
      (found, x) -> IF(size(found) = 0 OR x.place >= try_element_at(found, -1).next,
                       array_append(found, x), found)))
  FROM candidates GROUP BY user_id)
SELECT user_id, t0, t1, last_cls FROM picked
