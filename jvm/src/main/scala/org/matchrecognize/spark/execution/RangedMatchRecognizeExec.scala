package org.matchrecognize.spark.execution

import java.nio.ByteBuffer
import java.util.concurrent.atomic.AtomicBoolean

import scala.reflect.ClassTag
import scala.util.control.NonFatal

import org.apache.spark.{SparkEnv, SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter
import org.apache.spark.sql.execution.{
  SQLExecution,
  SparkPlan,
  UnaryExecNode,
  WholeStageCodegenExec
}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.matchrecognize.TaskCancellation

import org.matchrecognize.spark.execution.ranges.{
  RangeExchangeExec,
  RangeHead,
  RangeNotes,
  RangePlace,
  RangeShuffle,
  RangeSpec,
  RangeTail
}
import org.matchrecognize.spark.expressions.MatchNumber

/**
 * Searches a partition by many tasks. Its rows come in ranges of their order. The child searches
 * each range as if a search began at its first row ("ahead"), and this operator joins the results
 * to what one search of all rows finds:
 *
 *   1. A task for each range keeps the output rows of the search ahead in a shuffle of its own, with
 *      the first rows of the range and those after its last decided start row.
 *   1. A task for each border goes on from the end of a range into the next one, until it comes to a
 *      start row that the search ahead visits, too ([[BorderSearch]]). From there on, both find the
 *      same. Under SKIP TO NEXT ROW that is the first row.
 *   1. A task for each range returns the rows that were found across its beginning, then those of the
 *      search ahead from that start row on. MATCH_NUMBER continues that of the ranges before.
 *
 * If the search ahead meets an error, or a border does not come to such a start row within the rows
 * kept, one task searches all ranges of a partition: it is then as before, and so are its errors.
 *
 * Of several partitions only those with many rows are in ranges of their own. A range with all rows
 * of its partitions has no borders ([[RangeExchangeExec]]).
 *
 * @param child
 *   a [[MatchRecognizeExec]] over ranges
 */
case class RangedMatchRecognizeExec(child: SparkPlan) extends UnaryExecNode {
  override def output: Seq[Attribute] = child.output

  override def nodeName: String = "JoinRanges"

  private def search: MatchRecognizeExec = child match {
    case stage: WholeStageCodegenExec => stage.child.asInstanceOf[MatchRecognizeExec]
    case other                        => other.asInstanceOf[MatchRecognizeExec]
  }

  private def exchange: RangeExchangeExec = search.child.collectFirst {
    case ranges: RangeExchangeExec => ranges
  }.get

  private lazy val shuffleMetrics = RangeShuffle.metrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "ranges"        -> SQLMetrics.createMetric(sparkContext, "number of ranges"),
    "searchedTwice" -> SQLMetrics.createMetric(sparkContext, "rows searched twice"),
    "inOneTask"     -> SQLMetrics.createMetric(sparkContext, "times that one task searched all")
  ) ++ shuffleMetrics

  override protected def doExecute(): RDD[InternalRow] = {
    val (rows, counts) = joined
    // Spark sets the metrics back when the same plan runs again.
    counts.foreach { case (name, count) => metrics(name).set(count) }
    val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(sparkContext, execution, counts.keys.toSeq.map(metrics))
    rows
  }

  /** The rows, and the metrics that are known before they are read. */
  @transient private lazy val joined: (RDD[InternalRow], Map[String, Long]) = {
    val ahead  = child.execute()
    val places = exchange.places
    if (places.forall(_.isWhole))
      (withoutBorders(ahead, places), Map("ranges" -> places.length.toLong))
    else join(ahead, places)
  }

  /** The fused matcher has no limit of steps, of which the other tasks have a part only. */
  private def withoutBorders(
      ahead: RDD[InternalRow],
      places: Array[RangePlace]): RDD[InternalRow] = child match {
    case _: WholeStageCodegenExec => ahead
    case _                        => search.searchInOneTask(places)
  }

  private def join(
      ahead: RDD[InternalRow],
      places: Array[RangePlace]): (RDD[InternalRow], Map[String, Long]) = {
    val spec  = search.ranges.toOption.get
    val count = places.length
    // A copy for each executor.
    val inOneTask = sparkContext.broadcast(new AtomicBoolean)
    val parts     = ahead.mapPartitionsWithIndex((range, rows) =>
      new RangeWriter(rows, spec, range, count, places(range).isLast, inOneTask.value))
    val shuffle = new RangeShuffle(parts, 2 * count, output.size, shuffleMetrics)
    val borders = searchBorders(shuffle, spec, places)
    val met     = borders.flatten
    val allMeet = met.size == count
    val counts  = Map(
      "ranges"        -> count.toLong,
      "searchedTwice" -> met.map(_.searched).sum,
      "inOneTask"     -> (if (allMeet) 0L else 1L))
    (if (allMeet) readRanges(shuffle, met, places) else search.searchInOneTask(places), counts)
  }

  private def searchBorders(
      shuffle: RangeShuffle,
      spec: RangeSpec,
      places: Array[RangePlace]): Seq[Option[Border]] = {
    val count  = places.length
    val across = new BorderSearch(
      search.plan.ofPart(spec.parts).incremental,
      search.child.output,
      search.matchMetrics,
      spec.mostAddedBytes)
    sparkContext
      .runJob(
        shuffle.read(count until 2 * count),
        (task: TaskContext, rows: Iterator[InternalRow]) => {
          val parts =
            rows.map(row => RangedMatchRecognizeExec.unpack(row.asInstanceOf[UnsafeRow])).toList
          val head = parts.collectFirst { case head: RangeHead => head }.get
          val tail = parts.collectFirst { case tail: RangeTail => tail }
          // Whether an error is one of the whole search, one task finds out.
          try across.search(tail, head, places(task.partitionId()).isLast)
          catch { case NonFatal(e) if !TaskCancellation.isOfTask(task, e) => None }
        }
      )
      .toSeq
  }

  private def readRanges(
      shuffle: RangeShuffle,
      borders: Seq[Border],
      places: Array[RangePlace]): RDD[InternalRow] = {
    // Up to a range and with it, in its partition.
    val matches = borders.zip(places).scanLeft(0L) { case (before, (border, place)) =>
      if (place.isLast) 0L else before + border.matches
    }
    val numbers = numberColumns
    val ofRange = borders.toArray
    shuffle.read(0 until borders.size).mapPartitionsWithIndex { (range, rows) =>
      val border = ofRange(range)
      RangedMatchRecognizeExec.checkAttempt(border, rows.next().asInstanceOf[UnsafeRow])
      val first = matches(range)
      var left  = border.until - border.from
      val ahead = rows.drop(border.from.toInt).takeWhile { _ =>
        left -= 1
        left >= 0
      }
      def numbered(rows: Iterator[InternalRow], more: Long) =
        if (numbers.isEmpty || more == 0) rows
        else
          rows.map { row =>
            numbers.foreach(i => if (!row.isNullAt(i)) row.setLong(i, row.getLong(i) + more))
            row
          }
      numbered(border.added.iterator.map(_.copy()), first) ++
        numbered(ahead, first + border.moreMatches)
    }
  }

  /** The columns with MATCH_NUMBER, which counts the matches of all ranges. */
  private def numberColumns: Seq[Int] = {
    val before = output.size - search.plan.measures.size
    search.plan.measures.zipWithIndex.collect { case (MatchNumber(), i) => before + i }
  }

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)
}

