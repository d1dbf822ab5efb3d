package org.matchrecognize.spark.streaming

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.types.MetadataBuilder

import org.matchrecognize.spark.parser.ParserTest

/** The watermark of a column is an operator's, and ends at the clause. */
class WatermarkSuite extends StreamedTicks {

  private val delay = "spark.watermarkDelayMs"

  private def clause(table: String, rows: String = "ONE ROW PER MATCH") =
    s"""SELECT * FROM $table MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
       |  MEASURES FIRST(t) AS f, LAST(t) AS l, PREV(A.t) AS p, MATCH_ROWTIME() AS r $rows
       |  PATTERN (A B))""".stripMargin

  test("no column of the result carries a watermark") {
    streamOf(Seq(row("a", 1, 1)))
    for (sql <- Seq(clause("ticks"), clause("ticks", "ALL ROWS PER MATCH")))
      assert(spark.sql(sql).schema.filter(_.metadata.contains(delay)) == Nil, sql)
    val byTime = spark.sql("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY t, k ORDER BY t
                             |  MEASURES COUNT(*) AS n PATTERN (A B))""".stripMargin)
    assert(!byTime.schema("t").metadata.contains(delay))
  }

  test("a column that has only the metadata of a watermark has none") {
    val run = streamOf(Seq(row("a", 1, 1)))
    run.createViews("bare", "table_of_bare", withWatermark = false)
    val noted = new MetadataBuilder().putLong(delay, 2000L).build()
    spark
      .table("bare")
      .select(col("k"), col("x"), expr("t").as("t", noted))
      .createOrReplaceTempView("noted")
    val error = intercept[AnalysisException](spark.sql(clause("noted")))
    assert(ParserTest.condition(error) == "MATCH_RECOGNIZE.STREAM_WITHOUT_WATERMARK")
  }

  test("the operator may be anywhere below the clause") {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    for (sql <- Seq(
        s"WITH w AS (SELECT * FROM ticks) ${clause("w")}",
        s"WITH w AS (SELECT * FROM ticks), v AS (SELECT k, t FROM w) ${clause("v")}",
        clause("(SELECT t, k FROM ticks JOIN (VALUES ('a'), ('b')) AS v(k) USING (k))")
      ))
      assert(spark.sql(sql).isStreaming)
    val (found, _) =
      run.run(s"WITH w AS (SELECT k, t, o FROM ticks), v AS (SELECT * FROM w) ${clause("v")}")
    assert(found.flatten.map(_.head) == Seq("a"))
  }
}
