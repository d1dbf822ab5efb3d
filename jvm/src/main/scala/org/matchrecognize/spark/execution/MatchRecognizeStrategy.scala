package org.matchrecognize.spark.execution

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

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
      val plan = MatchPlan.of(m, SQLConf.get.sessionLocalTimeZone)
      refuse(plan)
      val child = planLater(m.child)
      Seq(
        if (plan.matcher.kind == MatcherKind.Fused)
          FusedMatchRecognizeExec(plan, m.measureOutput, child, m.pushed.texts)
        else BufferedMatchRecognizeExec(plan, m.measureOutput, child, m.pushed.texts))
    case _ => Nil
  }

  /** Refuses a matcher that the session's setting names and the clause rules out. */
  private def refuse(plan: MatchPlan): Unit =
    plan.matcher.reasons.get(plan.matcher.kind).foreach { reason =>
      throw MatchRecognizeErrors.analysisAt(
        AnalysisErrors.MatcherNotApplicable,
        plan.clauseOrigin,
        plan.clause.pattern.span,
        "matcher" -> plan.matcher.kind.name,
        "reason"  -> reason)
    }
}
