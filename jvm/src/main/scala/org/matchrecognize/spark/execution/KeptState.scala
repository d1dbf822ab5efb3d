package org.matchrecognize.spark.execution

import org.matchrecognize.spark.expressions.MatchNumber

/**
 * What the state of a key holds because of MEASURES and DEFINE: the buffers of aggregates, in their
 * order, the number of matches, the rows before a match.
 */
private[spark] object KeptState {

  /** It, in words. */
  def of(plan: MatchPlan): Seq[String] = {
    val aggregates = plan.clause.aggregates
    val numbers    = MatchNumber.isIn(plan.conditions ++ plan.measures)
    val rows       = LookBack.of(plan)
    aggregates.conditions.distinct ++ aggregates.measures.flatten.distinct ++
      (if (numbers) Seq("MATCH_NUMBER()") else Nil) ++
      (if (rows > 0) Seq(s"rows before a match: $rows") else Nil)
  }
}
