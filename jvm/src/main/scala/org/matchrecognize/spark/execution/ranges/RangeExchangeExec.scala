package org.matchrecognize.spark.execution.ranges

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  GenericInternalRow,
  RowOrdering,
  SortOrder
}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{BinaryExecNode, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.MutablePair

/**
 * Brings the rows of `left` into ranges of their order, as many in each, about. Equal rows come into
 * one range. A sample says where the ranges end: `right` reads the order keys of few rows, which takes
 * a fraction of the time of Spark's own range partitioning, which reads all rows twice.
 */
final private[execution] case class RangeExchangeExec(
    order: Seq[SortOrder],
    number: Int,
    left: SparkPlan,
    right: SparkPlan)
    extends BinaryExecNode {
  override def output: Seq[Attribute]           = left.output
  override def outputPartitioning: Partitioning = UnknownPartitioning(number)
  override def nodeName: String                 = "RangeExchange"

  override lazy val metrics: Map[String, SQLMetric] = RangeShuffle.metrics(sparkContext)

  override protected def doExecute(): RDD[InternalRow] = ranges

  @transient private lazy val ranges: RDD[InternalRow] = {
    val (ends, keys, columns) = (lastKeys, order, left.output)
    val numbered              = left.execute().mapPartitions { rows =>
      val ordering = RowOrdering.create(keys, columns)
      val pair     = new MutablePair[Int, InternalRow]
      rows.map(row => pair.update(RangeExchangeExec.range(ordering, ends, row), row))
    }
    new RangeShuffle(numbered, ends.length + 1, columns.size, metrics).read(0 to ends.length)
  }

  /** The last keys of all ranges but the last one, as rows of the input that have no other column. */
  private def lastKeys: Array[InternalRow] = {
    val sample   = right.executeCollect()
    val ordering = RowOrdering.create(order, right.output)
    java.util.Arrays.sort(sample, ordering)
    val atEnds = (1 until number).map(i => sample.length.toLong * i / number - 1).filter(_ >= 0)
    val ends   = atEnds.map(i => sample(i.toInt))
    val places = left.output.map(column => right.output.indexWhere(_.exprId == column.exprId))
    ends.zipWithIndex
      .collect { case (end, i) if i == 0 || ordering.compare(ends(i - 1), end) < 0 => end }
      .map { end =>
        new GenericInternalRow(
          left.output
            .zip(places)
            .map { case (column, place) =>
              if (place < 0) null else end.get(place, column.dataType)
            }
            .toArray[Any])
      }
      .toArray
  }

  override protected def withNewChildrenInternal(
      newLeft: SparkPlan,
      newRight: SparkPlan): RangeExchangeExec = copy(left = newLeft, right = newRight)
}

private[execution] object RangeExchangeExec {

  /** How many ranges end before a row. */
  def range(ordering: Ordering[InternalRow], ends: Array[InternalRow], row: InternalRow): Int = {
    var low  = 0
    var high = ends.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (ordering.compare(row, ends(middle)) > 0) low = middle + 1 else high = middle
    }
    low
  }
}
