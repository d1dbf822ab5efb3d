package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, Expression, IsNotNull, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.conditions.FirstRow
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Filters on measures that the first row of a match gives become part of the condition of its
 * variable, where no match depends on another ([[FirstRow]]): from a row that fails nothing is
 * searched.
 *
 * Conditions that would fail with an error in a match from such a row are then not tested.
 */
object PushStartFilters extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case filter @ Filter(condition, m: MatchRecognize) =>
      FirstRow.of(m).filter(_.decidesAlone).fold[LogicalPlan](filter)(push(filter, m, _))
  }

  private def push(filter: Filter, m: MatchRecognize, first: FirstRow): LogicalPlan = {
    val (gone, kept) = FilterAbove.divide(filter)(first.seen(_).nonEmpty)
    // Spark adds such parts to others; alone they save too little for one more condition.
    if (gone.forall(_.isInstanceOf[IsNotNull])) filter
    else {
      val parts  = gone.flatMap(first.seen(_))
      val all    = (parts :+ m.conditions(first.variable)).filter(_ != Literal.TrueLiteral)
      val pushed = m.pushed.copy(starts = (m.pushed.starts ++ gone).distinct)
      val below  = m.copy(
        conditions = m.conditions.updated(
          first.variable,
          all.reduceOption[Expression](And(_, _)).getOrElse(Literal.TrueLiteral)),
        pushed = pushed)
      FilterAbove.over(below, kept)
    }
  }
}
