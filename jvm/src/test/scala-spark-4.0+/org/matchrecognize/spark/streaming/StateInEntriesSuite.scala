package org.matchrecognize.spark.streaming

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.streaming.{StateOperatorProgress, StreamingQueryProgress}

import org.matchrecognize.spark.SparkSuite

/** What micro-batches read, write and leave in the state store. */
class StateInEntriesSuite extends StateInEntriesTest {

  test("a micro-batch touches the entries of its own rows, however many the key retains") {
    val many = 5000
    val run  = streamOf(
      (1 to many).map(row("a", _, 1)) +: (1 to 6).map(i => Seq(row("a", many + i, 1))): _*)
    val (batches, progress) = run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
      PATTERN (A B* C) DEFINE B AS x = A.x AND x >= PREV(x), C AS x = 2)""")
    assert(batches.flatten.isEmpty)
    val states = progress.map(_.stateOperators.head)
    // The last six are part of the value.
    assert(states.last.numRowsTotal == many + 1)
    // The first micro-batch puts the rows, the second moves them.
    states.drop(2).foreach(state => assert(touched(state) > 0 && touched(state) < 50))
  }

  test("labels of a long match are entries, too, and go with the match") {
    val many = 20000
    val run  = streamOf(
      (1 to many).map(row("a", _, 1)),
      Seq(row("a", many + 1, 1)),
      Seq(row("a", many + 2, 2)),
      Seq(row("b", many + 100, 0)))
    val (batches, progress) = run.run("""SELECT o, c FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES CLASSIFIER() AS c ALL ROWS PER MATCH
      PATTERN (A B* C) DEFINE A AS x = 1, B AS x = 1, C AS x = 2)""")
    assert((run.entries("labels", 2), run.entries("retained", 2)) == ((1, many)))
    val expected = (1 to many + 2).map { o =>
      Seq[Any](o, if (o == 1) "A" else if (o == many + 2) "C" else "B")
    }
    assert(batches.flatten == expected)
    assert(progress.last.stateOperators.head.numRowsTotal == 0)
  }

  test("a query keeps the state store of its checkpoint") {
    val provider = "spark.sql.streaming.stateStore.providerClass"
    val rocksDb  = spark.conf.get(provider)
    val run      = streamOf(Seq(row("a", 1, 9), row("a", 2, 4)))
    val sql      = """SELECT n FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
      PATTERN (A DOWN UP) DEFINE DOWN AS x < PREV(x), UP AS x > PREV(x))"""
    spark.conf.set(
      provider,
      "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider")
    try run.run(sql)
    finally spark.conf.set(provider, rocksDb)
    run.add(Seq(row("a", 3, 8)))
    val (batches, progress) = run.run(sql)
    assert(batches.flatten == Seq(Seq[Any](3L)))
    assert(progress.last.stateOperators.head.operatorName == "flatMapGroupsWithState")
  }

  test("a key that waits for nothing has no entry and no timer") {
    val run = streamOf(
      Seq(row("a", 1, 1), row("b", 1, 1), row("c", 3, 1), row("c", 2, 1)),
      Seq(row("d", 100, 0)))
    val (batches, progress) = run.run("""SELECT k, n FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
      PATTERN (A B) WITHIN INTERVAL 5 SECONDS DEFINE A AS x = 1)""")
    assert(batches.flatten == Seq(Seq[Any]("c", 2L)))
    assert(progress.last.stateOperators.head.numRowsTotal == 0)
    assert(metric(progress, "numRegisteredTimers") > 0)
    assert(metric(progress, "numRegisteredTimers") == metric(progress, "numDeletedTimers"))
  }

  test("a row before the end of WITHIN costs one timer") {
    val run = streamOf((1 to 4).map(i => Seq(row("a", i, 1))): _*)
    val sql = """SELECT k, n FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
      PATTERN (A B* C) WITHIN INTERVAL 100 SECONDS DEFINE C AS x = 2)"""
    // How many are registered, and how many are deleted, by Spark or by us.
    def timers(): (Long, Long) = {
      val (_, progress) = run.run(sql)
      (metric(progress, "numRegisteredTimers"), metric(progress, "numDeletedTimers"))
    }
    // One for each row, and one for the end.
    assert(timers() == ((5, 4)))
    run.add(Seq(row("a", 10, 1)))
    assert(timers() == ((1, 1)))
  }

  test("Spark's reader of the state store shows the columns of keys and rows") {
    val run =
      streamOf(Seq(row("a", 1, 5), row("b", 1, 7)), Seq(row("a", 2, 6)), Seq(row("c", 3, 1)))
    withSettings("spark.sql.matchRecognize.streaming.inlineRows" -> "0") {
      run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (
        PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
        PATTERN (A B* C) WITHIN INTERVAL 1 HOUR DEFINE C AS x = 2)""")
    }
    val retained = run
      .entries("retained")
      .selectExpr("key.k", "user_map_value.x", "unix_timestamp(user_map_value.t)")
      .sort("k", "x")
    assert(values(retained) ==
      Seq(Seq[Any]("a", 5, 1L), Seq[Any]("a", 6, 2L), Seq[Any]("b", 7, 1L), Seq[Any]("c", 1, 3L)))
  }

  test("WITHIN bounds the entries of a key") {
    val run = streamOf((0 until 12).map { batch =>
      (1 to 4).map(i => row("a", 4 * batch + i, 1))
    }: _*)
    // One row less than wait in each micro-batch.
    val (batches, progress) =
      withSettings("spark.sql.matchRecognize.streaming.inlineRows" -> "3") {
        run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (
          PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
          PATTERN (A B* C) WITHIN INTERVAL 5 SECONDS DEFINE C AS x = 2)""")
      }
    assert(batches.flatten.isEmpty)
    // Micro-batch n has the rows up to 4n + 4. Its watermark is 4n: at that time, matches can be
    // under way that start less than 5 seconds before.
    (2 until 12).foreach { n =>
      assert((run.entries("retained", n), run.entries("waiting", n)) == ((5, 4)), s"batch $n")
      val counted = StreamRun.ofClause(progress)(n)
      assert((counted("retainedRows"), counted("waitingRows")) == ((5L, 4L)), s"batch $n")
    }
  }

  test("waiting rows become entries and come back, in a query that is restarted each time") {
    val run = streamOf("100 seconds", Nil)
    // What a run finds, how many rows are late, and how many entries wait in the end.
    def after(rows: Map[String, Any]*): (Seq[Seq[Any]], Long, Int) = {
      run.add(rows)
      val (batches, progress) = run.run("""SELECT first, last FROM ticks MATCH_RECOGNIZE (
        PARTITION BY k ORDER BY t, x MEASURES FIRST(o) AS first, LAST(o) AS last
        PATTERN (A{10}) DEFINE A AS x > 0)""")
      val late = progress.map(_.stateOperators.head.numRowsDroppedByWatermark).sum
      (batches.flatten, late, run.entries("waiting").count().toInt)
    }
    assert(after((64 to 1 by -1).map(row("a", _, 1)): _*) == ((Nil, 0, 0)))
    // Two rows of one time.
    assert(after(row("a", 65, 1), row("a", 64, 2)) == ((Nil, 0, 66)))
    // The watermark is 50: it has read all rows, and 16 of them wait.
    val tens = Seq(Seq(1, 10), Seq(11, 20), Seq(21, 30), Seq(31, 40), Seq(41, 50))
    assert(after(row("b", 150, 1)) == ((tens, 0, 0)))
    // One row comes late, and one has the time of another.
    val more = row("a", 20, 1) +: row("a", 58, 2) +: (160 to 101 by -1).map(row("a", _, 1))
    // The watermark is 60: 11 of 77 rows are due, and those after 100 are not read.
    assert(after(more: _*) == ((Seq(Seq(51, 59)), 1, 66)))
    assert(
      after(row("b", 300, 1)) == ((
        Seq(
          Seq(60, 103),
          Seq(104, 113),
          Seq(114, 123),
          Seq(124, 133),
          Seq(134, 143),
          Seq(144, 153)),
        0,
        0)))
  }
}

abstract class StateInEntriesTest extends SparkSuite with RocksDbState {

  override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.session.timeZone" -> "UTC")

  protected def row(k: Any, o: Int, x: Int): Map[String, Any] = Map("k" -> k, "o" -> o, "x" -> x)

  protected def streamOf(batches: Seq[Map[String, Any]]*): StreamRun =
    streamOf("0 seconds", batches)

  protected def streamOf(delay: String, batches: Seq[Seq[Map[String, Any]]]): StreamRun = {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", delay)
    batches.foreach(run.add)
    run.createViews("ticks", "table_of_ticks")
    run
  }

  protected def touched(state: StateOperatorProgress): Long =
    Seq("rocksdbGetCount", "rocksdbPutCount").map(state.customMetrics.asScala(_).toLong).sum

  /** Of all micro-batches together. */
  protected def metric(progress: Seq[StreamingQueryProgress], name: String): Long =
    progress.map(_.stateOperators.head.customMetrics.asScala(name).toLong).sum
}
