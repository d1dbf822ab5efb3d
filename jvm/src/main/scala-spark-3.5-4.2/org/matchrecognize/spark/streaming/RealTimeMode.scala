package org.matchrecognize.spark.streaming

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** Spark's real-time mode, which Spark 4.3 has. */
private[spark] object RealTimeMode {
  def injectInto(extensions: SparkSessionExtensions): Unit = ()

  def isOf(plan: LogicalPlan): Boolean = false
}
