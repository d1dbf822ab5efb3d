package org.matchrecognize.spark.execution

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

/** Counters of the operator, shown in Spark's UI. */
final case class MatchMetrics(
    outputRows: SQLMetric,
    matches: SQLMetric,
    timedOutMatches: SQLMetric,
    matchedRows: SQLMetric,
    steps: SQLMetric,
    peakThreads: SQLMetric,
    spillSize: SQLMetric,
    peakMemory: SQLMetric) {

  /** By the names that an operator gives them. */
  def byName: Map[String, SQLMetric] = Map(
    "numOutputRows"      -> outputRows,
    "numMatches"         -> matches,
    "numTimedOutMatches" -> timedOutMatches,
    "matchedRows"        -> matchedRows,
    "numSteps"           -> steps,
    "peakThreads"        -> peakThreads,
    "spillSize"          -> spillSize,
    "peakMemory"         -> peakMemory
  )
}

private[spark] object MatchMetrics {
  def create(context: SparkContext): MatchMetrics = MatchMetrics(
    SQLMetrics.createMetric(context, "number of output rows"),
    SQLMetrics.createMetric(context, "number of matches"),
    SQLMetrics.createMetric(context, "number of timed-out matches"),
    SQLMetrics.createMetric(context, "rows matched"),
    SQLMetrics.createMetric(context, "number of thread steps"),
    SQLMetrics.createAverageMetric(context, "peak threads"),
    SQLMetrics.createSizeMetric(context, "spill size"),
    SQLMetrics.createSizeMetric(context, "peak memory")
  )
}
