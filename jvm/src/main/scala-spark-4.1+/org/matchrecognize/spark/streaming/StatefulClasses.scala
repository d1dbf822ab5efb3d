package org.matchrecognize.spark.streaming

import org.apache.spark.sql.execution.streaming.checkpointing
import org.apache.spark.sql.execution.streaming.operators.stateful

/** Spark's classes of operators with state, which have moved between versions. */
private[streaming] object StatefulClasses {
  type StatefulOperator = stateful.StatefulOperator
  type StateInfo        = stateful.StatefulOperatorStateInfo
  type WatermarkSupport = stateful.WatermarkSupport
  val CheckpointFileManager: checkpointing.CheckpointFileManager.type =
    checkpointing.CheckpointFileManager
}
