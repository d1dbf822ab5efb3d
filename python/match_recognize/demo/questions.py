"""The demo's questions and queries; tests/python/project/test_demo.py works out each answer."""

from __future__ import annotations

from dataclasses import dataclass

#: The views that the queries read. ``{data}`` is the folder of the data files.
SETUP = (
    """\
CREATE OR REPLACE TEMPORARY VIEW stock_file USING csv
OPTIONS (path '{data}/stocks.csv.gz', header 'true')""",
    """\
CREATE OR REPLACE TEMPORARY VIEW stocks AS
SELECT Ticker AS symbol, CAST(Date AS DATE) AS day, CAST(`Adj Close` AS DECIMAL(10, 4)) AS price
FROM stock_file""",
    """\
CREATE OR REPLACE TEMPORARY VIEW reading_file USING csv
OPTIONS (path '{data}/refrigerator.csv.gz', header 'true')""",
    """\
CREATE OR REPLACE TEMPORARY VIEW readings AS
SELECT CAST(time AS TIMESTAMP_NTZ) AS at, CAST(celsius AS DECIMAL(4, 1)) AS celsius
FROM reading_file""",
)

STOCKS = (
    "Closing prices of AAPL, FB, GOOG, IBM and MSFT, 2000 to 2013: stocks(symbol, day, price)"
)
READINGS = (
    "Made temperatures of a refrigerator, every five minutes for 90 days: readings(at, celsius)"
)


@dataclass(frozen=True)
class Question:
    """A question, its query and how to read it.

    Attributes:
        name: a short name, for tests.
        title: what the pattern is called.
        words: the question as a person would ask it.
        sql: the query.
        reading: what in the query does it.
    """

    name: str
    title: str
    words: str
    sql: str
    reading: str


V_SHAPE = Question(
    "v_shape",
    "V-shape",
    "When did a share fall for four days or more, and at once rise for four days or more? The "
    "five deepest.",
    """\
SELECT symbol, top_day, bottom_day, end_day, fall, rise
FROM stocks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES
    TOP.day        AS top_day,
    LAST(DOWN.day) AS bottom_day,
    LAST(UP.day)   AS end_day,
    ROUND(100 * (LAST(DOWN.price) / TOP.price - 1), 1)      AS fall,
    ROUND(100 * (LAST(UP.price) / LAST(DOWN.price) - 1), 1) AS rise
  AFTER MATCH SKIP TO LAST UP
  PATTERN (TOP DOWN{4,} UP{4,})
  DEFINE
    DOWN AS price < PREV(price),
    UP   AS price > PREV(price)
)
ORDER BY fall, top_day LIMIT 5""",
    "PATTERN says the shape, DEFINE what a row of each kind is. fall and rise are in per cent.",
)

DOUBLE_BOTTOM = Question(
    "double_bottom",
    "Double bottom (W)",
    "When did a share fall and rise, then fall and rise again, each for three days or more, "
    "with the two bottoms within 2 % of each other?",
    """\
SELECT symbol, top_day, first_bottom, second_bottom, end_day, low_1, low_2
FROM stocks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES
    TOP.day         AS top_day,
    LAST(FALL1.day) AS first_bottom,
    LAST(FALL2.day) AS second_bottom,
    LAST(RISE2.day) AS end_day,
    CAST(LAST(FALL1.price) AS DECIMAL(10, 2)) AS low_1,
    CAST(LAST(FALL2.price) AS DECIMAL(10, 2)) AS low_2
  AFTER MATCH SKIP TO LAST RISE2
  PATTERN (TOP FALL1{3,} RISE1{3,} FALL2{3,} RISE2{3,})
  DEFINE
    FALL1 AS price < PREV(price),
    RISE1 AS price > PREV(price),
    FALL2 AS price < PREV(price),
    RISE2 AS price > PREV(price)
             AND ABS(LAST(FALL2.price) / LAST(FALL1.price) - 1) < 0.02
)
ORDER BY top_day""",
    "A condition may look back at what other variables have matched: RISE2 compares the bottoms.",
)

