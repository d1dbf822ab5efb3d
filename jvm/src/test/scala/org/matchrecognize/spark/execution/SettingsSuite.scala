package org.matchrecognize.spark.execution

import org.matchrecognize.spark.SparkSuite

/** The settings are Spark's own kind: listed, checked, kept by views, part of the plan. */
class SettingsSuite extends SparkSuite {
  private val invalidSkip =
    """SELECT * FROM VALUES (1, 'a'), (2, 'a'), (3, 'b') AS t(o, s) MATCH_RECOGNIZE (
      |  ORDER BY o MEASURES A.o AS a AFTER MATCH SKIP TO FIRST A
      |  PATTERN (A) DEFINE A AS s = 'a')""".stripMargin

  test("SET -v lists them with their texts") {
    val listed =
      rows("SET -v").map(_.head.toString).filter(_.startsWith("spark.sql.matchRecognize"))
    assert(
      listed.toSet == Set(
        "invalidSkip",
        "dialect",
        "maxSteps",
        "maxMatchesPerStart",
        "spillThreshold",
        "matcher",
        "ranges.minBytes",
        "ranges.partitions").map("spark.sql.matchRecognize." + _))
  }

  test("a wrong value is refused when it is set") {
    for ((key, value) <- Seq(
        "invalidSkip" -> "sometimes",
        "maxSteps"    -> "-1",
        "dialect"     -> "oracle",
        "matcher"     -> "fastest"))
      intercept[Exception](spark.conf.set(s"spark.sql.matchRecognize.$key", value))
  }

  test("invalidSkip = nextRow goes on at the next row, error does not") {
    assert(failure(rows(invalidSkip)).contains("SKIP_TO_FIRST_ROW_OF_MATCH"))
    withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
      assert(rows(invalidSkip) == Seq(Seq(1), Seq(2)))
    }
  }

  test("a view keeps the setting that it was made under") {
    withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
      spark.sql(s"CREATE VIEW relaxed AS $invalidSkip")
    }
    spark.sql(s"CREATE TEMPORARY VIEW strict AS $invalidSkip")
    assert(rows("SELECT * FROM relaxed") == Seq(Seq(1), Seq(2)))
    withSettings("spark.sql.matchRecognize.invalidSkip" -> "nextRow") {
      assert(failure(rows("SELECT * FROM strict")).contains("SKIP_TO_FIRST_ROW_OF_MATCH"))
    }
  }

  test("dialect = flink: AFTER MATCH left out means SKIP TO NEXT ROW") {
    val sql = "SELECT a FROM VALUES (1), (2), (3) AS t(o) MATCH_RECOGNIZE (" +
      "ORDER BY o MEASURES A.o AS a PATTERN (A B))"
    assert(rows(sql) == Seq(Seq(1)))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      assert(rows(sql) == Seq(Seq(1), Seq(2)))
    }
  }
}
