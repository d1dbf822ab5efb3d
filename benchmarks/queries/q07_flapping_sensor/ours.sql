SELECT device, ts, temp, cls, m, run FROM {sensors} MATCH_RECOGNIZE (
  PARTITION BY device ORDER BY ts
  MEASURES CLASSIFIER() AS cls, MATCH_NUMBER() AS m, RUNNING COUNT(H.ts) AS run,
           FINAL LAST(N.ts) AS t_end
  ALL ROWS PER MATCH AFTER MATCH SKIP PAST LAST ROW
  PATTERN (H{3,} (N{1,2} H+)* N{3})
  DEFINE H AS H.temp > 80, N AS N.temp <= 80)
