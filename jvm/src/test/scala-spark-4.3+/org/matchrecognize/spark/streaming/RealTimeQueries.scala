package org.matchrecognize.spark.streaming

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.{Queue, UUID}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentLinkedQueue}
import java.util.concurrent.atomic.AtomicLong

import scala.collection.JavaConverters._

import org.apache.spark.TaskContext
import org.apache.spark.sql.{DataFrame, ForeachWriter, Row}
import org.apache.spark.sql.matchrecognize.RealTimeClock
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}
import org.apache.spark.sql.types.StructType

import org.matchrecognize.spark.SparkSuite

/**
 * Queries in real-time mode over rows that a test appends. The test sets the time of rows, and ends
 * batches.
 */
abstract class RealTimeQueries extends SparkSuite {
  import RealTimeQueries._

  override protected def settings: Map[String, String] = super.settings ++ Map(
    "spark.master"                                       -> "local[6]",
    "spark.sql.shuffle.partitions"                       -> "1",
    "spark.sql.session.timeZone"                         -> "UTC",
    "spark.shuffle.streaming.networkBufferMaxWaitTimeMs" -> "1"
  )

  protected val clock = new TestClock

  override def beforeAll(): Unit = {
    super.beforeAll()
    RealTimeClock.set(() => clock.now())
  }

  override def afterAll(): Unit =
    try super.afterAll()
    finally RealTimeClock.reset()

  protected def logOf(ddl: String, partitions: Int = 1): ArrivalLog =
    new ArrivalLog(StructType.fromDDL(ddl), partitions)

  /** The rows of a log as a stream. */
  protected def streamOf(log: ArrivalLog): DataFrame =
    spark.readStream.format(classOf[ArrivalSource].getName).option("log", log.name).load()

  /** A query from one checkpoint, started as often as a test wants. */
  final protected class Run(log: ArrivalLog) {
    private val checkpoint            = Files.createTempDirectory("real-time")
    private val sink                  = new RowsOfSink
    private var query: StreamingQuery = _

    def start(frame: DataFrame, mode: String = "update"): Unit = {
      log.begin()
      query = frame.writeStream
        .outputMode(mode)
        .option("checkpointLocation", checkpoint.toString)
        .trigger(Trigger.RealTime(batch))
        .foreach(sink)
        .start()
    }

    def stop(): Unit = query.stop()

    /** Runs a test while the query runs. */
    def during(frame: DataFrame)(body: => Unit): Unit = {
      start(frame)
      try body
      finally stop()
    }

    /** Waits until the query has failed. */
    def fails(): Unit = query.awaitTermination(60000)

    /** The messages of the errors with which a query fails, from the outermost on. */
    def error(frame: DataFrame, mode: String = "update"): String = {
      val error = intercept[Exception] {
        start(frame, mode)
        try query.awaitTermination(60000)
        finally stop()
      }
      Iterator
        .iterate[Throwable](error)(_.getCause)
        .takeWhile(_ != null)
        .map(_.getMessage)
        .mkString("\n")
    }

    def running: StreamingQuery = query

    /** EXPLAIN of the query. */
    def plan: String = {
      val text = new ByteArrayOutputStream
      Console.withOut(text)(query.explain())
      text.toString(UTF_8.name)
    }

    def found: Seq[Row] = sink.found.asScala.toSeq

    def values: Seq[Seq[Any]] = found.map(_.toSeq)

    /** How many batches have ended. */
    def ended: Int = Iterator.from(0).takeWhile(n => Files.exists(file("commits", n))).size

    private def file(folder: String, batch: Int): Path =
      checkpoint.resolve(folder).resolve(batch.toString)

    /** Appends a row, and waits until the clause has searched it. */
    def take(values: Seq[Any]): Unit = {
      val before = clock.taken
      log.append(values)
      await(clock.taken > before)
    }

    def awaitRead(): Unit = await(log.isRead)

    /** Ends the batch, once all rows are read. */
    def endBatch(): Unit = {
      awaitRead()
      val before = ended
      // The readers of the next batch say so when they have begun: their time to end is then set.
      log.begin()
      clock.endBatch()
      await(ended > before)
    }

    def await(condition: => Boolean): Unit = {
      val end = System.nanoTime() + 240L * 1000 * 1000 * 1000
      while (!condition) {
        query.exception.foreach(throw _)
        assert(System.nanoTime() < end, s"too long: ${query.status} $checkpoint")
        Thread.sleep(1)
      }
    }
  }
}

private[streaming] object RealTimeQueries {
  private val batch = "1 hour"

  /**
   * What Spark reads as the time. Readers of sources and the operator of a clause have times of
   * their own: the end of a batch is no time of a row.
   */
  final class TestClock {

    /** Of the rows that the operator takes. */
    @volatile var millis: Long = 1000000000000L

    @volatile private var ofReaders = 0L

    private val rows = new AtomicLong

    /** How many rows the operator has taken. */
    def taken: Long = rows.get

    def endBatch(): Unit = ofReaders += 2L * 60 * 60 * 1000

    def now(): Long = {
      val classes = Thread.currentThread.getStackTrace.iterator.map(_.getClassName).toSet
      // The operator's last step at a row.
      if (classes(operator + "$$anon$2")) rows.incrementAndGet()
      // On the driver, the operator plans its child.
      if (TaskContext.get() != null && classes.exists(_.startsWith(operator))) millis
      else ofReaders
    }

    private val operator: String =
      "org.apache.spark.sql.execution.streaming.operators.stateful." +
        "transformwithstate.TransformWithStateExec"
  }

  /** Keeps rows as soon as it gets them. */
  final class RowsOfSink extends ForeachWriter[Row] {
    private val name = UUID.randomUUID().toString
    all.put(name, new ConcurrentLinkedQueue[Row])

    def found: Queue[Row] = all.get(name)

    override def open(partition: Long, epoch: Long): Boolean = true
    override def process(row: Row): Unit                     = found.add(row)
    override def close(error: Throwable): Unit               = ()
  }

  private val all = new ConcurrentHashMap[String, Queue[Row]]
}
