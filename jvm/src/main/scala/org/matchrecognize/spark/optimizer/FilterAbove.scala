package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}

/** A filter above a clause. Some of its parts are pushed below the clause. */
private[optimizer] object FilterAbove extends PredicateHelper {

  /**
   * The parts that are pushed, and those that stay. A part after one that is not deterministic
   * must be tested as often as before, so it stays.
   */
  def divide(condition: Expression)(
      goes: Expression => Boolean): (Seq[Expression], Seq[Expression]) = {
    val (certain, others) = splitConjunctivePredicates(condition).span(_.deterministic)
    val (gone, kept)      = certain.partition(goes)
    (gone, kept ++ others)
  }

  /** What stays, above a plan. */
  def over(plan: LogicalPlan, kept: Seq[Expression]): LogicalPlan =
    kept.reduceOption(And(_, _)).fold(plan)(Filter(_, plan))
}
