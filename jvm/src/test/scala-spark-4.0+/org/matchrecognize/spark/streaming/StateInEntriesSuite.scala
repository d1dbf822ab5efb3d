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
    assert(states.last.numRowsTotal == many + 6 + 1)
    // The first micro-batch puts the rows, the second moves them.
    states.drop(2).foreach(state => assert(touched(state) > 0 && touched(state) < 50))
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

  test("WITHIN bounds the entries of a key") {
    val run = streamOf((0 until 20).map { batch =>
      (1 to 4).map(i => row("a", 4 * batch + i, 1))
    }: _*)
    val (batches, _) = run.run("""SELECT * FROM ticks MATCH_RECOGNIZE (
      PARTITION BY k ORDER BY t MEASURES COUNT(*) AS n
      PATTERN (A B* C) WITHIN INTERVAL 5 SECONDS DEFINE C AS x = 2)""")
    assert(batches.flatten.isEmpty)
    // Micro-batch n has the rows up to 4n + 4. Its watermark is 4n: at that time, matches can be
    // under way that start less than 5 seconds before.
    (2 until 20).foreach { n =>
      assert((run.entries("retained", n), run.entries("waiting", n)) == ((5, 4)), s"batch $n")
    }
  }
}

abstract class StateInEntriesTest extends SparkSuite with RocksDbState {

  override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.session.timeZone" -> "UTC")

  protected def row(k: Any, o: Int, x: Int): Map[String, Any] = Map("k" -> k, "o" -> o, "x" -> x)

  protected def streamOf(batches: Seq[Map[String, Any]]*): StreamRun = {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", "0 seconds")
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
