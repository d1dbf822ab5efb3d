package org.matchrecognize.spark.explain

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.tracing.{ThreadTraceLimits, TraceLimits}
import org.matchrecognize.spark.logical.{ExplanationForm, TracedClause}

/** Plans [[TracedClause]]. */
object ExplainStrategy extends SparkStrategy {
  override def apply(logical: LogicalPlan): Seq[SparkPlan] = logical match {
    case traced: TracedClause =>
      val clause   = CurrentOrigin.withOrigin(traced.origin)(traced.withoutMeasures)
      val plan     = MatchPlan.of(clause, SQLConf.get.sessionLocalTimeZone).incremental.unfused
      val variants = traced.variants.map { v =>
        val changed = CurrentOrigin.withOrigin(traced.origin)(traced.changed(v))
        val search  = MatchPlan.of(changed, SQLConf.get.sessionLocalTimeZone)
        PlannedVariant(v.cause, v.findings, search.incremental.unfused)
      }
      val (tests, clauses, child) = (traced.conditions, traced.clauses, planLater(traced.child))
      Seq(
        if (traced.form == ExplanationForm.Threads)
          TraceClauseExec(plan, tests, clauses, ThreadTraceLimits(), traced.output, child)
        else
          ExplainClauseExec(
            plan,
            tests,
            variants,
            clauses,
            traced.form == ExplanationForm.Json,
            TraceLimits(),
            traced.output,
            child))
    case _ => Nil
  }
}
