package org.matchrecognize.spark.execution

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{Attribute, LessThan, Literal, Rand}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.execution.ranges.RangeExchangeExec
import org.matchrecognize.spark.logical.MatchRecognize

/** Plans [[MatchRecognize]]. */
object MatchRecognizeStrategy extends SparkStrategy with Logging {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case m: MatchRecognize =>
      val plan = MatchPlan.of(m, SQLConf.get.sessionLocalTimeZone)
      refuse(plan)
      val ranges = RangeChoice.of(m, plan)
      val child  = ranges.fold(_ => planLater(m.child), range => inRanges(m, plan, range.number))
      val search =
        if (plan.matcher.kind == MatcherKind.Fused) {
          FusedMatchRecognizeExec(plan, m.measureOutput, child, m.pushed.texts, ranges)
        } else {
          BufferedMatchRecognizeExec(plan, m.measureOutput, child, m.pushed.texts, ranges)
        }
      ranges match {
        case Right(_)     => Seq(RangedMatchRecognizeExec(search))
        case Left(reason) =>
          if (plan.partition.isEmpty && !RangeChoice.isSmall(m.child))
            logWarning(
              s"MATCH_RECOGNIZE has no PARTITION BY. A single task searches all rows: $reason.")
          Seq(search)
      }
    case _ => Nil
  }

  /** The rows in ranges of their partitions and their order. */
  private def inRanges(m: MatchRecognize, plan: MatchPlan, number: Int): SparkPlan = {
    val keys =
      (plan.partition ++ plan.order.map(_.child).collect { case key: Attribute => key }).distinct
    // Stored rows are smaller, so there are more of them, and the sample is larger.
    val rows = m.child.stats.sizeInBytes / m.child.output.map(_.dataType.defaultSize).sum.max(1)
    val part = math.min(1.0, 1000.0 * number / math.max(1.0, rows.toDouble))
    val sampled = LessThan(Rand(Literal(1L)), Literal(part))
    RangeExchangeExec(
      plan.partition,
      plan.order,
      number,
      planLater(m.child),
      planLater(Filter(sampled, Project(keys, m.child))))
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
