package org.matchrecognize.spark.execution

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.matchrecognize.spark.SparkSuite

/** `spark.sql.matchRecognize.dialect`: where it shows, and where it is kept. */
class FlinkDialectSuite extends SparkSuite {

  private val flink = "spark.sql.matchRecognize.dialect" -> "flink"

  private def clause(options: String, bound: String = "") =
    s"""SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'a') AS t(id, s) MATCH_RECOGNIZE (
       |  ORDER BY id MEASURES FIRST(id) AS f, LAST(id) AS l $options
       |  PATTERN (A B) $bound)""".stripMargin

  private def explained(sql: String): String =
    rows(s"EXPLAIN FORMATTED $sql").head.head.toString

  test("EXPLAIN says which dialect applies") {
    assert(explained(clause("")).contains("dialect: standard"))
    withSettings(flink) {
      val plan = explained(clause(""))
      assert(plan.contains("dialect: flink"))
      assert(plan.contains("AFTER MATCH SKIP TO NEXT ROW"))
      assert(plan.contains("not fused: the flink dialect") || plan.contains("flink dialect"))
    }
  }

  test("a view keeps the dialect that it was made under") {
    withSettings(flink)(spark.sql(s"CREATE OR REPLACE TEMP VIEW ported AS ${clause("")}"))
    assert(rows("SELECT * FROM ported").size == 2)
    assert(rows(clause("")).size == 1)
  }

  /** The warnings about AFTER MATCH. */
  private def warnings(run: => Any): Seq[String] = logged(run).filter(_.contains("AFTER MATCH"))

  test("WITHIN without AFTER MATCH: a warning, once a query, unless the dialect is set") {
    assert(warnings(rows(clause("", "WITHIN 5"))).size == 1)
    assert(warnings(rows(clause("AFTER MATCH SKIP PAST LAST ROW", "WITHIN 5"))).isEmpty)
    assert(warnings(rows(clause(""))).isEmpty)
    for (set <- Seq(flink, flink._1 -> "standard"))
      withSettings(set)(assert(warnings(rows(clause("", "WITHIN 5"))).isEmpty))
  }

  test("the first streaming statement of the documentation has no warning") {
    val page      = new String(Files.readAllBytes(Paths.get("docs", "first-stream.md")), UTF_8)
    val statement = "(?s)spark\\.sql\\(\"\"\"(.*?)\"\"\"".r.findFirstMatchIn(page).get.group(1)
    spark.readStream
      .format("rate")
      .load()
      .selectExpr("string(value) AS customer", "timestamp AS at", "'start' AS step")
      .withWatermark("at", "5 minutes")
      .createOrReplaceTempView("events")
    assert(warnings(spark.sql(statement)).isEmpty)
    val without = statement.replaceFirst("AFTER MATCH .*\n", "")
    assert(warnings(spark.sql(without)).size == 1)
  }

  test("more ways that map different rows than there may be are an error") {
    // 2^30 ways to map 30 rows, and each might be a match.
    withSettings(flink, "spark.sql.matchRecognize.maxSteps" -> "10000000") {
      val sql = "SELECT * FROM range(40) MATCH_RECOGNIZE (ORDER BY id MEASURES id AS id " +
        "AFTER MATCH NO SKIP PATTERN ((A | B){30} C) DEFINE C AS id < 0)"
      assert(failure(rows(sql)).contains("MATCH_RECOGNIZE.TOO_MANY_STEPS"))
    }
  }
}
