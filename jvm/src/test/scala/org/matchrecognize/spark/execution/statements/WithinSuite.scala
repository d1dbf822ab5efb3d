package org.matchrecognize.spark.execution.statements

import org.matchrecognize.spark.SparkSuite

/** WITHIN: what it measures by, how it is planned, and that every matcher gives the same rows. */
class WithinSuite extends SparkSuite {

  private def matchers(sql: String, names: String*): Seq[Seq[Seq[Any]]] = names.map { name =>
    withSettings("spark.sql.matchRecognize.matcher" -> name)(rows(sql))
  }

  private def explained(sql: String): String = rows("EXPLAIN FORMATTED " + sql).head.head.toString

  /** Keys of a type, the bound, and what a condition has to add to the first key. */
  private val keys: Seq[(String, String, String)] = Seq(
    ("CAST(n AS TINYINT)", "4", "4"),
    ("CAST(n AS SMALLINT)", "4.9", "4"),
    ("CAST(n AS INT)", "4S", "4"),
    ("n", "4e0", "4"),
    ("CAST(n / 2 AS FLOAT)", "2", "2"),
    ("n / 2D", "2.25", "2.25D"),
    ("CAST(n / 4 AS DECIMAL(10, 2))", "1.1", "1.1BD"),
    ("CAST(n / 4 AS DECIMAL(38, 10))", "1.1", "1.1BD"),
    ("DATE'2024-03-01' + CAST(n AS INT)", "INTERVAL '4' DAY", "INTERVAL '4' DAY"),
    ("DATE'2024-03-01' + CAST(n AS INT)", "INTERVAL '95' HOUR", "INTERVAL '95' HOUR"),
    // No timestamp is so late.
    ("date_from_unix_date(CAST(n AS INT) + 110000000)", "INTERVAL '4' DAY", "INTERVAL '4' DAY"),
    (
      "TIMESTAMP'2024-03-08 00:00:00' + n * INTERVAL '6' HOUR",
      "INTERVAL '1' DAY",
      "INTERVAL '1' DAY"),
    (
      "TIMESTAMP'2024-03-08 00:00:00' + n * INTERVAL '6' HOUR",
      "INTERVAL '1 01:30' DAY TO MINUTE",
      "INTERVAL '1 01:30' DAY TO MINUTE"),
    (
      "TIMESTAMP_NTZ'2024-03-08 00:00:00' + n * INTERVAL '6' HOUR",
      "INTERVAL '1' DAY",
      "INTERVAL '1' DAY")
  )

  // The clocks go forward on 2024-03-10 in New York. Numbers have no clock.
  for {
    zone                     <- Seq("UTC", "America/New_York")
    ((key, bound, added), i) <- keys.zipWithIndex
    if zone == "UTC" || key.contains("'")
  }
    test(s"as a condition on every variable says it: $key within $bound, $zone, $i") {
      withSettings("spark.sql.session.timeZone" -> zone) {
        val input = s"(SELECT id % 3 AS k, id, hash(id) & 15 AS x, " +
          s"IF(id % 11 = 0, NULL, $key) AS o FROM (SELECT id, id div 4 AS n FROM range(240)))"
        for (order <- Seq("o", "o NULLS LAST"); after <- Seq("PAST LAST ROW", "TO NEXT ROW")) {
          def sql(within: String, and: String) =
            s"""SELECT * FROM $input MATCH_RECOGNIZE (PARTITION BY k ORDER BY $order, id
               |  MEASURES FIRST(id) AS f, LAST(id) AS l, COUNT(*) AS n AFTER MATCH SKIP $after
               |  PATTERN (A (B | Z)* C) $within
               |  DEFINE A AS x < 9 AND o IS NOT NULL, B AS x > 5$and, Z AS x <> 3$and,
               |    C AS x > 12$and)""".stripMargin
          val expected = matchers(sql("", s" AND o <= FIRST(o) + $added"), "threads").head
          assert(expected.size > 15 && expected.exists(_.last.asInstanceOf[Long] > 2))
          matchers(sql(s"WITHIN $bound", ""), "threads", "automaton", "auto").foreach(found =>
            assert(found == expected))
        }
      }
    }

