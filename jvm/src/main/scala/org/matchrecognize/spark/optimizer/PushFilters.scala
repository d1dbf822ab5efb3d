package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{
  And,
  AttributeSet,
  Expression,
  IsNotNull,
  Literal,
  PredicateHelper
}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.conditions.{Fallible, FirstRow, KeyIdentity}
import org.matchrecognize.spark.logical.{InputFilter, MatchRecognize}

/** A filter above a clause. Some of its parts are pushed below the clause. */
private[optimizer] object FilterAbove extends PredicateHelper {

  /**
   * The parts that are pushed, and those that stay. A part after one that is not deterministic
   * must be tested as often as before, so it stays. So do all over a stream: what Spark infers from
   * a join is another thing in a micro-batch without data, and what is pushed decides what the
   * state holds.
   */
  def divide(filter: Filter)(goes: Expression => Boolean): (Seq[Expression], Seq[Expression]) = {
    val (certain, others) = splitConjunctivePredicates(filter.condition).span(_.deterministic)
    val (gone, kept)      = certain.partition(part => !filter.isStreaming && goes(part))
    (gone, kept ++ others)
  }

  /** What stays, above a plan. */
  def over(plan: LogicalPlan, kept: Seq[Expression]): LogicalPlan =
    kept.reduceOption(And(_, _)).fold(plan)(Filter(_, plan))
}

/**
 * Pushes filters on partition keys below the clause: they let a partition pass as a whole, or not
 * at all, and no partition depends on another.
 */
object PushKeyFilters extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case filter @ Filter(_, m: MatchRecognize) =>
      // Rows of one partition must have the same key, not only one that counts as equal.
      val keys = AttributeSet(m.partition.filter(key => KeyIdentity(key.dataType)))
      // One that can fail would be tested on rows of partitions without a match, too.
      val (gone, kept) = FilterAbove.divide(filter)(part =>
        part.references.nonEmpty && part.references.subsetOf(keys) && !Fallible(part))
      if (gone.isEmpty) filter
      else {
        val pushed = m.pushed.copy(keys = (m.pushed.keys ++ gone).distinct)
        val below  = InputFilter.below(m, gone.reduce(And(_, _)))
        FilterAbove.over(m.copy(child = below, pushed = pushed), kept)
      }
  }
}

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
