package org.matchrecognize.spark.execution

import java.nio.ByteBuffer

import scala.reflect.ClassTag
import scala.util.control.NonFatal

import org.apache.spark.{Partition, SparkEnv, SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow, XXH64}
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
 * kept, or a range was searched again meanwhile, one task searches all ranges of a partition: it is
 * then as before, and so are its errors.
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

  private lazy val shuffleMetrics = RangeShuffle.metrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "ranges"        -> SQLMetrics.createMetric(sparkContext, "number of ranges"),
    "searchedTwice" -> SQLMetrics.createMetric(sparkContext, "rows searched twice"),
    "inOneTask"     -> SQLMetrics.createMetric(sparkContext, "times that one task searched all")
  ) ++ shuffleMetrics

  override protected def doExecute(): RDD[InternalRow] = {
    val ahead          = child.execute()
    val places         = search.places
    val (rows, counts) =
      if (places.forall(_.isWhole)) (ahead, Map("ranges" -> places.length.toLong))
      else join(ahead, places)
    counts.foreach { case (name, count) => metrics(name).set(count) }
    val execution = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLMetrics.postDriverMetricUpdates(sparkContext, execution, counts.keys.toSeq.map(metrics))
    rows
  }

  /** The rows, and the metrics that are known before they are read. */
  private def join(
      ahead: RDD[InternalRow],
      places: Array[RangePlace]): (RDD[InternalRow], Map[String, Long]) = {
    val spec  = search.ranges.toOption.get
    val count = places.length
    // A copy for each executor; of a class that every serializer knows.
    val inOneTask = sparkContext.broadcast(Array(false))
    val parts     = ahead.mapPartitionsWithIndex((range, rows) =>
      new RangeWriter(rows, spec, range, count, places(range).isLast, inOneTask.value))
    val shuffle = new RangeShuffle(parts, 2 * count, output.size, shuffleMetrics)
    val borders = searchBorders(shuffle, spec, places)
    val met     = borders.flatten
    val allMeet = met.size == count && areOfSameTasks(met)
    val counts  = Map(
      "ranges"        -> count.toLong,
      "searchedTwice" -> met.map(_.searched).sum,
      "inOneTask"     -> (if (allMeet) 0L else 1L))
    (if (allMeet) readRanges(shuffle, met, places) else search.searchInOneTask(places), counts)
  }

  /** Whether both borders of each range are of one search of it. */
  private def areOfSameTasks(borders: Seq[Border]): Boolean =
    borders.zip(borders.drop(1)).forall { case (border, next) =>
      next.attemptBefore.forall(_ == border.attempt)
    }

  private def searchBorders(
      shuffle: RangeShuffle,
      spec: RangeSpec,
      places: Array[RangePlace]): Seq[Option[Border]] = {
    val count  = places.length
    val across = new BorderSearch(
      search.plan.ofPart(spec.parts).incremental,
      search.child.output,
      search.metrics,
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
          val border =
            try across.search(tail, head, places(task.partitionId()).isLast)
            catch { case NonFatal(e) if !TaskCancellation.isOfTask(task, e) => None }
          // In bytes, as above.
          RangedMatchRecognizeExec.toBytes(border)
        }
      )
      .toSeq
      .map(RangedMatchRecognizeExec.ofBytes(_).asInstanceOf[Option[Border]])
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
    val found   = new SameRanges(shuffle.read(0 until borders.size), ofRange)
    found.mapPartitionsWithIndex { (range, rows) =>
      val border = ofRange(range)
      val first  = matches(range)
      var left   = border.until - border.from
      val ahead  = rows.drop(border.from.toInt).takeWhile { _ =>
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

  /** A hash of rows, in order: that of those before, and the next one. */
  def digest(before: Long, row: InternalRow): Long = {
    val unsafe = row.asInstanceOf[UnsafeRow]
    XXH64.hashUnsafeBytes(
      unsafe.getBaseObject,
      unsafe.getBaseOffset,
      unsafe.getSizeInBytes,
      before)
  }

  /** A value as a row that a shuffle can bear. */
  def pack(value: AnyRef): UnsafeRow = {
    val writer = new UnsafeRowWriter(1)
    writer.reset()
    writer.write(0, toBytes(value))
    writer.getRow.copy()
  }

  /** By the serializer that knows all classes, whatever Spark uses for data. */
  def toBytes(value: AnyRef): Array[Byte] = {
    val bytes = SparkEnv.get.closureSerializer.newInstance().serialize(value)(ClassTag.AnyRef)
    val array = new Array[Byte](bytes.remaining)
    bytes.get(array)
    array
  }

  def unpack(row: UnsafeRow): AnyRef = {
    val single = new UnsafeRow(1)
    single.pointTo(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    ofBytes(single.getBinary(0))
  }

  def ofBytes(bytes: Array[Byte]): AnyRef =
    SparkEnv.get.closureSerializer.newInstance().deserialize[AnyRef](ByteBuffer.wrap(bytes))
}

/**
 * The output rows of ranges, as they were when their borders were searched. Where an executor is
 * lost, Spark searches a range again. Rows with equal order keys can then come in another order, and
 * give other output rows, which the borders do not fit.
 *
 * @param rows
 *   of each range, after the task that searched it
 */
final private class SameRanges(rows: RDD[InternalRow], borders: Array[Border])
    extends RDD[InternalRow](rows) {
  override protected def getPartitions: Array[Partition] = rows.partitions

  override def compute(range: Partition, task: TaskContext): Iterator[InternalRow] = {
    val border         = borders(range.index)
    val (attempt, all) = read(range, task)
    if (attempt == border.attempt) all
    else {
      val digest         = all.foldLeft(0L)(RangedMatchRecognizeExec.digest)
      val (second, same) = read(range, task)
      if (digest != border.digest || second != attempt)
        throw new SparkException(
          "A range of rows was searched again, because an executor was lost, and rows with equal " +
            "order keys came in another order. Run the statement again, or add columns to ORDER BY.")
      same
    }
  }

  private def read(range: Partition, task: TaskContext): (Any, Iterator[InternalRow]) = {
    val all = rows.iterator(range, task)
    (RangedMatchRecognizeExec.unpack(all.next().asInstanceOf[UnsafeRow]), all)
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
    inOneTask: Array[Boolean])
    extends Iterator[Product2[Int, InternalRow]] {
  private val notes = RangeNotes.open(spec)

  /** Whether the task has been named, in the first row. */
  private var isNamed = false

  /** Of the rows so far. */
  private var digest = 0L

  /** Whether the search ahead has ended. */
  private var ended = inOneTask(0)
  if (ended) notes.hasFailed = true

  private lazy val parts = {
    val head = notes.head(digest)
    val tail = if (isLast) None else Some(notes.tail)
    if (head.hasFailed || tail.exists(_.rows.isEmpty)) inOneTask(0) = true
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
      } else {
        digest = RangedMatchRecognizeExec.digest(digest, row)
        (range, row)
      }
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
