package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.SparkSuite

/** A suite over a streaming table of ticks, whose watermark is two seconds behind. */
abstract class StreamedTicks extends SparkSuite {

  override protected def settings: Map[String, String] = Map(
    "spark.sql.streaming.metricsEnabled" -> "false",
    "spark.sql.session.timeZone"         -> "UTC",
    "spark.sql.shuffle.partitions"       -> "1"
  )

  protected def row(k: Any, o: Int, x: Int): Map[String, Any] = Map("k" -> k, "o" -> o, "x" -> x)

  protected def streamOf(batches: Seq[Map[String, Any]]*): StreamRun = {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", "2 seconds")
    batches.foreach(run.add)
    run.createViews("ticks", "table_of_ticks")
    run
  }

  protected def vShape(
      table: String = "ticks",
      by: String = "PARTITION BY k",
      more: String = "") =
    s"""SELECT k, int(unix_timestamp(f)) AS f, n FROM (SELECT *, 'all' AS one FROM $table)
       |MATCH_RECOGNIZE ($by ORDER BY t
       |  MEASURES LAST(k) AS ${if (by.isEmpty) "k"
      else "last_k"}, FIRST(t) AS f, COUNT(*) AS n$more
       |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin
}
