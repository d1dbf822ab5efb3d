package org.matchrecognize.spark.streaming

import java.nio.file.Files

import scala.collection.mutable

import org.apache.spark.sql.{AnalysisException, DataFrame}
import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.types.MetadataBuilder

import org.matchrecognize.spark.parser.ParserTest

/** The watermark of a column is an operator's; a clause hands on one of its own, or none. */
class WatermarkSuite extends StreamedTicks {

  private val delay = "spark.watermarkDelayMs"

  private def clause(table: String, rows: String = "ONE ROW PER MATCH", within: String = "") =
    s"""SELECT * FROM $table MATCH_RECOGNIZE (PARTITION BY k ORDER BY t
       |  MEASURES FIRST(t) AS f, LAST(B.t) AS l, PREV(A.t) AS p, MATCH_ROWTIME() AS r,
       |    FIRST(t) + INTERVAL 0 SECONDS AS s $rows
       |  PATTERN (A B) $within)""".stripMargin

  private def timed(frame: DataFrame) =
    frame.schema.filter(_.metadata.contains(delay)).map(_.name).toSet

  test("without WITHIN no column of the result carries a watermark") {
    streamOf(Seq(row("a", 1, 1)))
    for (sql <- Seq(clause("ticks"), clause("ticks", "ALL ROWS PER MATCH")))
      assert(timed(spark.sql(sql)).isEmpty, sql)
    val byTime = spark.sql("""SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY t, k ORDER BY t
                             |  MEASURES COUNT(*) AS n PATTERN (A B))""".stripMargin)
    assert(timed(byTime).isEmpty)
  }

  test("with WITHIN the times of rows of the match do, and no table that is written") {
    val run    = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    val within = "WITHIN INTERVAL 5 SECONDS"
    val times  = if (spark.version >= "4") Set("f", "l", "r") else Set.empty[String]
    assert(timed(spark.sql(clause("ticks", within = within))) == times)
    val all = spark.sql(clause("ticks", "ALL ROWS PER MATCH", within))
    assert(timed(all) == (if (times.isEmpty) times else times + "t"))
    assert(timed(spark.sql(clause("table_of_ticks", within = within))).isEmpty)

    all.writeStream
      .option("checkpointLocation", Files.createTempDirectory("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .toTable("written_ticks")
      .awaitTermination()
    assert(spark.table("written_ticks").count() == 2)
    assert(timed(spark.table("written_ticks")).isEmpty)
    val batches = mutable.ArrayBuffer[Set[String]]()
    val note    = (frame: DataFrame, _: Long) => { frame.collect(); batches += timed(frame); () }
    spark
      .sql(clause("ticks", within = within))
      .writeStream
      .option("checkpointLocation", Files.createTempDirectory("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
      .foreachBatch(note)
      .start()
      .awaitTermination()
    assert(batches.nonEmpty && batches.forall(_.isEmpty))
    assert(run.run(clause("ticks", within = within))._1.flatten.map(_.head) == Seq("a"))
  }

  test("a window over MATCH_ROWTIME(), after the example of Flink's documentation") {
    assume(spark.version >= "4")
    // The prices of ACME, one a second from 10:00:00 on. They fall until :07, and rise with :08.
    val prices = Seq(12, 17, 19, 21, 25, 18, 15, 14, 24, 25, 19)
    val run    = streamOf(
      prices.zipWithIndex.map { case (price, i) => row("ACME", 36000 + i, price) },
      Seq(row("flush", 50000, 0)),
      Seq(row("flush", 60000, 0)))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      val found =
        run.run("""SELECT date_format(window.start, 'HH:mm:ss'), symbol, COUNT(*), MIN(bottom)
          |FROM ticks MATCH_RECOGNIZE (
          |  PARTITION BY k AS symbol ORDER BY t
          |  MEASURES LAST(PRICE_DOWN.x) AS bottom, MATCH_ROWTIME() AS rowtime
          |  ONE ROW PER MATCH AFTER MATCH SKIP TO LAST PRICE_UP
          |  PATTERN (START_ROW PRICE_DOWN+ PRICE_UP) WITHIN INTERVAL '1' HOUR
          |  DEFINE
          |    PRICE_DOWN AS (LAST(PRICE_DOWN.x, 1) IS NULL AND PRICE_DOWN.x < START_ROW.x) OR
          |      PRICE_DOWN.x < LAST(PRICE_DOWN.x, 1),
          |    PRICE_UP AS PRICE_UP.x > LAST(PRICE_DOWN.x, 1))
          |GROUP BY symbol, window(rowtime, '5 seconds')""".stripMargin)
      assert(found._1.flatten == Seq(Seq[Any]("10:00:05", "ACME", 1L, 14)))
    }
  }

  test("copies of the event time can be keys, and be read") {
    val run = streamOf(Seq(row("a", 1, 1), row("a", 2, 1)), Seq(row("b", 50, 0)))
    val sql =
      """SELECT k, int(unix_timestamp(u)) AS u FROM (SELECT *, t AS copy, window(t, '1 hour') AS w FROM ticks)
        |MATCH_RECOGNIZE (PARTITION BY w, k ORDER BY t MEASURES LAST(copy) AS u
        |  PATTERN (A B))""".stripMargin
    assert(run.run(sql)._1.flatten == Seq(Seq[Any]("a", 2)))
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
