package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.conditions.{Fallible, KeyIdentity}
import org.matchrecognize.spark.logical.{InputFilter, MatchRecognize}

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
