package org.matchrecognize.spark.optimizer

import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

import org.matchrecognize.spark.logical.MatchRecognize

/**
 * Drops measures that nothing above asks for: what only they need of the input is then not read,
 * and what they need of a match not kept.
 */
object PruneMeasures extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case project @ Project(_, m: MatchRecognize)
        if !m.measureOutput.forall(project.references.contains) =>
      val kept = m.measures.zip(m.measureOutput).filter(e => project.references.contains(e._2))
      project.copy(child = m.copy(measures = kept.map(_._1), measureOutput = kept.map(_._2)))
  }
}