private object RangedMatchRecognizeExec {

  /**
   * Where an executor is lost, Spark searches a range again. Rows with equal order keys can then come
   * in another order, and the borders are those of the order before.
   */
  def checkAttempt(border: Border, first: UnsafeRow): Unit =
    if (unpack(first) != border.attempt) {
      throw new SparkException(
        "A range of rows was searched again after its borders were known, because an executor was " +
          "lost. Run the query again.")
    }

  /** A value as a row that a shuffle can bear. */
  def pack(value: AnyRef): UnsafeRow = {
    val writer = new UnsafeRowWriter(1)
    val bytes  = SparkEnv.get.closureSerializer.newInstance().serialize(value)(ClassTag.AnyRef)
    writer.reset()
    val array = new Array[Byte](bytes.remaining)
    bytes.get(array)
    writer.write(0, array)
    writer.getRow.copy()
  }

  def unpack(row: UnsafeRow): AnyRef = {
    val single = new UnsafeRow(1)
    single.pointTo(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    SparkEnv.get.closureSerializer
      .newInstance()
      .deserialize[AnyRef](ByteBuffer.wrap(single.getBinary(0)))
  }
}

/**
 * What the search ahead of range `i` leaves, by partition of the shuffle: its output rows in `i`, then
 * its beginning in `count + i`, and its end in the one after that.
 *
 * @param inOneTask
 *   set when a range shows that one task must search all rows: no further one is then searched
 */
final private class RangeWriter(
    rows: Iterator[InternalRow],
    spec: RangeSpec,
    range: Int,
    count: Int,
    isLast: Boolean,
    inOneTask: AtomicBoolean)
    extends Iterator[Product2[Int, InternalRow]] {
  private val notes = RangeNotes.open(spec)

  /** Whether the task has been named, in the first row. */
  private var isNamed = false

  /** Whether the search ahead has ended. */
  private var ended = inOneTask.get
  if (ended) notes.hasFailed = true

  private lazy val parts = {
    val head = notes.head
    val tail = if (isLast) None else Some(notes.tail)
    if (head.hasFailed || tail.exists(_.rows.isEmpty)) inOneTask.set(true)
    (Iterator((count + range) -> head) ++ tail.iterator.map((count + range + 1) -> _)).map {
      case (to, part) => (to, RangedMatchRecognizeExec.pack(part): InternalRow)
    }
  }

  override def hasNext: Boolean = {
    if (isNamed && !ended && !ahead(rows.hasNext, otherwise = false)) ended = true
    !ended || parts.hasNext
  }

  override def next(): (Int, InternalRow) =
    if (!isNamed) {
      isNamed = true
      (range, RangedMatchRecognizeExec.pack(Long.box(TaskContext.get().taskAttemptId())))
    } else if (!hasNext) throw new NoSuchElementException("end of the range")
    else if (ended) parts.next()
    else {
      val row = ahead[InternalRow](rows.next(), null)
      if (row == null) {
        ended = true
        parts.next()
      } else (range, row)
    }

  /** An error of the search ahead need not be one of the whole search. */
  private def ahead[T](step: => T, otherwise: T): T =
    try step
    catch {
      case NonFatal(e) if !TaskCancellation.isOfTask(TaskContext.get(), e) =>
        notes.hasFailed = true
        otherwise
    }
}
