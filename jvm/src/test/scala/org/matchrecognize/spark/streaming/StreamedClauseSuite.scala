package org.matchrecognize.spark.streaming

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.streaming.Trigger

import org.matchrecognize.spark.SparkSuite
import org.matchrecognize.spark.parser.ParserTest

/** The clause over a streaming table: finality, state, restarts, and what is refused. */
class StreamedClauseSuite extends SparkSuite {

  override protected def settings: Map[String, String] = Map(
    "spark.sql.streaming.metricsEnabled" -> "false",
    "spark.sql.session.timeZone"         -> "UTC"
  )

  private def row(k: Any, o: Int, x: Int): Map[String, Any] = Map("k" -> k, "o" -> o, "x" -> x)

  private def streamOf(batches: Seq[Map[String, Any]]*): StreamRun = {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", "2 seconds")
    batches.foreach(run.add)
    run.createViews("ticks", "table_of_ticks")
    run
  }

  private def vShape(table: String = "ticks", by: String = "PARTITION BY k", more: String = "") =
    s"""SELECT k, int(unix_timestamp(f)) AS f, n FROM (SELECT *, 'all' AS one FROM $table)
       |MATCH_RECOGNIZE ($by ORDER BY t
       |  MEASURES LAST(k) AS ${if (by.isEmpty) "k" else "last_k"}, FIRST(t) AS f, COUNT(*) AS n$more
       |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin

  test("a match comes out in the micro-batch that makes it final, whatever order rows come in") {
    // The watermark of a micro-batch is the largest time before it, less 2 seconds.
    val run = streamOf(
      Seq(row("a", 1, 9), row("a", 3, 4)),
      Seq(row("a", 2, 6), row("a", 4, 8)),
      Seq(row("a", 6, 7)),
      // The watermark is 4: the row of 6, which ends the match, is not searched yet.
      Seq(row("b", 8, 1)),
      Seq(row("b", 9, 1)))
    val (batches, _) = run.run(vShape())
    assert(batches.flatten == Seq(Seq[Any]("a", 1, 4L)))
    assert(batches.indexWhere(_.nonEmpty) == 4)
  }

  test("a key that waits for nothing leaves no state") {
    val run           = streamOf(Seq(row("a", 1, 1), row("b", 1, 1)), Seq(row("c", 100, 1)))
    val sql           = "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY t " +
      "MEASURES COUNT(*) AS n PATTERN (A B) WITHIN INTERVAL 5 SECONDS DEFINE A AS x = 1)"
    val (_, progress) = run.run(sql)
    assert(progress.head.stateOperators.head.numRowsTotal == 2)
    assert(progress.last.stateOperators.head.numRowsTotal == 1)
  }

  test("a query goes on from its checkpoint") {
    val run  = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql  = vShape(more = ", MATCH_NUMBER() AS m")
    val (first, _) = run.run(sql)
    run.add(Seq(row("a", 3, 8), row("a", 4, 5), row("a", 5, 6), row("a", 6, 1)))
    run.add(Seq(row("b", 50, 0)))
    val (second, _) = run.run(sql)
    assert(first.flatten.isEmpty)
    assert(second.flatten == Seq(Seq[Any]("a", 1, 3L)))
  }

  test("another clause cannot read the state, and says so") {
    val run = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    run.run(vShape())
    run.add(Seq(row("a", 3, 8)))
    run.add(Seq(row("a", 13, 8)))
    val error = failure(run.run(vShape().replace("UP+", "UP+ DOWN")))
    assert(error.contains("STATE_UNREADABLE"), error)
  }

  test("late rows are dropped and counted; rows without a time, too") {
    val run = streamOf(
      Seq(row("a", 10, 9)),
      Seq(row("a", 11, 8)),
      Seq(row("a", 2, 1), Map("k" -> "a", "x" -> 5), row("a", 12, 9)),
      Seq(row("a", 13, 1)),
      Seq(row("b", 40, 1)))
    val (batches, progress) = run.run(vShape())
    assert(batches.flatten == Seq(Seq[Any]("a", 10, 3L)))
    assert(progress.flatMap(_.stateOperators.map(_.numRowsDroppedByWatermark)).sum == 1)
  }

  test("without PARTITION BY there is one key") {
    val run          = streamOf(
      Seq(row("a", 1, 9), row("b", 2, 4)),
      Seq(row("c", 3, 8), row("d", 4, 1)),
      Seq(row("e", 40, 0)))
    val (batches, _) = run.run(vShape(by = ""))
    assert(batches.flatten == Seq(Seq[Any]("c", 1, 3L)))
  }

  test("keys that are equal are one key: NULL, -0.0 and 0.0") {
    val run = streamOf(
      Seq(row("0.0", 1, 9), row(null, 1, 9)),
      Seq(row("-0.0", 2, 4), row(null, 2, 4)),
      Seq(row("0.0", 3, 8), row(null, 3, 8), row("0.0", 4, 1), row(null, 4, 1)),
      Seq(row("1", 40, 0)))
    val (batches, _) = run.run(
      """SELECT n, CAST(abs(d) AS STRING) FROM (SELECT *, double(k) AS d FROM ticks)
        |MATCH_RECOGNIZE (PARTITION BY d ORDER BY t MEASURES COUNT(*) AS n
        |  PATTERN (A DOWN+ UP+) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))""".stripMargin)
    assert(batches.flatten.toSet == Set(Seq[Any](3L, "0.0"), Seq[Any](3L, null)))
  }

  /** The condition of the error with which a query is refused. */
  private def refusal(body: => Any): String =
    ParserTest.condition(intercept[AnalysisException](body)).stripPrefix("MATCH_RECOGNIZE.")

  test("an output mode that changes rows is refused") {
    streamOf(Seq(row("a", 1, 1)))
    val condition = refusal(
      spark
        .sql(vShape())
        .writeStream
        .outputMode("update")
        .format("noop")
        .trigger(Trigger.AvailableNow())
        .start())
    assert(condition == "STREAM_OUTPUT_MODE")
  }

  test("a second operator with state is refused, before and after; a union of two clauses is not") {
    streamOf(Seq(row("a", 1, 1)))
    val matched = s"(${vShape()})"
    for (sql <- Seq(
        s"SELECT k, COUNT(*) FROM $matched GROUP BY k",
        s"SELECT DISTINCT k FROM $matched",
        vShape("(SELECT DISTINCT k, t, x FROM ticks)"),
        s"SELECT * FROM $matched a JOIN ticks b ON a.k = b.k"
      ))
      assert(refusal(spark.sql(sql)) == "STREAM_STATEFUL_OPERATOR", sql)
    assert(spark.sql(s"SELECT * FROM $matched UNION ALL SELECT * FROM $matched").isStreaming)
    assert(
      spark.sql(s"SELECT * FROM $matched JOIN (VALUES ('a')) AS v(k) USING (k)").isStreaming)
  }
}
