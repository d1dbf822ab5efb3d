package org.matchrecognize.spark.streaming

import java.sql.Timestamp

import org.apache.spark.sql.functions.expr

/** `ORDER BY MATCH_PROCTIME()` in Spark's real-time mode. */
class RealTimeSuite extends RealTimeQueries {

  private val rises =
    "MEASURES FIRST(o) AS f, LAST(o) AS l PATTERN (A B+ C) DEFINE B AS x > PREV(x), C AS x < PREV(x)"

  private def clause(more: String, order: String = "MATCH_PROCTIME()") =
    s"SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY k ORDER BY $order $more)"

  private def ticks(): ArrivalLog = {
    val log = logOf("k STRING, o INT, x INT")
    streamOf(log).createOrReplaceTempView("ticks")
    log
  }

  private def tick(k: String, o: Int, x: Int): Seq[Any] = Seq(k, o, x)

  test("a match is written with the row that completes it, long before the batch ends") {
    val run = new Run(ticks())
    run.during(spark.sql(clause(rises))) {
      Seq(tick("a", 9, 1), tick("b", 8, 1), tick("a", 7, 2)).foreach(run.take)
      assert(run.values.isEmpty)
      run.take(tick("a", 6, 1))
      assert(run.values == Seq[Seq[Any]](Seq("a", 9, 6)))
      assert(run.ended == 0)
      run.endBatch()
      // The state of the key b is there in the next batch.
      Seq(tick("b", 5, 2), tick("b", 4, 0)).foreach(run.take)
      assert(run.values.last == Seq[Any]("b", 8, 4))
      assert(run.ended == 1)
    }
  }

  test(
    "a row has the time at which it is taken, and timeouts come with the next row of any key") {
    val run = new Run(ticks())
    run.during(
      spark.sql(clause("""MEASURES FIRST(o) AS f, MATCH_TIMED_OUT() AS late, MATCH_ROWTIME() AS at
            |ONE ROW PER MATCH SHOW TIMEOUT MATCHES
            |PATTERN (A B) WITHIN INTERVAL 10 SECONDS DEFINE B AS x > PREV(x)""".stripMargin))) {
      val begin                                = clock.millis
      def at(seconds: Int)                     = new Timestamp(begin + seconds * 1000)
      def take(seconds: Int, values: Seq[Any]) = {
        clock.millis = begin + seconds * 1000
        run.take(values)
      }
      take(0, tick("a", 1, 1))
      take(4, tick("b", 2, 1))
      take(10, tick("a", 3, 2))
      assert(run.values == Seq[Seq[Any]](Seq("a", 1, false, at(10))))
      take(13, tick("c", 4, 9))
      assert(run.values.size == 1)
      // The match that began with row 4 cannot go on: it does not time out.
      take(15, tick("c", 5, 9))
      assert(run.values.tail == Seq[Seq[Any]](Seq("b", 2, true, at(4))))
      // The end of a batch brings them, too.
      clock.millis = begin + 60 * 1000
      run.endBatch()
      assert(run.values.drop(2) == Seq[Seq[Any]](Seq("c", 5, true, at(15))))
    }
  }

  test("the clause, its progress and its times are where they are in micro-batches") {
    val run = new Run(ticks())
    spark.sql("SELECT * FROM VALUES (2) AS t(least)").createOrReplaceTempView("limits")
    run.during(
      spark.sql(clause("MEASURES FIRST(o) AS f PATTERN (A B C) DEFINE " +
        "B AS x >= (SELECT max(least) FROM limits), C AS x < PREV(x)"))) {
      Seq(tick("a", 1, 0), tick("a", 2, 1), tick("a", 3, 2), tick("a", 4, 1)).foreach(run.take)
      assert(run.values == Seq[Seq[Any]](Seq("a", 2)))
      run.take(tick("b", 5, 0))
      run.endBatch()
      run.await(run.running.recentProgress.exists(_.batchId == 0))
      val progress = run.running.recentProgress.find(_.batchId == 0).get
      val counted  = StreamRun.ofClause(Seq(progress)).head
      assert(counted("rows") == 5L && counted("matches") == 1L && counted("outputRows") == 1L)
      assert(counted("partialMatches") == 1L && counted("retainedRows") == 1L)
      assert(run.plan.contains("MatchRecognize [PARTITION BY k#"), run.plan)
      assert(run.plan.contains("real-time: with the row that completes a match"), run.plan)
    }
  }

  test("another clause over the same checkpoint is refused") {
    val run = new Run(ticks())
    run.during(spark.sql(clause(rises))) {
      run.take(tick("a", 1, 1))
      run.endBatch()
    }
    val changed = rises.replace("B AS x > ", "B AS x >= ")
    assert(
      failure(run.during(spark.sql(clause(changed)))(run.fails())).contains("DEFINE has changed"))
    val more = rises.replace("LAST(o) AS l", "LAST(o) AS l, LAST(o) + 1 AS m")
    run.during(spark.sql(clause(more))) {
      Seq(tick("a", 2, 2), tick("a", 3, 1)).foreach(run.take)
      assert(run.values == Seq[Seq[Any]](Seq("a", 1, 3, 4)))
    }
  }

  test("a clause in event time returns its rows after the batch in which the watermark passes") {
    val log = logOf("k STRING, o INT, x INT")
    streamOf(log)
      .withColumn("t", expr("timestamp_seconds(o)"))
      .withWatermark("t", "2 seconds")
      .createOrReplaceTempView("ticks")
    val run = new Run(log)
    run.during(spark.sql(clause(rises, "t"))) {
      Seq(tick("a", 2, 2), tick("a", 1, 1), tick("a", 3, 1), tick("z", 20, 0)).foreach(run.take)
      assert(run.values.isEmpty)
      run.endBatch()
      run.take(tick("z", 21, 0))
      assert(run.values == Seq[Seq[Any]](Seq("a", 1, 3)))
      // Late.
      run.take(tick("a", 4, 7))
      run.endBatch()
      assert(run.plan.contains("real-time: after the batch in which the watermark passes"))
    }
  }

  test("what real-time mode refuses, as the page says") {
    val rows = spark.sql(clause(rises))
    val run  = new Run(ticks())
    assert(run.error(rows, mode = "append").contains("OUTPUT_MODE_NOT_SUPPORTED"))
    withSettings(
      "spark.sql.streaming.stateStore.providerClass" ->
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider") {
      assert(run.error(rows).contains("SQL_CONFIGURATION_NOT_SUPPORTED"))
    }
    withSettings("spark.sql.shuffle.partitions" -> "8") {
      assert(run.error(rows).contains("CONCURRENT_SCHEDULER_INSUFFICIENT_SLOT"))
    }
    assert(failure(rows.distinct()).contains("STREAM_STATEFUL_OPERATOR"))
    spark.table("ticks").dropDuplicates("o").createOrReplaceTempView("ticks")
    assert(
      run.error(spark.sql(clause(rises))).contains("run the other operator in a second query"))
  }
}
