package org.matchrecognize.spark.streaming

import java.nio.file.{Files, Path}
import java.sql.Timestamp
import java.util.concurrent.ConcurrentHashMap

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}

import org.matchrecognize.spark.reference.RandomSeed
import org.matchrecognize.spark.robustness.Fuzz

/** `ORDER BY MATCH_PROCTIME()`: the rows of a stream in the order in which they arrive. */
class ArrivalOrderSuite extends StreamedTicks with StoreTurns {

  /** The random rows are others on each store. */
  override protected def hasTwin(name: String): Boolean = !name.startsWith("random")

  import ArrivalOrderSuite._

  override protected def settings: Map[String, String] = super.settings +
    ("spark.sql.streaming.minBatchesToRetain" -> "1000")

  private def clause(more: String, table: String = "ticks", order: String = "MATCH_PROCTIME()") =
    s"SELECT * FROM $table MATCH_RECOGNIZE (PARTITION BY k ORDER BY $order $more)"

  private val rises =
    "MEASURES FIRST(o) AS f, LAST(o) AS l PATTERN (A B+ C) DEFINE B AS x > PREV(x), C AS x < PREV(x)"

  private def arriving(batches: Seq[Map[String, Any]]*): StreamRun = {
    val run = new StreamRun(spark, "k STRING, o INT, x INT", "timestamp_seconds(o)", "")
    batches.foreach(run.add)
    run.createViews("ticks", "table_of_ticks", withWatermark = false)
    run
  }

  test("a match is returned in the micro-batch of its last row, and the query ends") {
    val run = arriving(
      Seq(row("a", 9, 1), row("b", 8, 1), row("a", 7, 2)),
      Seq(row("b", 6, 2)),
      // In the order of the file.
      Seq(row("a", 5, 3), row("a", 4, 1), row("b", 3, 1)))
    val (batches, _) = run.run(clause(rises))
    assert(batches.init.flatten.isEmpty)
    assert(batches.last.toSet == Set(Seq[Any]("a", 9, 4), Seq[Any]("b", 8, 3)))
  }

  test("the time of a row is that of its micro-batch") {
    val run    = arriving(Seq(row("a", 1, 1), row("a", 2, 2)), Seq(row("a", 3, 1)))
    val before = System.currentTimeMillis()
    val found  = run
      .run(
        clause(
          "MEASURES MATCH_ROWTIME() AS r, MATCH_PROCTIME() AS p ALL ROWS PER MATCH " +
            "PATTERN (A B C) DEFINE B AS x > PREV(x), C AS x < PREV(x)",
          order = "match_proctime() AS arrived"
        ))
      ._1
      .flatten
    val times = found.map(_(1).asInstanceOf[Timestamp].getTime)
    assert(
      times.size == 3 && times.head == times(1) && times(1) < times(2) && times.head >= before)
    assert(found.forall(row => row(2) == found.last(1) && row(3) == row(2)))
    assert(found.map(_(4)) == Seq(1, 2, 3))
  }

  test("in the flink dialect a column that is the current time is the order of arrival") {
    val input = "(SELECT *, current_timestamp() AS proctime FROM ticks)"
    val run   = arriving(Seq(row("a", 3, 1), row("a", 2, 2), row("a", 1, 1)))
    withSettings("spark.sql.matchRecognize.dialect" -> "flink") {
      val found = run.run(clause(rises, input, "proctime"))._1.flatten
      assert(found == Seq(Seq[Any]("a", 3, 1)))
      assert(failure(spark.sql(clause(rises, input, "proctime, o"))).contains("ARRIVAL_ORDER"))
    }
    assert(
      failure(spark.sql(clause(rises, input, "proctime"))).contains("STREAM_WITHOUT_WATERMARK"))
  }

