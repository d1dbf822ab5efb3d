package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.conditions.{Fallible, KeyIdentity}
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Pushes filters on partition keys below the clause: they let a partition pass as a whole, or not
 * at all, and no partition depends on another.
 *
 * Not in a stream, where partitions share the watermark: Spark would push the filter below it, and
 * rows of other partitions would no longer move it.
 */
object PushKeyFilters extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case filter @ Filter(condition, m: MatchRecognize) if !m.child.isStreaming =>
      // Rows of one partition must have the same key, not only one that counts as equal.
      val keys = AttributeSet(m.partition.filter(key => KeyIdentity(key.dataType)))
      // One that can fail would be tested on rows of partitions without a match, too.
      val (gone, kept) = FilterAbove.divide(condition)(part =>
        part.references.nonEmpty && part.references.subsetOf(keys) && !Fallible(part))
      if (gone.isEmpty) filter
      else {
        val pushed = m.pushed.copy(keys = (m.pushed.keys ++ gone.map(_.sql)).distinct)
        val below  = Filter(gone.reduce(And(_, _)), m.child)
        FilterAbove.over(m.copy(child = below, pushed = pushed), kept)
      }
  }
}
