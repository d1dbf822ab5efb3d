package org.matchrecognize.spark.streaming

import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.locks.LockSupport

import scala.collection.JavaConverters._
import scala.util.Random

import org.apache.spark.sql.{DataFrame, Encoders, ForeachWriter, Row, SparkSession}
import org.apache.spark.sql.streaming._
import org.apache.spark.sql.types.StructType

/**
 * Measures the time from the arrival of a row that completes a match to a sink on the JVM
 * (`make bench-latency`). Beside the clause, an operator that only keeps the last row of a key runs
 * in the same modes: Spark's own part of that time.
 */
object RealTimeLatency {

  /** Where rows are handed over. Both threads read the same clock. */
  final case class Arrived(k: Long, x: Int, sent: Long)

  /** The rows of a sink: when they were sent, and how long they took, in nanoseconds. */
  private val taken = new ConcurrentLinkedQueue[(Long, Long)]

  final private class Sink extends ForeachWriter[Row] {
    override def open(partition: Long, epoch: Long): Boolean = true
    override def process(row: Row): Unit                     = {
      val sent = row.getAs[Long]("sent")
      taken.add((sent, System.nanoTime() - sent))
    }
    override def close(error: Throwable): Unit = ()
  }

  /** Keeps the last row of each key, and returns each row that is greater than the one before. */
  final private class KeepLast extends StatefulProcessor[Long, Arrived, Arrived] {
    @transient private var last: ValueState[Arrived] = _

    override def init(outputMode: OutputMode, timeMode: TimeMode): Unit =
      last = getHandle.getValueState("last", Encoders.product[Arrived], TTLConfig.NONE)

    override def handleInputRows(
        key: Long,
        rows: Iterator[Arrived],
        timers: TimerValues): Iterator[Arrived] = rows.filter { row =>
      val before = last.get()
      last.update(row)
      before != null && before.x < row.x
    }
  }

  private val clause =
    """SELECT sent FROM arriving MATCH_RECOGNIZE (
      |  PARTITION BY k ORDER BY %s MEASURES B.sent AS sent
      |  PATTERN (A B) DEFINE B AS x > PREV(x))""".stripMargin

  /** What runs, by its name: in which order, and with which trigger. */
  private def modes(seconds: Int): Seq[(String, Boolean, Trigger)] =
    ("real-time mode", true, Trigger.RealTime(s"${seconds * 3 + 60} seconds")) +:
      Seq("100 milliseconds", "1 second", "10 seconds").flatMap { interval =>
        Seq(
          (s"micro-batches of $interval, by arrival", true, Trigger.ProcessingTime(interval)),
          (s"micro-batches of $interval, by event time", false, Trigger.ProcessingTime(interval))
        )
      }

  /** Arguments: events a second, keys, seconds that are measured. */
  def main(arguments: Array[String]): Unit = {
    val (rate, keys, seconds) = (arguments(0).toInt, arguments(1).toInt, arguments(2).toInt)
    val spark                 = SparkSession
      .builder()
      .master("local[4]")
      .config("spark.sql.extensions", "org.matchrecognize.spark.MatchRecognizeExtensions")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.shuffle.streaming.networkBufferMaxWaitTimeMs", "1")
      .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
      .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
      .getOrCreate()
    try {
      println(s"$rate events a second, $keys keys, $seconds seconds each; milliseconds")
      println("| query | rows | p50 | p95 | p99 | most |\n|---|---|---|---|---|---|")
      for ((name, byArrival, trigger) <- modes(seconds); keepsOnly <- Seq(false, true))
        if (byArrival || !keepsOnly) {
          val log   = new ArrivalLog(StructType.fromDDL("k BIGINT, x INT, sent BIGINT"))
          val input =
            spark.readStream.format(classOf[ArrivalSource].getName).option("log", log.name).load()
          val query =
            if (keepsOnly) keepLast(input)
            else matches(spark, input, byArrival)
          val what = if (keepsOnly) "keeps the last row" else "the clause"
          println(measured(s"$name: $what", query, trigger, log, rate, keys, seconds))
        }
    } finally spark.stop()
  }

  private def matches(spark: SparkSession, input: DataFrame, byArrival: Boolean): DataFrame = {
    val timed =
      if (byArrival) input
      else
        input
          .selectExpr("*", "timestamp_micros(sent DIV 1000) AS t")
          .withWatermark("t", "0 seconds")
    timed.createOrReplaceTempView("arriving")
    spark.sql(clause.format(if (byArrival) "MATCH_PROCTIME()" else "t"))
  }

  private def keepLast(input: DataFrame): DataFrame = {
    import input.sparkSession.implicits._
    input
      .as[Arrived]
      .groupByKey(_.k)
      .transformWithState(new KeepLast, TimeMode.None(), OutputMode.Update())
      .select("sent")
  }

  /** A line of the table. */
  private def measured(
      name: String,
      frame: DataFrame,
      trigger: Trigger,
      log: ArrivalLog,
      rate: Int,
      keys: Int,
      seconds: Int): String = {
    taken.clear()
    val query = frame.writeStream
      .outputMode("update")
      .option("checkpointLocation", Files.createTempDirectory("latency").toString)
      .trigger(trigger)
      .foreach(new Sink)
      .start()
    try {
      val begin = send(log, rate, keys, seconds)
      // The last rows of micro-batches.
      Thread.sleep(12000)
      query.exception.foreach(throw _)
      val nanos =
        taken.asScala.toSeq.collect { case (sent, took) if sent >= begin => took }.sorted
      def at(share: Double) =
        if (nanos.isEmpty) "-" else f"${nanos(((nanos.size - 1) * share).toInt) / 1e6}%.1f"
      s"| $name | ${nanos.size} | ${at(0.5)} | ${at(0.95)} | ${at(0.99)} | ${at(1)} |"
    } finally query.stop()
  }

  /**
   * Sends rows: a few until the query has returned its first, then all. The first third of the
   * latter warms the query up.
   *
   * @return
   *   when the first row was sent that is measured
   */
  private def send(log: ArrivalLog, rate: Int, keys: Int, seconds: Int): Long = {
    val random           = new Random(1)
    def append(key: Int) =
      log.append(Seq[Any](key.toLong, random.nextInt(10), System.nanoTime()))
    val patience = System.nanoTime() + 120 * 1000000000L
    while (taken.isEmpty) {
      if (System.nanoTime() > patience) throw new IllegalStateException("no row in two minutes")
      append(0)
      Thread.sleep(50)
    }
    val start = System.nanoTime()
    val end   = start + seconds * 1500000000L
    var sent  = 0L
    while (System.nanoTime() < end) {
      val due = (System.nanoTime() - start) / 1000000 * rate / 1000
      while (sent < due) {
        append(random.nextInt(keys))
        sent += 1
      }
      LockSupport.parkNanos(200000)
    }
    start + seconds * 500000000L
  }
}
