package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}

import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.logical.Within
import org.matchrecognize.spark.pattern.matching.WithinBound

/** WITHIN in a task: where the rows within the bound of a match end. */
final private[execution] class WithinRows(
    within: Within,
    order: SortOrder,
    input: Seq[Attribute],
    store: PartitionRows)
    extends SearchedHorizons
    with WithinBound {

  private val distance = {
    val ordinal = input.indexWhere(a => order.child.semanticEquals(a))
    KeyDistance.of(within, ordinal, order.child.dataType)
  }
  private val row = store.newRow()

  /** The watermark of a stream, in microseconds: rows that come are later. */
  var watermark: Long = Long.MinValue

  /** The watermark at which no row that comes is within the bound of the match. */
  def deadline: Option[Long] = distance.lastTime

  override def hasPassed: Boolean = watermark > Long.MinValue && deadline.exists(_ <= watermark)

  /** No bound fails. */
  override protected def prepare(isAsked: Long => Boolean): Boolean = true

  override def begin(start: Long): Boolean = {
    store.get(start, row)
    val hasKey = !distance.isNull(row)
    if (hasKey) distance.begin(row)
    hasKey
  }

  // Rows without a key come after all others, or before the first row of any match.
  override def contains(index: Long): Boolean = {
    store.get(index, row)
    !distance.isNull(row) && distance.contains(row)
  }
}
