package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{
  And,
  Expression,
  PredicateHelper,
  SubqueryExpression
}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}

/** A filter above a clause. Some of its parts are pushed below the clause. */
private[optimizer] object FilterAbove extends PredicateHelper {

  /**
   * The parts that are pushed, and those that stay. A part after one that is not deterministic
   * must be tested as often as before, so it stays. So does a subquery over a stream: its value can
   * change from one micro-batch to the next.
   */
  def divide(filter: Filter)(goes: Expression => Boolean): (Seq[Expression], Seq[Expression]) = {
    val (certain, others) = splitConjunctivePredicates(filter.condition).span(_.deterministic)
    val (gone, kept)      = certain.partition(part =>
      goes(part) && !(filter.isStreaming && SubqueryExpression.hasSubquery(part)))
    (gone, kept ++ others)
  }

  /** What stays, above a plan. */
  def over(plan: LogicalPlan, kept: Seq[Expression]): LogicalPlan =
    kept.reduceOption(And(_, _)).fold(plan)(Filter(_, plan))
}
