package org.matchrecognize.spark.execution.evaluation

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.BasePredicate

import org.matchrecognize.spark.execution.slots.Slots

/**
 * Remembers verdicts that the row alone decides: threads of one start row need the same verdicts,
 * and so do those of the next. Only verdicts that are needed are computed.
 */
final private[execution] class LocalVerdicts(
    predicates: Array[BasePredicate],
    context: PartitionContext) {
  import LocalVerdicts._

  /** By place in the ring: the row remembered there. */
  private val rows = new Array[Long](ringSize)

  /** By place and variable: 0 not tested yet, 1 true, 2 not true. */
  private val verdicts = new Array[Byte](ringSize * predicates.length)

  forget()

  /** Another partition begins. */
  def forget(): Unit = Arrays.fill(rows, -1L)

  /** Tests a row for a variable; `slots` are those of any thread before it. */
  def of(variable: Int, row: Long, slots: Slots): Boolean = {
    val place = (row & ringSize - 1).toInt
    val base  = place * predicates.length
    if (rows(place) != row) {
      Arrays.fill(verdicts, base, base + predicates.length, 0.toByte)
      rows(place) = row
    }
    if (verdicts(base + variable) == 0) {
      context.at(row, slots)
      verdicts(base + variable) = if (predicates(variable).eval(context)) 1 else 2
    }
    verdicts(base + variable) == 1
  }
}

private object LocalVerdicts {

  /** Rows remembered: matches are mostly shorter. */
  val ringSize = 1024
}