  test("a day is one of the calendar, hours are hours") {
    val input =
      "VALUES (TIMESTAMP'2024-03-09 12:00:00', 1), (TIMESTAMP'2024-03-10 12:00:00', 2), " +
        "(TIMESTAMP'2024-03-10 12:30:00', 3) AS t(ts, id)"
    def last(bound: String) = rows(s"""SELECT * FROM $input MATCH_RECOGNIZE (
      |  ORDER BY ts MEASURES LAST(id) AS l PATTERN (A B+) WITHIN $bound)""".stripMargin)
    withSettings("spark.sql.session.timeZone" -> "America/New_York") {
      // From noon to noon are 23 hours.
      assert(last("INTERVAL '1' DAY") == Seq(Seq(2)))
      assert(last("INTERVAL '23' HOUR") == Seq(Seq(2)))
      assert(last("INTERVAL '23:30' HOUR TO MINUTE") == Seq(Seq(3)))
      assert(last("INTERVAL '22:59' HOUR TO MINUTE") == Seq(Seq(3)))
      assert(last("INTERVAL '29' MINUTE") == Seq())
    }
    withSettings("spark.sql.session.timeZone" -> "UTC") {
      assert(last("INTERVAL '1' DAY") == Seq(Seq(2)))
      assert(last("INTERVAL '24:30' HOUR TO MINUTE") == Seq(Seq(3)))
    }
  }

  test("a bound beyond the calendar, or beyond all numbers, is none") {
    val input = "VALUES (TIMESTAMP'9999-12-30 00:00:00', 9223372036854775800, 1), " +
      "(TIMESTAMP'9999-12-31 00:00:00', 9223372036854775806, 2) AS t(ts, n, id)"
    def last(order: String, bound: String) = rows(s"""SELECT * FROM $input MATCH_RECOGNIZE (
      |  ORDER BY $order MEASURES LAST(id) AS l PATTERN (A B) WITHIN $bound)""".stripMargin)
    for (zone <- Seq("UTC", "America/New_York"))
      withSettings("spark.sql.session.timeZone" -> zone) {
        assert(last("ts", "INTERVAL '100000000' DAY") == Seq(Seq(2)))
      }
    assert(last("n", "9223372036854775807") == Seq(Seq(2)))
    assert(last("n", "1e300") == Seq(Seq(2)))
    assert(last("n", "DOUBLE('Infinity')") == Seq(Seq(2)))
    assert(last("n", "5") == Seq())
    assert(last("n", "6") == Seq(Seq(2)))
  }

  test("a NULL key starts nothing, ends everything, and is matched by nothing") {
    val input = "VALUES (NULL, 1), (1, 2), (2, 3), (NULL, 4) AS t(o, id)"
    for ((nulls, numbered) <- Seq(
        "FIRST" -> Seq("1-", "4-", "2A", "3B"),
        "LAST"  -> Seq("2A", "3B", "1-", "4-")))
      assert(
        rows(s"""SELECT concat(id, COALESCE(c, '-')) FROM $input MATCH_RECOGNIZE (
          |  ORDER BY o NULLS $nulls, id MEASURES CLASSIFIER() AS c
          |  ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN ((A B*)?) WITHIN 100)""".stripMargin)
          .map(_.head) == numbered)
  }

  test("bounds that a parameter or an expression gives") {
    val sql = "SELECT * FROM VALUES (1), (3), (8) AS t(o) MATCH_RECOGNIZE (" +
      "ORDER BY o MEASURES LAST(o) AS l PATTERN (A B*) WITHIN :n)"
    assert(values(spark.sql(sql, Map("n" -> 2))) == Seq(Seq(3), Seq(8)))
    assert(values(spark.sql(sql, Map("n" -> 7L))) == Seq(Seq(8)))
    assert(rows(sql.replace(":n", "1 + 1")) == Seq(Seq(3), Seq(8)))
  }

  test("what is no bound is refused") {
    def refused(key: String, bound: String) = failure(
      rows(s"SELECT * FROM VALUES (1) AS t(o) MATCH_RECOGNIZE (" +
        s"ORDER BY $key MEASURES 1 AS m PATTERN (A) WITHIN $bound)"))
    val time = "timestamp_seconds(o)"
    for ((key, bound, condition) <- Seq(
        (time, "5", "WITHIN_TYPE"),
        (time, "INTERVAL '2' YEAR", "WITHIN_TYPE"),
        (time, "make_interval(0, 0, 0, 1)", "WITHIN_TYPE"),
        (time, "INTERVAL '-2' HOUR", "WITHIN_OUT_OF_RANGE"),
        (time, "CAST(NULL AS INTERVAL HOUR)", "WITHIN_OUT_OF_RANGE"),
        (time, "NULL", "WITHIN_OUT_OF_RANGE"),
        (time, "o * INTERVAL '2' HOUR", "WITHIN_NOT_CONSTANT"),
        ("o", "INTERVAL '2' HOUR", "WITHIN_TYPE"),
        ("o", "'2'", "WITHIN_TYPE"),
        ("o", "DOUBLE('NaN')", "WITHIN_OUT_OF_RANGE"),
        ("o", "(SELECT 5)", "WITHIN_NOT_CONSTANT"),
        ("o = 1", "5", "WITHIN_KEY")
      ))
      assert(refused(key, bound).contains(s"MATCH_RECOGNIZE.$condition"), s"$key $bound")
  }

