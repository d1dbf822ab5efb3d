package org.matchrecognize.spark.execution.evaluation

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.BasePredicate

import org.matchrecognize.spark.execution.slots.Slots
import org.matchrecognize.spark.expressions.MatchContext

/**
 * Remembers verdicts that the row alone decides: threads of one start row need the same verdicts,
 * and so do those of the next. Only verdicts that are needed are computed. A verdict is not
 * remembered where rows that it may read are missing: it can change once they come.
 *
 * @param lookAhead
 *   how many rows after a row can be read
 */
final private[execution] class LocalVerdicts(
    predicates: Array[BasePredicate],
    context: PartitionContext,
    lookAhead: Long) {

  /** Rows remembered: matches are mostly shorter. */
  final private val ringSize = 1024

  /** By entry of the ring: the row remembered there. */
  private val rows = new Array[Long](ringSize)

  /** By entry and variable: 0 not tested yet, 1 true, 2 not true. */
  private val verdicts = new Array[Byte](ringSize * predicates.length)

  forget()

  /** Another partition begins. */
  def forget(): Unit = Arrays.fill(rows, -1L)

  /** Tests a row for a variable; `slots` are those of any thread before it. */
  def of(variable: Int, row: Long, slots: Slots): Boolean =
    if (row + lookAhead >= context.available) {
      context.at(row, slots)
      predicates(variable).eval(context)
    } else {
      val entry = entryOf(variable, row)
      if (verdicts(entry) == 0) context.at(row, slots)
      at(entry, variable, context)
    }

  /** The same with a window that is at the row. */
  def of(variable: Int, row: Long, window: RowWindow): Boolean =
    if (row + lookAhead >= context.available) predicates(variable).eval(window)
    else at(entryOf(variable, row), variable, window)

  private def entryOf(variable: Int, row: Long): Int = {
    val entry = (row & ringSize - 1).toInt
    val base  = entry * predicates.length
    if (rows(entry) != row) {
      Arrays.fill(verdicts, base, base + predicates.length, 0.toByte)
      rows(entry) = row
    }
    base + variable
  }

  private def at(entry: Int, variable: Int, row: MatchContext): Boolean = {
    if (verdicts(entry) == 0) verdicts(entry) = if (predicates(variable).eval(row)) 1 else 2
    verdicts(entry) == 1
  }
}
