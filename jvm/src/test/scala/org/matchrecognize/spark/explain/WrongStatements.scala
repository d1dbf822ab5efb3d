package org.matchrecognize.spark.explain

/**
 * A statement as a newcomer writes it, over a few rows for which it matches nothing.
 *
 * @param mistake
 *   what is wrong, in a few words
 * @param columns
 *   names of the columns
 * @param rows
 *   rows of VALUES, one per line
 * @param clause
 *   what is in the parentheses after MATCH_RECOGNIZE
 * @param cause
 *   what the first hint must be. Each of its sentences says what is wrong, or what to write
 */
final private[explain] case class WrongStatement(
    mistake: String,
    columns: String,
    rows: String,
    clause: String,
    cause: String,
    settings: Map[String, String] = Map.empty)

/** The list that `why` must pass. Causes are worked out by hand from the rows. */
private[explain] object WrongStatements {
  private val funnel =
    "DEFINE V AS page = 'view', C AS page = 'cart', B AS page = 'buy'"

  private val prices = "id, price"

  val all: Seq[WrongStatement] = Seq(
    // The order of rows.
    WrongStatement(
      "ORDER BY ... DESC where the oldest row must come first",
      "user, time, page",
      "('ann', 1, 'view'), ('ann', 2, 'cart'), ('ann', 3, 'buy')",
      s"PARTITION BY user ORDER BY time DESC PATTERN (V C B) $funnel",
      "ORDER BY may have the wrong direction. With ORDER BY time, there is 1 match."
    ),
    WrongStatement(
      "a key that counts backwards",
      "user, days_ago, page",
      "('ann', 9, 'view'), ('ann', 5, 'cart'), ('ann', 2, 'buy'), ('bob', 3, 'view'), " +
        "('bob', 2, 'cart'), ('bob', 1, 'buy')",
      s"PARTITION BY user ORDER BY days_ago PATTERN (V C B) $funnel",
      "ORDER BY may have the wrong direction. With ORDER BY days_ago DESC, there are 2 matches."
    ),
    WrongStatement(
      "one of two keys in the wrong direction",
      "day, hour, page",
      "(1, 22, 'home'), (1, 23, 'view'), (2, 0, 'buy'), (2, 1, 'home')",
      "ORDER BY day, hour DESC PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "ORDER BY may have the wrong direction. With ORDER BY day, hour, there is 1 match."
    ),
    WrongStatement(
      "a number that is a text in ORDER BY",
      "n, page",
      "('8', 'home'), ('9', 'view'), ('10', 'cart'), ('11', 'buy')",
      s"ORDER BY n PATTERN (V C B) $funnel",
      "ORDER BY n sorts a text: '10' comes before '9'. " +
        "With ORDER BY CAST(n AS DOUBLE), there is 1 match."
    ),
    // Rows in between.
    WrongStatement(
      "rows between two variables",
      "time, page",
      "(1, 'view'), (2, 'scroll'), (3, 'buy')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "Other rows may be between those that the pattern names, but PATTERN (V B) allows none. " +
        "With PATTERN (V X*? B), where X is not in DEFINE, there is 1 match. X maps 1 row."
    ),
    WrongStatement(
      "rows between the last two of three variables",
      "time, page",
      "(1, 'view'), (2, 'cart'), (3, 'help'), (4, 'home'), (5, 'buy')",
      s"ORDER BY time PATTERN (V C B) $funnel",
      "Other rows may be between those that the pattern names, but PATTERN (V C B) allows none. " +
        "With PATTERN (V C X*? B), where X is not in DEFINE, there is 1 match. X maps 2 rows."
    ),
    WrongStatement(
      "rows between all variables",
      "time, page",
      "(1, 'view'), (2, 'help'), (3, 'cart'), (4, 'home'), (5, 'buy')",
      s"ORDER BY time PATTERN (V C B) $funnel",
      "Other rows may be between those that the pattern names, but PATTERN (V C B) allows none. " +
        "With PATTERN (V X*? C X*? B), where X is not in DEFINE, there is 1 match. X maps 2 rows."
    ),
    WrongStatement(
      "rows between those of one variable",
      "time, result",
      "(1, 'failed'), (2, 'help'), (3, 'failed'), (4, 'home'), (5, 'failed'), (6, 'help')",
      "ORDER BY time PATTERN (F{3}) DEFINE F AS result = 'failed'",
      "Other rows may be between those that the pattern names, but PATTERN (F{3}) allows none. " +
        "With PATTERN (F (X*? F){2}), where X is not in DEFINE, there is 1 match. X maps 2 rows."
    ),
    // The partitions.
    WrongStatement(
      "PARTITION BY forgotten",
      "user, time, page",
      "('ann', 1, 'view'), ('bob', 2, 'view'), ('ann', 3, 'cart'), ('bob', 4, 'cart'), " +
        "('ann', 5, 'buy'), ('bob', 6, 'buy')",
      s"ORDER BY time PATTERN (V C B) $funnel",
      "PARTITION BY may be missing. With PARTITION BY user, there are 2 matches."
    ),
    WrongStatement(
      "a key too many",
      "user, session, time, page",
      "('ann', 1, 1, 'view'), ('ann', 1, 2, 'cart'), ('ann', 2, 3, 'buy'), ('bob', 3, 4, 'view')",
      s"PARTITION BY user, session ORDER BY time PATTERN (V C B) $funnel",
      "PARTITION BY may have a key too many. With PARTITION BY user, there is 1 match."
    ),
    WrongStatement(
      "a key that each row has of its own",
      "event, time, page",
      "('e1', 1, 'view'), ('e2', 2, 'cart'), ('e3', 3, 'buy')",
      s"PARTITION BY event ORDER BY time PATTERN (V C B) $funnel",
      "PARTITION BY may have a key too many. Without PARTITION BY, there is 1 match."
    ),
    // Texts.
    WrongStatement(
      "blanks at the end of a value",
      "time, page",
      "(1, 'view '), (2, 'buy  ')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "page = 'view' is false for 'view ': spaces at the ends count. " +
        "With TRIM on both sides, there is 1 match."
    ),
    WrongStatement(
      "a blank in the statement",
      "time, page",
      "(1, 'view'), (2, 'buy')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = ' buy'",
      "page = ' buy' is false for 'buy': spaces at the ends count. " +
        "With TRIM on both sides, there is 1 match."
    ),
    WrongStatement(
      "upper and lower case",
      "time, page",
      "(1, 'View'), (2, 'BUY')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "page = 'view' is false for 'View': upper and lower case differ. " +
        "With LOWER on both sides, there is 1 match."
    ),
    WrongStatement(
      "upper and lower case in the second of two conditions with their variables",
      "time, page",
      "(1, 'view'), (2, 'BUY')",
      "ORDER BY time PATTERN (V B) DEFINE V AS V.page = 'view', B AS LAST(B.page) = 'buy'",
      "LAST(B.page) = 'buy' is false for 'BUY': upper and lower case differ. " +
        "With LOWER on both sides, there is 1 match."
    ),
    WrongStatement(
      "case and blanks, and a list",
      "time, page",
      "(1, 'home'), (2, 'Buy '), (3, 'view')",
      "ORDER BY time PATTERN (H B) DEFINE H AS page = 'home', B AS page IN ('buy', 'order')",
      "page IN ('buy', 'order') is false for 'Buy ': case and spaces at the ends count. " +
        "With LOWER(TRIM()) on both sides, there is 1 match."
    ),
    WrongStatement(
      "quotes forgotten, and a column has that name",
      "time, page, view",
      "(1, 'view', 'old'), (2, 'buy', 'old')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = view, B AS page = 'buy'",
      "page = view compares two columns: view without quotes is a column, here 'old'. " +
        "With page = 'view', there is 1 match."
    ),
    WrongStatement(
      "a column in double quotes",
      "time, page",
      "(1, 'view'), (2, 'buy')",
      "ORDER BY time PATTERN (V B) DEFINE V AS \"page\" = 'view', B AS \"page\" = 'buy'",
      "In \"page\" = 'view', the quotes make \"page\" a text. " +
        "With the name page without quotes, there is 1 match."
    ),
    WrongStatement(
      "= with a wildcard",
      "time, page",
      "(1, 'view/3'), (2, 'buy/3')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view%', B AS page = 'buy%'",
      "= supports no wildcards: page = 'view%' is true only for exactly this text. " +
        "With LIKE 'view%', there is 1 match."
    ),
    WrongStatement(
      "LIKE without a wildcard",
      "time, page",
      "(1, '/view/3'), (2, '/buy/3')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page LIKE 'view', B AS page LIKE 'buy'",
      "page LIKE 'view' has no wildcard, and is true only for exactly this text. " +
        "With LIKE '%view%', there is 1 match."
    ),
    WrongStatement(
      "numbers that are texts",
      "id, price",
      "(1, '9'), (2, '10'), (3, '100')",
      "ORDER BY id PATTERN (A UP UP) DEFINE UP AS price > PREV(price)",
      "price > PREV(price) compares texts: '10' is less than '9'. " +
        "With CAST(... AS DOUBLE) on both sides, there is 1 match."
    ),
    // NULL.
    WrongStatement(
      "= NULL",
      "id, price",
      "(1, 5), (2, NULL), (3, 7)",
      "ORDER BY id PATTERN (A N B) DEFINE A AS price > 0, N AS price = NULL, B AS price > 0",
      "price = NULL is never true: nothing equals NULL. With IS NULL, there is 1 match."
    ),
    WrongStatement(
      "<> NULL",
      "id, price",
      "(1, NULL), (2, 5), (3, 7)",
      "ORDER BY id PATTERN (A B) DEFINE A AS price <> NULL, B AS price > 6",
      "price <> NULL is never true: nothing equals NULL. With IS NOT NULL, there is 1 match."
    ),
    // Operators.
    WrongStatement(
      "^ for the first row of a match",
      "time, page",
      "(1, 'home'), (2, 'view'), (3, 'buy')",
      "ORDER BY time PATTERN (^ V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "^ allows a match only at the first row of a partition. " +
        "With PATTERN (V B), there is 1 match."
    ),
    WrongStatement(
      "$ for the last row of a match",
      "time, page",
      "(1, 'view'), (2, 'buy'), (3, 'home')",
      "ORDER BY time PATTERN (V B $) DEFINE V AS page = 'view', B AS page = 'buy'",
      "$ allows a match only at the last row of a partition. " +
        "With PATTERN (V B), there is 1 match."
    ),
    WrongStatement(
      "^ for a power",
      prices,
      "(1, 5), (2, 11)",
      "ORDER BY id PATTERN (A B) DEFINE B AS price ^ 2 > 100",
      "price ^ 2 is not a power: ^ compares bits. With POWER(price, 2), there is 1 match."
    ),
    WrongStatement(
      "AND for OR",
      "time, page",
      "(1, 'view'), (2, 'buy')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', " +
        "B AS page = 'buy' AND page = 'order'",
      "page = 'buy' AND page = 'order' is never true: page has one value. " +
        "With OR, there is 1 match."
    ),
    WrongStatement(
      "the ends of BETWEEN swapped",
      prices,
      "(1, 5), (2, 15)",
      "ORDER BY id PATTERN (A B) DEFINE B AS price BETWEEN 20 AND 10",
      "price BETWEEN 20 AND 10 is never true: the smaller end comes first. " +
        "With the ends swapped, there is 1 match."
    ),
    WrongStatement(
      "a row compared with itself",
      prices,
      "(1, 9), (2, 8), (3, 7)",
      "ORDER BY id PATTERN (A DOWN DOWN) DEFINE DOWN AS price < LAST(DOWN.price)",
      "price < LAST(DOWN.price) compares the row with itself: " +
        "it is the last row of DOWN when it is tested. With PREV(price), there is 1 match."
    ),
    WrongStatement(
      "neighbours that are equal",
      prices,
      "(1, 20), (2, 17), (3, 15), (4, 15)",
      "ORDER BY id PATTERN (A DOWN+ UP) " +
        "DEFINE DOWN AS price < PREV(price), UP AS price > PREV(price)",
      "price > PREV(price) is false if both are equal. With >=, there is 1 match."
    ),
    WrongStatement(
      "the second half of an AND",
      prices,
      "(1, 9), (2, 10), (3, 12)",
      "ORDER BY id PATTERN (A UP UP) DEFINE UP AS price > PREV(price) AND price > 11",
      "price > 11, a part of UP, keeps the pattern from matching. " +
        "With UP AS price > PREV(price), there is 1 match."
    ),
    WrongStatement(
      "the first half of an AND",
      "id, price, page",
      "(1, 9, 'view'), (2, 10, 'buy'), (3, 11, 'buy')",
      "ORDER BY id PATTERN (V B) DEFINE V AS page = 'view', " +
        "B AS price > 2 * PREV(price) AND page = 'buy'",
      "price > 2 * PREV(price), a part of B, keeps the pattern from matching. " +
        "With B AS page = 'buy', there is 1 match."
    ),
    // Times and units.
    WrongStatement(
      "the time zone of the session",
      "id, ts",
      "(1, TIMESTAMP '2026-03-02 08:00:00Z'), (2, TIMESTAMP '2026-03-02 09:00:00Z')",
      "ORDER BY id PATTERN (A B) DEFINE A AS HOUR(ts) = 8, B AS HOUR(ts) = 9",
      "HOUR(ts) = 8 depends on the time zone of the session, America/New_York. " +
        "With spark.sql.session.timeZone = UTC, there is 1 match.",
      Map("spark.sql.session.timeZone" -> "America/New_York")
    ),
    WrongStatement(
      "the date in another time zone",
      "id, ts",
      "(1, TIMESTAMP '2026-03-02 01:00:00Z'), (2, TIMESTAMP '2026-03-02 02:00:00Z')",
      "ORDER BY id PATTERN (A B) DEFINE A AS CAST(ts AS DATE) = DATE '2026-03-02', " +
        "B AS CAST(ts AS DATE) = DATE '2026-03-02'",
      "CAST(ts AS DATE) = DATE '2026-03-02' depends on the time zone of the session, " +
        "America/New_York. With spark.sql.session.timeZone = UTC, there is 1 match.",
      Map("spark.sql.session.timeZone" -> "America/New_York")
    ),
    WrongStatement(
      "a timestamp compared with a date",
      "id, ts",
      "(1, TIMESTAMP '2026-03-02 08:00:00'), (2, TIMESTAMP '2026-03-03 09:00:00')",
      "ORDER BY id PATTERN (A B) DEFINE A AS ts = DATE '2026-03-02'",
      "ts = DATE '2026-03-02' is true at one instant only. " +
        "With CAST(... AS DATE) on both sides, there is 1 match."
    ),
    WrongStatement(
      "WITHIN too short",
      "ts, page",
      "(TIMESTAMP '2026-03-02 08:00:00', 'view'), (TIMESTAMP '2026-03-02 08:08:00', 'buy')",
      "ORDER BY ts PATTERN (V B) WITHIN INTERVAL '5' MINUTE " +
        "DEFINE V AS page = 'view', B AS page = 'buy'",
      "WITHIN INTERVAL '05' MINUTE may be too short. " +
        "With a bound 2 times as long, there is 1 match."
    ),
    WrongStatement(
      "WITHIN in seconds over a key in milliseconds",
      "millis, page",
      "(1000, 'view'), (21000, 'buy')",
      "ORDER BY millis PATTERN (V B) WITHIN 30 DEFINE V AS page = 'view', B AS page = 'buy'",
      "WITHIN 30 may be too short. With a bound 1000 times as long, there is 1 match."
    ),
    WrongStatement(
      "a difference in seconds of milliseconds",
      "millis, page",
      "(1000, 'view'), (4000, 'buy')",
      "ORDER BY millis PATTERN (V B) " +
        "DEFINE V AS page = 'view', B AS page = 'buy' AND millis - V.millis < 5",
      "millis - V.millis < 5 may have another unit than the data. " +
        "With 5000 in place of 5, there is 1 match."
    ),
    WrongStatement(
      "a price in cents",
      prices,
      "(1, 90.0), (2, 120.0)",
      "ORDER BY id PATTERN (A B) DEFINE B AS price > 10000",
      "price > 10000 may have another unit than the data, such as 90.0, 120.0. " +
        "With 100 in place of 10000, there is 1 match."
    )
  )

  /** Statements that match, or that match nothing because the rows have nothing of the kind. */
  val right: Seq[WrongStatement] = Seq(
    WrongStatement(
      "it matches",
      "time, page",
      "(1, 'view'), (2, 'BUY '), (3, 'view'), (4, 'buy')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      ""
    ),
    WrongStatement(
      "nobody buys",
      "user, time, page",
      "('ann', 1, 'view'), ('ann', 2, 'cart'), ('bob', 1, 'view'), ('bob', 2, 'cart')",
      s"PARTITION BY user ORDER BY time PATTERN (V C B) $funnel",
      ""
    ),
    WrongStatement(
      "one user views, another one buys",
      "user, time, page",
      "('ann', 1, 'view'), ('ann', 2, 'home'), ('bob', 3, 'buy'), ('bob', 4, 'home')",
      "PARTITION BY user ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      ""
    ),
    WrongStatement(
      "the price only falls",
      prices,
      "(1, 9), (2, 8), (3, 7)",
      "ORDER BY id PATTERN (A UP) DEFINE UP AS price > PREV(price) AND PREV(price) > NEXT(price) " +
        "AND price > 8",
      ""
    ),
    WrongStatement(
      "no price is as high",
      prices,
      "(1, 90), (2, 80), (3, 120)",
      "ORDER BY id PATTERN (A B) DEFINE B AS price > 150",
      ""),
    WrongStatement(
      "no row within the bound, and none after it",
      "time, page",
      "(1, 'view'), (2, 'home')",
      "ORDER BY time PATTERN (V B) WITHIN 5 DEFINE V AS page = 'view', B AS page = 'buy'",
      ""
    ),
    // 43, the first price above twice 21, comes 22 rows after it.
    WrongStatement(
      "no price has doubled so fast",
      prices,
      (1 to 40).map(id => s"($id, ${20 + id})").mkString(", "),
      "ORDER BY id PATTERN (A UP DOUBLED) " +
        "DEFINE UP AS price > PREV(price), DOUBLED AS price > 2 * A.price",
      ""
    ),
    WrongStatement(
      "IS NULL, and no NULL",
      prices,
      "(1, 9), (2, 8)",
      "ORDER BY id PATTERN (A N) DEFINE N AS price IS NULL",
      ""),
    WrongStatement(
      "a single row",
      "time, page",
      "(1, 'view')",
      "ORDER BY time PATTERN (V B) DEFINE V AS page = 'view', B AS page = 'buy'",
      "")
  )
}
