package org.matchrecognize.spark.execution.evaluation

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BasePredicate, Expression, Predicate}

import org.matchrecognize.spark.conditions.UnsharedCode

/**
 * Makes conditions testable. Each has generated code of its own, since only the condition that a
 * search needs may be tested. To compile it takes milliseconds, as long as to test thousands of
 * rows without compiling, and a search tests most of a thousand conditions on a few rows.
 */
private[execution] object ManyConditions {

  /** Up to so many conditions are all compiled before the first row. */
  val few = 32

  /** How often one of many conditions is tested before it is compiled. */
  val testsInterpreted = 10000

  /** Predicates in parallel with the conditions; null where there is no condition. */
  def predicates(conditions: Seq[Option[Expression]]): Array[BasePredicate] = {
    val create: Expression => BasePredicate =
      if (conditions.count(_.nonEmpty) <= few) UnsharedCode.predicate(_)
      else new LazilyCompiledPredicate(_)
    conditions.map(_.map(create).orNull).toArray
  }
}

/** Interprets a condition until it has been tested often, then compiles it. */
final private class LazilyCompiledPredicate(condition: Expression) extends BasePredicate {
  private var interpreted         = 0
  private var test: BasePredicate = _

  override def eval(row: InternalRow): Boolean = {
    if (interpreted <= ManyConditions.testsInterpreted) {
      if (interpreted == 0) test = Predicate.createInterpreted(condition)
      else if (interpreted == ManyConditions.testsInterpreted)
        test = UnsharedCode.predicate(condition)
      interpreted += 1
    }
    test.eval(row)
  }
}
