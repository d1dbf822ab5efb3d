-- A warm spell: two or more warm readings, and the first one that is not warm.
CREATE TEMPORARY VIEW spells AS
SELECT * FROM STREAM readings WATERMARK at DELAY OF INTERVAL 10 MINUTES
MATCH_RECOGNIZE (
  PARTITION BY truck
  ORDER BY at
  MEASURES
    FIRST(at) AS began,
    COOL.at AS ended,
    COUNT(WARM.*) AS warm_readings,
    MAX(WARM.celsius) AS peak
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (WARM{2,} COOL)
  WITHIN INTERVAL 1 HOUR
  DEFINE
    WARM AS celsius > 7,
    COOL AS celsius <= 7
);

CREATE STREAMING TABLE warm_spells AS
SELECT * FROM STREAM spells;

-- A failing unit: three warm spells in four hours, each warmer than the one before.
CREATE STREAMING TABLE failing_units AS
SELECT * FROM STREAM spells
MATCH_RECOGNIZE (
  PARTITION BY truck
  ORDER BY ended
  MEASURES
    FIRST(began) AS since,
    LAST(ended) AS until,
    LAST(peak) AS peak
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (SPELL WARMER{2})
  WITHIN INTERVAL 4 HOURS
  DEFINE WARMER AS peak > PREV(peak)
);
