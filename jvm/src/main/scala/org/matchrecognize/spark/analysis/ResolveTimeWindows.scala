package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  SessionWindow,
  TimeWindow,
  WindowTime
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.expressions.{TimeWindowCall, TumblingWindow}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize

/** Resolves the time windows of a clause: those that are values of one row. */
object ResolveTimeWindows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case clause: UnresolvedMatchRecognize =>
      clause.transformExpressions {
        case call: TimeWindowCall if call.childrenResolved => resolve(call)
      }
  }

  private def resolve(call: TimeWindowCall): Expression = call.function match {
    case TimeWindow(time, size, slide, offset) =>
      if (size != slide)
        throw MatchRecognizeErrors.analysis(
          AnalysisErrors.SlidingWindow,
          call.origin,
          "call"     -> toPrettySQL(call),
          "tumbling" -> s"window(${toPrettySQL(time)}, ${call.arguments(1).sql})"
        )
      TumblingWindow(time, size, offset)
    case SessionWindow(time, gap) =>
      throw MatchRecognizeErrors.analysis(
        AnalysisErrors.SessionWindow,
        call.origin,
        "time" -> toPrettySQL(time),
        "gap"  -> gap.sql)
    case window: WindowTime if window.checkInputDataTypes().isSuccess =>
      TumblingWindow.timeOf(window.windowColumn)
    case other => other
  }
}
