package org.matchrecognize.spark.execution

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/** Counters of the operator, shown in Spark's UI. */
private[spark] object MatchMetrics {

  /** By the names that an operator gives them. */
  def create(context: SparkContext): Map[String, SQLMetric] = Map(
    "numOutputRows"      -> SQLMetrics.createMetric(context, "number of output rows"),
    "numMatches"         -> SQLMetrics.createMetric(context, "number of matches"),
    "numTimedOutMatches" -> SQLMetrics.createMetric(context, "number of timed-out matches"),
    "matchedRows"        -> SQLMetrics.createMetric(context, "rows matched"),
    "numSteps"           -> SQLMetrics.createMetric(context, "number of thread steps"),
    "peakThreads"        -> SQLMetrics.createAverageMetric(context, "peak threads"),
    "spillSize"          -> SQLMetrics.createSizeMetric(context, "spill size"),
    "peakMemory"         -> SQLMetrics.createSizeMetric(context, "peak memory")
  )
}
