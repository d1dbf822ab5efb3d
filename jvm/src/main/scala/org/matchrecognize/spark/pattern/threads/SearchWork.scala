package org.matchrecognize.spark.pattern.threads

import org.matchrecognize.spark.pattern.matching.{Limits, RowConditions}

/**
 * The steps of a search and its tests, which the budget pays.
 *
 * @param stepCost
 *   what a step costs
 */
final private[threads] class SearchWork[S <: AnyRef](
    conditions: RowConditions[S],
    limits: Limits,
    stepCost: Int) {
  private val budget = limits.budget
  private var count  = 0L

  def steps: Long = count

  /** A search begins, or continues after so many steps. */
  def begin(steps: Long): Unit = count = steps

  def step(): Unit = {
    count += 1
    budget.spend(stepCost)
    if ((count & 0xfff) == 0) limits.poll()
  }

  /** See [[RowConditions.map]]. */
  def map(variable: Int, row: Long, slots: S): S = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.map(variable, row, slots)
  }

  /** See [[RowConditions.satisfies]]. */
  def satisfies(variable: Int, row: Long, slots: S): Boolean = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.satisfies(variable, row, slots)
  }

  /** Whether a row satisfies a variable that it must not satisfy. */
  def isBarred(barred: Seq[Int], row: Long, slots: S): Boolean =
    barred.nonEmpty && barred.exists(satisfies(_, row, slots))
}
