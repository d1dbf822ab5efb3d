package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.plans.logical.{FlatMapGroupsWithState, LogicalPlan}
import org.apache.spark.sql.execution.SparkPlan

import org.matchrecognize.spark.logical.HandedOnWatermark

/** In Spark 3.5 no operator with state may follow a clause. */
private[streaming] object WatermarkedGroups {
  def apply(groups: FlatMapGroupsWithState, watermark: HandedOnWatermark): LogicalPlan =
    throw new IllegalStateException(s"$groups hands on $watermark")

  def plan(logical: LogicalPlan): Seq[SparkPlan] = Nil
}
