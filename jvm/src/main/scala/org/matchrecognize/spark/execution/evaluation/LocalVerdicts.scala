package org.matchrecognize.spark.execution.evaluation

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.BasePredicate

import org.matchrecognize.spark.execution.slots.Slots
import org.matchrecognize.spark.expressions.MatchContext

/**
 * Remembers verdicts that the row alone decides: threads of one start row need the same verdicts,
 * and so do those of the next. Only verdicts that are needed are computed. One of a row after which
 * rows are missing is not remembered: it may be right only because something else decides.
 *
 * @param lookAhead
 *   how many rows after a row can be read
 */
final private[execution] class LocalVerdicts(
    predicates: Array[BasePredicate],
    context: PartitionContext,
    lookAhead: Long) {
  import LocalVerdicts._

  /** By place in the ring: the row remembered there. */
  private val rows = new Array[Long](ringSize)

  /** By place and variable: 0 not tested yet, 1 true, 2 not true. */
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
      val place = placeOf(variable, row)
      if (verdicts(place) == 0) context.at(row, slots)
      at(place, variable, context)
    }

  /** The same with a window that is at the row. */
  def of(variable: Int, row: Long, window: RowWindow): Boolean =
    if (row + lookAhead >= context.available) predicates(variable).eval(window)
    else at(placeOf(variable, row), variable, window)

  private def placeOf(variable: Int, row: Long): Int = {
    val place = (row & ringSize - 1).toInt
    val base  = place * predicates.length
    if (rows(place) != row) {
      Arrays.fill(verdicts, base, base + predicates.length, 0.toByte)
      rows(place) = row
    }
    base + variable
  }

  private def at(place: Int, variable: Int, row: MatchContext): Boolean = {
    if (verdicts(place) == 0) verdicts(place) = if (predicates(variable).eval(row)) 1 else 2
    verdicts(place) == 1
  }
}

private object LocalVerdicts {

  /** Rows remembered: matches are mostly shorter. */
  val ringSize = 1024
}
