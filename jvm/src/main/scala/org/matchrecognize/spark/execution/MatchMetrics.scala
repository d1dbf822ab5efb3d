package org.matchrecognize.spark.execution

import org.apache.spark.sql.execution.metric.SQLMetric

/** Counters of the operator, shown in Spark's UI. */
final case class MatchMetrics(
    outputRows: SQLMetric,
    matches: SQLMetric,
    matchedRows: SQLMetric,
    steps: SQLMetric,
    peakThreads: SQLMetric,
    spillSize: SQLMetric,
    peakMemory: SQLMetric)
