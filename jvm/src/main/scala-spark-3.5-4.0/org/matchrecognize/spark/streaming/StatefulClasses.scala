package org.matchrecognize.spark.streaming

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.{
  CheckpointFileManager,
  StatefulOperator,
  StatefulOperatorStateInfo
}

/** Spark's classes of operators with state, which have moved between versions. */
private[streaming] object StatefulClasses {
  type StateInfo = StatefulOperatorStateInfo

  /** Where the state of the first operator with state in a plan lies. */
  def stateOf(plan: SparkPlan): Option[StateInfo] =
    plan.collectFirst { case operator: StatefulOperator => operator }.flatMap(_.stateInfo)

  def files(folder: Path, configuration: Configuration): CheckpointFileManager =
    CheckpointFileManager.create(folder, configuration)
}