  test("what does not go with the order of arrival") {
    arriving(Seq(row("a", 3, 1)))
    for ((order, says) <- Seq(
        "MATCH_PROCTIME() DESC"                  -> "Remove DESC",
        "MATCH_PROCTIME(), o"                    -> "Remove o",
        "o, MATCH_PROCTIME()"                    -> "Remove o",
        "MATCH_PROCTIME() + INTERVAL '1' SECOND" -> "Write ORDER BY MATCH_PROCTIME()"
      )) {
      val message = failure(spark.sql(clause(rises, order = order)))
      assert(message.contains("ARRIVAL_ORDER") && message.contains(says), message)
    }
    assert(failure(spark.sql(clause(rises, "table_of_ticks"))).contains("Order by a column"))
    val counted = s"SELECT f, COUNT(*) FROM (${clause(rises)}) GROUP BY f"
    val run     = arriving(Seq(row("a", 3, 1)))
    assert(failure(run.run(counted)).contains("STREAM_STATEFUL_OPERATOR"))
  }

  test("WITHIN can be so long that no time is past it") {
    val run     = arriving()
    val queries = new Queries(
      "MEASURES FIRST(o) AS f, LAST(o) AS l PATTERN (A B+) " +
        "WITHIN INTERVAL '106751990' DAY DEFINE B AS x > PREV(x)")
    try
      for ((rows, i) <- Seq(
          Seq(row("a", 1, 1), row("a", 2, 2)),
          Seq(row("a", 3, 1))).zipWithIndex) {
        run.add(rows)
        queries.awaitFile(i)
      }
    finally queries.stop()
    assert(queries.found == Seq(Seq[Any]("a", 1, 2)))
  }

  test("another order after a restart is refused") {
    val run = arriving(Seq(row("a", 3, 1)))
    run.run(clause(rises))
    run.add(Seq(row("a", 4, 1)))
    spark.table("ticks").withWatermark("t", "1 second").createOrReplaceTempView("timed")
    assert(failure(run.run(clause(rises, "timed", "t"))).contains("ORDER BY has changed"))
  }

  test("random rows with WITHIN are searched by the times of their micro-batches") {
    val (reports, seeds) =
      Fuzz.batches(inGate = 1, size = 3, first = first, nightly = 20)(_.map(check))
    info(s"$seeds: ${reports.flatten.sum} rows")
    assert(Fuzz.isAsked || reports.flatten.sum > 0)
  }

  /** The first seed, relative to those of the number. */
  protected def first: Long = 5000L

  /** How many rows came out. */
  private def check(seed: Long): Int = {
    val random  = RandomSeed(seed, "arrival")
    val within  = Seq(0, 150, 400)(random.nextInt(3))
    val sql     = randomClause(random, within)
    val batches = randomRows(random)
    val run     = arriving()
    val queries = new Queries(sql)
    try {
      batches.zipWithIndex.foreach { case (rows, i) =>
        if (i == batches.size / 2) queries.restart()
        run.add(rows)
        queries.awaitFile(i)
        Thread.sleep(random.nextInt(300).toLong)
      }
      // Timers come with micro-batches that have no rows.
      queries.awaitTime(within + 1L)
    } finally queries.stop()
    val table = batches.zipWithIndex
      .flatMap { case (rows, i) =>
        rows.map { row =>
          s"('${row("k")}', ${row("o")}, ${row("x")}, timestamp_millis(${queries.timeOfFile(i).get}))"
        }
      }
      .mkString("(SELECT * FROM VALUES ", ", ", " AS (k, o, x, t))")
    val found    = queries.found.map(_.toString).sorted
    val expected = rows(clause(sql, table, "t, o")).map(_.toString).sorted
    assert(found == expected, s"seed $seed\n$sql")
    found.size
  }

  /** The runs of a query from one checkpoint. */
  private class Queries(sql: String) {
    // A micro-batch that a stop interrupts is run again.
    private val batches    = new ConcurrentHashMap[Long, Seq[Seq[Any]]]
    private val checkpoint = Files.createTempDirectory("arrival")
    private var query      = start()

