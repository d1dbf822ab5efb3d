package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.conditions.{GapRows, ReachableRows}
import org.matchrecognize.spark.logical.{InputFilter, MatchRecognize}

/**
 * Filters the input of a clause, once, before it is exchanged and sorted. The source may take the
 * filter.
 *
 * @param others
 *   what the rows satisfy that have to stay; None if all have to
 */
abstract class LeaveOutRows private[optimizer] (others: MatchRecognize => Option[Expression])
    extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case m: MatchRecognize =>
      others(m).filterNot(c => m.pushed.holds(c) || readsArrival(m, c)) match {
        case Some(condition) =>
          m.copy(
            child = InputFilter.below(m, condition),
            pushed = m.pushed.copy(rows = m.pushed.rows :+ condition))
        case None => m
      }
  }

  /** In real-time mode a row gets its time of arrival after it is exchanged. */
  private def readsArrival(m: MatchRecognize, condition: Expression): Boolean =
    m.clause.isByArrival && m.order.exists(key => key.references.subsetOf(condition.references))
}

/**
 * Down to the rows that can be more than a gap of a match: in `V Z*? C Z*? P` views, carts and
 * purchases.
 */
object LeaveOutGapRows extends LeaveOutRows(GapRows.others(_))

/**
 * Down to the rows that a match can reach, where the condition of its first variable limits them:
 * `A AS ts >= DATE '2026-11-01'` in the order of ts.
 */
object LeaveOutRowsOutOfReach extends LeaveOutRows(ReachableRows.condition(_))
