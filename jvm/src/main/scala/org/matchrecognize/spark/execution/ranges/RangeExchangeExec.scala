package org.matchrecognize.spark.execution.ranges

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  Attribute,
  GenericInternalRow,
  RowOrdering,
  SortOrder,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.plans.physical.{
  HashPartitioning,
  Partitioning,
  UnknownPartitioning
}
import org.apache.spark.sql.execution.{BinaryExecNode, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.MutablePair

/**
 * Brings the rows of `left` into ranges of their order, as many in each, about. Equal rows come into
 * one range. A sample says where the ranges end: `right` reads the keys of few rows, which takes a
 * fraction of the time of Spark's own range partitioning, which reads all rows twice.
 *
 * A partition with enough rows for two ranges has its own. The other partitions are distributed as
 * Spark does it, and each of them is in one range with others.
 *
 * @param number
 *   how many ranges there are, about
 */
final private[execution] case class RangeExchangeExec(
    partition: Seq[Attribute],
    order: Seq[SortOrder],
    number: Int,
    left: SparkPlan,
    right: SparkPlan)
    extends BinaryExecNode {
  override def output: Seq[Attribute]           = left.output
  override def outputPartitioning: Partitioning = UnknownPartitioning(number)
  override def nodeName: String                 = "RangeExchange"

  override lazy val metrics: Map[String, SQLMetric] = RangeShuffle.metrics(sparkContext)

  /** Where each range is in its partition, once the sample was read. */
  private[execution] def places: Array[RangePlace] =
    ranges.flatMap { inRanges =>
      val last = inRanges.ends.length
      (0 to last).map(i => RangePlace(i == 0, i == last))
    } ++ Array.fill(others)(RangePlace(isFirst = true, isLast = true))

  /** How many ranges have the partitions that have none of their own. */
  private def others: Int =
    if (partition.isEmpty) 0 else math.max(1, number - ranges.map(_.ends.length + 1).sum)

  private def byKeys: Seq[SortOrder] = partition.map(SortOrder(_, Ascending))

  override protected def doExecute(): RDD[InternalRow] = rows

  @transient private lazy val rows: RDD[InternalRow] = {
    val (inRanges, keys, columns) = (ranges, order, left.output)
    val (sameKeys, attributes)    = (byKeys, partition)
    val (whole, ofRange)          = (others, places)
    val numbered                  = left.execute().mapPartitions { rows =>
      val find = new RangeFinder(inRanges, attributes, sameKeys, keys, columns, whole)
      val pair = new MutablePair[Int, InternalRow]
      rows.map(row => pair.update(find(row), row))
    }
    new RangeShuffle(numbered, ofRange.length, columns.size, metrics)
      .read(ofRange.indices)
      .mapPartitionsWithIndex { (range, rows) =>
        RangeNotes.place(ofRange(range))
        rows
      }
  }

  /** The partitions with ranges of their own, in the order of their keys. */
  @transient private lazy val ranges: Array[PartitionRanges] = {
    val sample = right.executeCollect()
    java.util.Arrays.sort(sample, RowOrdering.create(byKeys ++ order, right.output))
    val sameKeys = RowOrdering.create(byKeys, right.output)
    val begins   =
      sample.indices.filter(i => i == 0 || sameKeys.compare(sample(i - 1), sample(i)) < 0)
    val all = begins.zip(begins.drop(1) :+ sample.length).flatMap { case (from, until) =>
      val count = ((until - from).toLong * number / sample.length).toInt
      if (count < 2) None else Some(inRanges(sample.slice(from, until), count))
    }
    // The only partition has all rows, if the sample has none.
    if (partition.isEmpty && all.isEmpty) Array(PartitionRanges(nullRow, Array.empty))
    else all.toArray
  }

  /** The last keys of all ranges of a partition but the last one. */
  private def inRanges(sample: Array[InternalRow], count: Int): PartitionRanges = {
    val ordering = RowOrdering.create(order, right.output)
    val atEnds   = (1 until count).map(i => sample.length.toLong * i / count - 1).filter(_ >= 0)
    val ends     = atEnds.map(i => sample(i.toInt))
    val distinct = ends.zipWithIndex.collect {
      case (end, i) if i == 0 || ordering.compare(ends(i - 1), end) < 0 => asInput(end)
    }
    PartitionRanges(asInput(sample.head), distinct.toArray)
  }

  private def nullRow: InternalRow = new GenericInternalRow(left.output.size)

  /** A row of the sample as one of the input that has no other column. */
  private def asInput(row: InternalRow): InternalRow =
    new GenericInternalRow(
      left.output
        .map { column =>
          val place = right.output.indexWhere(_.exprId == column.exprId)
          if (place < 0) null else row.get(place, column.dataType)
        }
        .toArray[Any])

  override protected def withNewChildrenInternal(
      newLeft: SparkPlan,
      newRight: SparkPlan): RangeExchangeExec = copy(left = newLeft, right = newRight)
}

/**
 * The ranges of a partition.
 *
 * @param key
 *   a row with its keys
 * @param ends
 *   rows with the last order keys of all its ranges but the last one
 */
final private[ranges] case class PartitionRanges(key: InternalRow, ends: Array[InternalRow])

/**
 * Says in which range a row is.
 *
 * @param ranges
 *   the partitions with ranges of their own, in the order of their keys
 * @param others
 *   how many ranges the other partitions have, after those
 */
final private[ranges] class RangeFinder(
    ranges: Array[PartitionRanges],
    partition: Seq[Attribute],
    byKeys: Seq[SortOrder],
    order: Seq[SortOrder],
    columns: Seq[Attribute],
    others: Int) {
  private val keyOrdering = RowOrdering.create(byKeys, columns)
  private val ordering    = RowOrdering.create(order, columns)
  private val keys        = ranges.map(_.key)
  private val firsts      = ranges.scanLeft(0)(_ + _.ends.length + 1)

  private lazy val hash =
    UnsafeProjection.create(
      Seq(HashPartitioning(partition, others).partitionIdExpression),
      columns)

  def apply(row: InternalRow): Int = {
    val i = below(keyOrdering, keys, row)
    if (i < keys.length && keyOrdering.compare(row, keys(i)) == 0)
      firsts(i) + below(ordering, ranges(i).ends, row)
    else firsts.last + hash(row).getInt(0)
  }

  /** How many of the rows, which are different and in order, are less than a row. */
  private def below(
      order: Ordering[InternalRow],
      rows: Array[InternalRow],
      row: InternalRow): Int = {
    val place = java.util.Arrays.binarySearch(rows, row, order)
    if (place < 0) -place - 1 else place
  }
}
