package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.SparkSuite

/** Sums and differences of timestamps in the clause, against the same in Spark's SELECT. */
class TimeArithmeticSuite extends SparkSuite {

  /** Around changes of the clock, before 1900, at the ends of the range, and NULL. */
  private val times =
    """(SELECT id, ts, ts2, CAST(CAST(ts AS STRING) AS TIMESTAMP_NTZ) AS local,
      |  CAST(CAST(ts2 AS STRING) AS TIMESTAMP_NTZ) AS local2 FROM (
      |  SELECT id, IF(id % 41 = 0, NULL, timestamp_micros(1743296400000000 + id * 31234567890))
      |    AS ts2, CASE
      |    WHEN id % 50 = 0 THEN NULL
      |    WHEN id % 3 = 0 THEN timestamp_micros(1743296400000000 + (id * 7919 - 3000000) * 9973)
      |    WHEN id % 3 = 1 THEN timestamp_micros(1761440400000000 + (id * 7919 - 3000000) * 9973)
      |    ELSE timestamp_micros(id * 7919 * 1234567890 - 4000000000000000)
      |  END AS ts FROM range(900)))""".stripMargin

  private val intervals = Seq(
    "INTERVAL '1' HOUR",
    "INTERVAL '-1' HOUR",
    "INTERVAL '0 23:59:59.999999' DAY TO SECOND",
    "INTERVAL '-0 23:59:59.999999' DAY TO SECOND",
    "INTERVAL '0.000001' SECOND",
    "INTERVAL '1' DAY",
    "INTERVAL '-3 01:00:00' DAY TO SECOND"
  )

  /** `IF` fails on some rows: the second part of a difference is not read if the first is NULL. */
  private val sums = (for (t <- Seq("ts", "local"); i <- intervals) yield s"$t + $i") ++
    (for (t <- Seq("ts", "local"))
      yield Seq(
        s"$t - ${t}2",
        s"${t}2 - $t",
        s"($t + INTERVAL '1' DAY) - ${t}2",
        s"$t - IF($t IS NULL, TIMESTAMP_MICROS(CAST('x' AS BIGINT)), ts2)")).flatten

  for {
    zone <- Seq("UTC", "America/New_York", "Europe/Berlin", "+05:45", "Asia/Kolkata")
    mode <- Seq("CODEGEN_ONLY", "NO_CODEGEN")
  } test(s"the same as Spark's: $zone, $mode") {
    withSettings(
      "spark.sql.session.timeZone"    -> zone,
      "spark.sql.codegen.factoryMode" -> mode,
      "spark.sql.codegen.wholeStage"  -> (mode == "CODEGEN_ONLY").toString) {
      val named    = sums.zipWithIndex.map { case (sum, i) => s"$sum AS s$i" }.mkString(", ")
      val names    = sums.indices.map(i => s"s$i").mkString(", ")
      val expected = rows(s"SELECT id, $named FROM $times")
      val found    = rows(s"""SELECT id, $names FROM $times MATCH_RECOGNIZE (ORDER BY id
            |  MEASURES $named ALL ROWS PER MATCH PATTERN (A))""".stripMargin)
      assert(found.sortBy(_.head.toString) == expected.sortBy(_.head.toString))
      assert(expected.size == 900)
    }
  }

  test("in DEFINE, and in an aggregate") {
    withSettings("spark.sql.session.timeZone" -> "Europe/Berlin") {
      val expected = rows(s"""SELECT id FROM (SELECT id, ts, LAG(ts) OVER (ORDER BY id) AS before
        |  FROM $times) WHERE ts <= before + INTERVAL '3' HOUR""".stripMargin)
      for (matcher <- Seq("threads", "automaton"))
        withSettings("spark.sql.matchRecognize.matcher" -> matcher) {
          val found = rows(s"""SELECT a, s FROM $times MATCH_RECOGNIZE (ORDER BY id
            |  MEASURES A.id AS a, MAX(A.ts + INTERVAL '1' HOUR) - A.ts AS s
            |  PATTERN (A) DEFINE A AS ts <= PREV(ts) + INTERVAL '3' HOUR)""".stripMargin)
          assert(found.map(_.head) == expected.map(_.head), matcher)
          assert(found.map(_(1)).distinct == Seq(java.time.Duration.ofHours(1)), matcher)
        }
      assert(expected.size > 10)
    }
  }

  for (e <- Seq("ts + INTERVAL '1' HOUR", "ts - TIMESTAMP '0001-01-01 00:00:00'"))
    test(s"beyond the range, the error is Spark's: $e") {
      val last =
        "(SELECT timestamp_micros(id) AS ts FROM range(9223372036854775806, 9223372036854775807))"
      val ours = intercept[Exception](
        rows(s"SELECT * FROM $last MATCH_RECOGNIZE (MEASURES $e AS s PATTERN (A))"))
      val theirs = intercept[Exception](rows(s"SELECT $e FROM $last"))
      assert(root(ours).getClass == root(theirs).getClass)
      assert(root(ours).getMessage == root(theirs).getMessage)
    }

  private def root(error: Throwable): Throwable =
    if (error.getCause == null) error else root(error.getCause)

  test("days of the calendar are Spark's where they differ") {
    def isShifted(zone: String, sum: String): Boolean =
      withSettings("spark.sql.session.timeZone" -> zone) {
        val e: Expression = spark
          .sql(s"SELECT $sum AS s FROM $times")
          .queryExecution
          .optimizedPlan
          .expressions
          .head
        TimeArithmetic.in(e) != e
      }
    assert(isShifted("Europe/Berlin", "ts + INTERVAL '23' HOUR"))
    assert(!isShifted("Europe/Berlin", "ts + INTERVAL '24' HOUR"))
    assert(!isShifted("Europe/Berlin", "ts - INTERVAL '1' DAY"))
    assert(isShifted("Europe/Berlin", "local + INTERVAL '1' DAY"))
    assert(isShifted("UTC", "ts - INTERVAL '10' DAY"))
    assert(!isShifted("UTC", "ts + MAKE_DT_INTERVAL(0, CAST(id AS INT))"))
    assert(!isShifted("Europe/Berlin", "ts - ts2"))
    assert(isShifted("Europe/Berlin", "local - local2"))
    assert(isShifted("UTC", "ts - ts2"))
  }
}
