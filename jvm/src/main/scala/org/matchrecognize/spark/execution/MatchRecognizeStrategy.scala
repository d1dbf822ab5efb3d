package org.matchrecognize.spark.execution

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.MatchRecognize

/** Plans [[MatchRecognize]]. */
object MatchRecognizeStrategy extends SparkStrategy with Logging {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case m: MatchRecognize =>
      if (m.partition.isEmpty) {
        logWarning(
          "MATCH_RECOGNIZE has no PARTITION BY: all rows go to a single task, which can be slow.")
      }
      // The clause's place goes along, for the errors of its tasks.
      val exec = CurrentOrigin.withOrigin(m.origin) {
        MatchRecognizeExec(
          m.partition,
          m.order,
          m.conditions,
          m.measures,
          m.measureOutput,
          m.clause,
          planLater(m.child),
          m.pushed)
      }
      refuse(exec)
      Seq(exec)
    case _ => Nil
  }

  /** The matcher that the session's setting names must support the clause. */
  private def refuse(exec: MatchRecognizeExec): Unit =
    exec.plan.reasons.get(exec.plan.kind).foreach { reason =>
      throw MatchRecognizeErrors.analysisAt(
        AnalysisErrors.MatcherNotApplicable,
        exec.origin,
        exec.clause.pattern.span,
        "matcher" -> exec.plan.kind.name,
        "reason"  -> reason)
    }
}
