package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Drops measures that no operator above reads: what only they need of the input is then not read,
 * and what they need of a match not kept.
 */
object PruneMeasures extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case project @ Project(_, m: MatchRecognize) if !asksForAll(project.references, m) =>
      project.copy(child = pruned(project.references, m))
    // Spark leaves no projection between the two.
    case project @ Project(_, filter @ Filter(_, m: MatchRecognize))
        if !asksForAll(project.references ++ filter.references, m) =>
      project.copy(child =
        filter.copy(child = pruned(project.references ++ filter.references, m)))
  }

  private def asksForAll(asked: AttributeSet, m: MatchRecognize): Boolean =
    m.measureOutput.forall(asked.contains)

  private def pruned(asked: AttributeSet, m: MatchRecognize): MatchRecognize = {
    val kept = m.measureOutput.indices.filter(i => asked.contains(m.measureOutput(i)))
    m.copy(
      measures = kept.map(m.measures),
      measureOutput = kept.map(m.measureOutput),
      eventTimes =
        m.eventTimes.filter(c => asked.contains(c) || !AttributeSet(m.measureOutput).contains(c)),
      clause = m.clause.copy(meaning = m.clause.meaning.map(_.withMeasures(kept)))
    )
  }
}