LONGEST_RISE = Question(
    "longest_rise",
    "Longest rising streak",
    "Which share rose the most days in a row?",
    """\
SELECT symbol, from_day, to_day, days, gain
FROM stocks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES
    STRT.day       AS from_day,
    LAST(UP.day)   AS to_day,
    COUNT(UP.*)    AS days,
    ROUND(100 * (LAST(UP.price) / STRT.price - 1), 1) AS gain
  PATTERN (STRT UP+)
  DEFINE UP AS price > PREV(price)
)
ORDER BY days DESC, from_day LIMIT 5""",
    "STRT has no DEFINE, so any row will do; UP+ takes as many rows as it can. gain is in "
    "per cent.",
)

DIP = Question(
    "dip",
    "A dip that recovers",
    "How often did a share lose more than 10 % and get it all back within 30 trading days?",
    """\
SELECT symbol, COUNT(*) AS dips, MIN(depth) AS deepest, ROUND(AVG(days), 1) AS average_days
FROM stocks MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES
    ROUND(100 * (MIN(BELOW.price) / PEAK.price - 1), 1) AS depth,
    COUNT(*) - 1 AS days
  PATTERN (PEAK BELOW{1,29} BACK)
  DEFINE
    BELOW AS price < PEAK.price,
    BACK  AS price >= PEAK.price AND MIN(BELOW.price) < 0.9 * PEAK.price
)
GROUP BY symbol ORDER BY symbol""",
    "Aggregates work in conditions, over the rows matched so far. The result is a table like any "
    "other: here it is grouped.",
)

DAY_BY_DAY = Question(
    "day_by_day",
    "One match, row by row",
    "What did the days of Apple's dip of October 2008 look like?",
    """\
SELECT day, CAST(price AS DECIMAL(10, 2)) AS price, matched_as, from_peak, lowest
FROM (
  SELECT * FROM stocks
  WHERE symbol = 'AAPL' AND day BETWEEN DATE'2008-09-25' AND DATE'2008-10-20'
) MATCH_RECOGNIZE (
  PARTITION BY symbol ORDER BY day
  MEASURES
    CLASSIFIER()                                AS matched_as,
    ROUND(100 * (price / PEAK.price - 1), 1)    AS from_peak,
    CAST(MIN(BELOW.price) AS DECIMAL(10, 2))    AS lowest
  ALL ROWS PER MATCH
  PATTERN (PEAK BELOW{1,29} BACK)
  DEFINE
    BELOW AS price < PEAK.price,
    BACK  AS price >= PEAK.price AND MIN(BELOW.price) < 0.9 * PEAK.price
)
ORDER BY day""",
    "ALL ROWS PER MATCH gives every row of the match, CLASSIFIER() the variable that it matched. "
    "lowest is a running minimum.",
)

REBOUND = Question(
    "rebound",
    "From too cold to too warm",
    "When did the refrigerator go from too cold (below 2 degrees) to too warm (above 8) within "
    "19 readings, about an hour and a half, while the sensor did not pause? The five fastest.",
    """\
SELECT cold_from, coldest, cold_until, warm_at, celsius, minutes
FROM readings MATCH_RECOGNIZE (
  ORDER BY at
  MEASURES
    FIRST(COLD.at)    AS cold_from,
    MIN(COLD.celsius) AS coldest,
    LAST(COLD.at)     AS cold_until,
    WARM.at           AS warm_at,
    WARM.celsius      AS celsius,
    TIMESTAMPDIFF(MINUTE, LAST(COLD.at), WARM.at) AS minutes
  PATTERN (COLD+ RISING{1,18} WARM)
  DEFINE
    COLD   AS celsius < 2,
    RISING AS celsius BETWEEN 2 AND 8 AND at <= PREV(at) + INTERVAL '10' MINUTES,
    WARM   AS celsius > 8 AND at <= PREV(at) + INTERVAL '10' MINUTES
)
ORDER BY minutes, cold_from LIMIT 5""",
    "PREV is the row before in time, whatever it matched. Here it excludes pauses of the sensor. "
    "Without PARTITION BY all rows are one partition.",
)

#: What is asked of each data set.
PARTS: tuple[tuple[str, tuple[Question, ...]], ...] = (
    (STOCKS, (V_SHAPE, DOUBLE_BOTTOM, LONGEST_RISE, DIP, DAY_BY_DAY)),
    (READINGS, (REBOUND,)),
)

#: All of them, in their order.
QUESTIONS: tuple[Question, ...] = tuple(q for _, questions in PARTS for q in questions)
