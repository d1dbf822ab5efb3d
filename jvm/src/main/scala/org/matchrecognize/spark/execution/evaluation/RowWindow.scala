package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.EvaluationUnit
import org.matchrecognize.spark.expressions.MatchContext

/**
 * A row and those at fixed distances from it: all that a part of a condition sees that the row
 * alone decides. It has the frames of a unit, of which it knows those that are found so.
 */
final private[execution] class RowWindow(store: PartitionRows, unit: EvaluationUnit)
    extends MatchContext {
  private val targets           = unit.frames
  private val local: Array[Int] = targets.indices.filter(targets(_).isRowLocal).toArray

  private val distances: Array[Long]   = local.map(targets(_).physical)
  private val into: Array[UnsafeRow]   = local.map(_ => store.newRow())
  private val frames: Array[UnsafeRow] = new Array[UnsafeRow](targets.size)

  /** Goes to a row of the partition. */
  def at(row: Long): Unit = {
    var i = 0
    while (i < local.length) {
      val there = row + distances(i)
      if (there < 0 || there >= store.size) frames(local(i)) = null
      else {
        store.get(there, into(i))
        frames(local(i)) = into(i)
      }
      i += 1
    }
  }

  override def frame(index: Int): InternalRow = frames(index)

  override def output: InternalRow              = unknown
  override def inMatch: Boolean                 = unknown
  override def timedOut: Boolean                = unknown
  override def label(index: Int): UTF8String    = unknown
  override def buffer(index: Int): InternalRow  = unknown
  override def aggregate(index: Int): Any       = unknown
  override def matchNumber: Long                = unknown
  override def sequenceNumber(index: Int): Long = unknown

  private def unknown: Nothing =
    throw new IllegalStateException("the row alone does not decide this")
}
