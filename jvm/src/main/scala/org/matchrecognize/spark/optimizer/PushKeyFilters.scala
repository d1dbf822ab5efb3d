package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.execution.{Fallible, KeyIdentity}
import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Filters on partition keys go beneath the clause: they let a partition pass as a whole, or not at
 * all, and no partition can tell whether another is there.
 */
object PushKeyFilters extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case filter @ Filter(condition, m: MatchRecognize) =>
      // Rows of one partition must have the same key, not only one that counts as equal.
      val keys = AttributeSet(m.partition.filter(key => KeyIdentity(key.dataType)))
      // What stands behind a part that is not deterministic must be tested as often as before.
      val (pushed, kept) = splitConjunctivePredicates(condition).span(_.deterministic) match {
        case (certain, others) =>
          // One that can fail would be tested on rows of partitions without a match, too.
          val (on, off) = certain.partition(part =>
            part.references.nonEmpty && part.references.subsetOf(keys) && !Fallible(part))
          (on, off ++ others)
      }
      if (pushed.isEmpty) filter
      else {
        val below = m.copy(child = Filter(pushed.reduce(And(_, _)), m.child))
        kept.reduceOption(And(_, _)).fold[LogicalPlan](below)(Filter(_, below))
      }
  }
}
