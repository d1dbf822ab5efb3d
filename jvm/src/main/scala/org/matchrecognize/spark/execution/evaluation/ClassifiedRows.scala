package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.expressions.{Expression, UnsafeRow}

import org.matchrecognize.spark.execution.slots.Numbered
import org.matchrecognize.spark.pattern.matching.{RowVerdicts, SmallNumbers}

/**
 * Tests each row of a partition once for all variables, and keeps its class.
 *
 * @param classes
 *   keeps the classes of the rows
 */
abstract private[execution] class ClassifiedRows(
    conditions: DistinctConditions,
    classes: SmallNumbers)
    extends RowVerdicts {

  /** The classes met so far. */
  final protected val known = new RowClasses(conditions.size)

  /** Another partition begins. */
  def begin(): Unit

  /** The next row of the partition has arrived. */
  def append(row: UnsafeRow): Unit

  final override def classOf(row: Long): Int = classes(row)

  final override def satisfies(rowClass: Int, variable: Int): Boolean = {
    val condition = conditions.of(variable)
    condition < 0 || known.satisfies(rowClass, condition)
  }
}

/**
 * The conditions of all variables, each once: two variables often have the same. Conditions that
 * differ in the order of their parts are not the same, since they can fail at different rows.
 *
 * @param byVariable
 *   None where it is always true
 */
final private[execution] class DistinctConditions(byVariable: IndexedSeq[Option[Expression]]) {
  private val numbered = new Numbered[Any]

  /** By variable, the number of its condition; -1 where it is always true. */
  val of: Array[Int] = byVariable.zipWithIndex.map { case (condition, variable) =>
    condition.fold(-1)(e => numbered.numberOf(if (e.deterministic) e else variable))
  }.toArray

  val size: Int = numbered.all.size

  /** By number, a variable that has the condition. */
  val variables: Seq[Int] = (0 until size).map(of.indexOf(_))
}
