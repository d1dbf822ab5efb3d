package org.matchrecognize.spark.streaming

import org.apache.spark.sql.execution.streaming

/** Spark's classes of operators with state, which have moved between versions. */
private[streaming] object StatefulClasses {
  type StatefulOperator = streaming.StatefulOperator
  type StateInfo        = streaming.StatefulOperatorStateInfo
  type WatermarkSupport = streaming.WatermarkSupport
  val CheckpointFileManager: streaming.CheckpointFileManager.type = streaming.CheckpointFileManager
}