  private val ticks = "(SELECT id % 5 AS k, id AS o, hash(id) & 63 AS x FROM range(2000))"

  private def clause(
      pattern: String,
      define: String,
      options: String = "",
      within: String = "40") =
    s"""SELECT * FROM $ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY o
       |  MEASURES FIRST(o) AS f, LAST(o) AS l, COUNT(*) AS n $options
       |  PATTERN ($pattern) WITHIN $within DEFINE $define)""".stripMargin

  test("EXPLAIN says the bound, and which matcher it leads to") {
    val local = explained(clause("A Z*? B", "A AS x < 9, B AS x > 60"))
    Seq("PATTERN (A Z*? B) WITHIN 40", "Matcher: automaton (not fused: WITHIN)", "(row-local)")
      .foreach(part => assert(local.contains(part), local))
    val timeouts =
      explained(clause("A Z*? B", "B AS x > 60", "ONE ROW PER MATCH SHOW TIMEOUT MATCHES"))
    Seq("ONE ROW PER MATCH SHOW TIMEOUT MATCHES", "not automaton: SHOW TIMEOUT MATCHES")
      .foreach(part => assert(timeouts.contains(part), timeouts))
    val all = explained(clause("A Z*? B", "B AS x > 60", "AFTER MATCH NO SKIP"))
    Seq("AFTER MATCH NO SKIP", "not automaton: AFTER MATCH NO SKIP")
      .foreach(part => assert(all.contains(part), all))
  }

  test("conditions that the row does not decide, some with a bound of their own") {
    for (define <- Seq(
        "A AS x < 20, Z AS x >= A.x - 9, B AS x > 50",
        "A AS x < 20, Z AS o <= A.o + 20, B AS x > 50 AND o <= A.o + 30",
        "A AS x < 20, Z AS SUM(Z.x) < 200, B AS x > 50"
      )) {
      val sql      = clause("A Z* B", define, "AFTER MATCH SKIP TO NEXT ROW")
      val found    = matchers(sql, "threads", "auto")
      val expected = matchers(
        clause(
          "A Z* B",
          define
            .replace("Z AS ", "Z AS o <= A.o + 40 AND ")
            .replace("B AS ", "B AS o <= A.o + 40 AND "),
          "AFTER MATCH SKIP TO NEXT ROW",
          "1000000"),
        "threads"
      ).head
      assert(found.forall(_ == expected) && expected.size > 20, define)
    }
  }

  test("longer than the partition it is none") {
    for (define <- Seq("A AS x < 20, B AS x > 50", "A AS x < 20, B AS x > A.x + 30")) {
      val sql  = clause("A Z* B", define, within = "100000")
      val none = rows(sql.replace("WITHIN 100000", ""))
      assert(matchers(sql, "threads", "auto").forall(_ == none) && none.nonEmpty)
    }
  }

  test(
    "rows that can only be gaps are left out under WITHIN, and not for time-outs and NO SKIP") {
    def sql(options: String) =
      clause("A Z*? B", "A AS x < 9, B AS x > 60", options).replace("COUNT(*)", "B.x")
    val plain = rows(sql(""))
    // A gap that is counted is not left out. Another row of a partition may then come first.
    val whole = rows(sql("").replace("B.x AS n", "B.x AS n, COUNT(*) AS c"))
    assert(whole.map(_.init).groupBy(identity) == plain.groupBy(identity) && plain.nonEmpty)
    assert(explained(sql("")).contains("Filter"))
    for (options <- Seq("ONE ROW PER MATCH SHOW TIMEOUT MATCHES", "AFTER MATCH NO SKIP"))
      assert(!explained(sql(options)).contains("Filter"))
  }

  test("most rows start a match, few end one, and the bound is 10000 rows long: linear") {
    // 3 * 10^9 steps, if each start row were searched by itself.
    val input = "(SELECT id AS o, IF(id % 50000 = 49999, 9, id % 7) AS x " +
      "FROM range(0, 300000, 1, 1))"
    val sql = s"""SELECT COUNT(*), SUM(n) FROM (SELECT * FROM $input MATCH_RECOGNIZE (
      |  ORDER BY o MEASURES COUNT(*) AS n PATTERN (A (B | Z)* C) WITHIN 10000
      |  DEFINE A AS x <> 3, B AS x > 2, C AS x > 6))""".stripMargin
    val started = System.nanoTime
    // Each of the six ends starts as far before it as it may; once the row there is no A.
    assert(rows(sql) == Seq(Seq(6, 5 * 10001 + 10000)))
    assert((System.nanoTime - started) / 1000000000L < 60)
  }
}