    private def start(): StreamingQuery = {
      val collect = (frame: DataFrame, batch: Long) => {
        batches.put(batch, frame.collect().toSeq.map(_.toSeq))
        ()
      }
      spark
        .sql(clause(sql))
        .writeStream
        .foreachBatch(collect)
        .option("checkpointLocation", checkpoint.toString)
        .trigger(Trigger.ProcessingTime(0))
        .start()
    }

    def found: Seq[Seq[Any]] = batches.values.asScala.toSeq.flatten

    def stop(): Unit = query.stop()

    def restart(): Unit = {
      stop()
      query = start()
    }

    /** The time of the micro-batch that read a file, by the number of the file. */
    def timeOfFile(number: Int): Option[Long] =
      done.find(offsets(_).exists(_ >= number)).map(timeOf)

    def awaitFile(number: Int): Unit = await(timeOfFile(number).nonEmpty)

    /** Waits for a micro-batch that begins some milliseconds after the one of the last file. */
    def awaitTime(millis: Long): Unit = {
      val last = offsets(done.last)
      val time = timeOf(done.find(offsets(_) == last).get) + millis
      await(timeOf(done.last) > time)
    }

    private def await(condition: => Boolean): Unit = {
      val end = System.nanoTime() + 60L * 1000 * 1000 * 1000
      while (!condition) {
        query.exception.foreach(throw _)
        assert(
          System.nanoTime() < end,
          s"too long: ${query.status} ${query.lastProgress} $checkpoint")
        Thread.sleep(20)
      }
    }

    private def done: Seq[Int] =
      Iterator.from(0).takeWhile(n => Files.exists(file("commits", n))).toSeq

    private def file(folder: String, batch: Int): Path =
      checkpoint.resolve(folder).resolve(batch.toString)

    private def text(batch: Int) = new String(Files.readAllBytes(file("offsets", batch)))

    private def timeOf(batch: Int): Long =
      "\"batchTimestampMs\":(\\d+)".r.findFirstMatchIn(text(batch)).get.group(1).toLong

    /** The last file that was read; none before the first. */
    private def offsets(batch: Int): Option[Int] =
      "\"logOffset\":(\\d+)".r.findFirstMatchIn(text(batch)).map(_.group(1).toInt)
  }
}

private object ArrivalOrderSuite {

  /**
   * @param within
   *   in milliseconds
   */
  def randomClause(random: Random, within: Int): String = {
    def pick(choices: String*) = choices(random.nextInt(choices.size))
    val pattern                = pick("A B", "A B* C", "A B+", "A B*? C", "A B?", "A B{2,}")
    val define                 = Seq(
      Some(s"B AS x ${pick(">", ">=")} PREV(x)"),
      if (pattern.contains("C")) Some("C AS x < A.x") else None)
    s"""MEASURES FIRST(o) AS f, LAST(o) AS l, COUNT(*) AS n
       |${pick("ONE ROW PER MATCH", "ONE ROW PER MATCH SHOW TIMEOUT MATCHES")}
       |AFTER MATCH ${pick("SKIP PAST LAST ROW", "SKIP TO NEXT ROW", "NO SKIP")}
       |PATTERN ($pattern) WITHIN INTERVAL '${within / 1000.0}' SECOND
       |DEFINE ${define.flatten.mkString(", ")}""".stripMargin
  }

  /** Micro-batches of rows in the order in which they arrive, which `o` has. */
  def randomRows(random: Random): Seq[Seq[Map[String, Any]]] = {
    val sizes = Seq.fill(3 + random.nextInt(3))(1 + random.nextInt(6))
    sizes.scanLeft(0)(_ + _).zip(sizes).map { case (first, size) =>
      (first until first + size).map { o =>
        Map[String, Any](
          "k" -> Seq("a", "b")(random.nextInt(2)),
          "o" -> o,
          "x" -> random.nextInt(4))
      }
    }
  }
}
