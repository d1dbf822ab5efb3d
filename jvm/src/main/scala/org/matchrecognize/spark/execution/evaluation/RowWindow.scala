package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.rows.PartitionRows
import org.matchrecognize.spark.execution.slots.EvaluationUnit
import org.matchrecognize.spark.expressions.MatchContext

/**
 * A row and those at fixed distances from it, beside a match that stays as it is. It goes from row
 * to row faster than the context of the match.
 *
 * @param read
 *   the frames of the unit that are read
 * @param context
 *   where all that the row does not decide is found
 */
final private[execution] class RowWindow(
    store: PartitionRows,
    unit: EvaluationUnit,
    read: Seq[Int],
    context: MatchContext)
    extends MatchContext {

  /** A window for parts of conditions that the row alone decides, which read nothing else. */
  def this(store: PartitionRows, unit: EvaluationUnit) =
    this(store, unit, unit.frames.indices, NoMatch)

  private val (local, ofMatch) = {
    val (near, others) = read.partition(unit.frame(_).isRowLocal)
    (near.toArray, others.toArray)
  }

  private val distances: Array[Long]     = local.map(unit.frame(_).physical)
  private val into: Array[UnsafeRow]     = local.map(_ => store.newRow())
  private val frames: Array[InternalRow] = new Array[InternalRow](unit.frames.size)

  /** Finds the rows of the match, which stay until the context changes. */
  def beginMatch(): Unit = ofMatch.foreach(frame => frames(frame) = context.frame(frame))

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

  /** Windows go over rows that have come with those that they read. */
  override def isArrived(index: Int): Boolean = true

  override def output: InternalRow              = context.output
  override def inMatch: Boolean                 = context.inMatch
  override def timedOut: Boolean                = context.timedOut
  override def label(index: Int): UTF8String    = context.label(index)
  override def buffer(index: Int): InternalRow  = context.buffer(index)
  override def aggregate(index: Int): Any       = context.aggregate(index)
  override def matchNumber: Long                = context.matchNumber
  override def sequenceNumber(index: Int): Long = context.sequenceNumber(index)
}

/** Where there is no match: for what the row alone decides. */
private object NoMatch extends MatchContext {
  override def frame(index: Int): InternalRow   = unknown
  override def isArrived(index: Int): Boolean   = unknown
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
