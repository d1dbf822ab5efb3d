package org.matchrecognize.spark.streaming

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Expression, IsNull, Or}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{FilterExec, SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.execution.{LookAhead, MatchMetrics, MatchPlan}
import org.matchrecognize.spark.logical.{InputFilter, MatchRecognize}

/**
 * Plans [[MatchRecognize]] over a streaming table, and the filters of its input. It must come before the strategy for tables: an
 * operator that is not lowered would run each micro-batch by itself, without state.
 */
object StreamingStrategy extends SparkStrategy {
  override def apply(logical: LogicalPlan): Seq[SparkPlan] = logical match {
    case m: MatchRecognize if m.child.isStreaming =>
      val context  = SparkSession.active.sparkContext
      val plan     = MatchPlan.of(m, m.clause.settings.zone)
      val metrics  = MatchMetrics.create(context)
      val tasks    = ProgressOfTasks.create(context)
      val deferred = new DeferredPlan
      val input    = StreamingLowering.columns(m, plan)
      val task     = KeyedTask(deferred, input, Clock.of(m), metrics, tasks)
      val operator = KeyedOperators.of(SQLConf.get)
      val lowered  = StreamingLowering.lower(m, task, operator)
      val found    = ClauseProgressExec(planLater(lowered), tasks, LookAhead.of(plan))
      val streamed =
        StreamedMatchRecognizeExec(plan, input, m.pushed, operator.columns, found)(
          deferred,
          metrics)
      Seq(m.handsOn.fold[SparkPlan](streamed) { number =>
        operator.handOn(streamed, number, StreamingLowering.watermark(m))
      })
    case filter: InputFilter => Seq(FilterExec(keptRows(filter), planLater(filter.child)))
    case other               => WatermarkedGroups.plan(other)
  }

  /** Rows that are late or have no time pass, so that they are counted where they are dropped. */
  private def keptRows(filter: InputFilter): Expression =
    Seq(filter.condition, IsNull(filter.time), IsLate(filter.time, new LateWatermark))
      .reduce(Or(_, _))
}
