package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.execution.GapRows
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Filters the input of a clause down to the rows that can be more than a gap of a match, before
 * they are exchanged and sorted: in `V Z*? C Z*? P` views, carts and purchases. The source may
 * take the filter.
 */
object LeaveOutGapRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case m: MatchRecognize =>
      GapRows.others(m) match {
        case Some(condition) if !isFiltered(m, condition) =>
          m.copy(child = Filter(condition, m.child))
        case _ => m
      }
  }

  private def isFiltered(m: MatchRecognize, condition: Expression): Boolean = m.child match {
    case Filter(known, _) => known.semanticEquals(condition)
    case _                => false
  }
}
