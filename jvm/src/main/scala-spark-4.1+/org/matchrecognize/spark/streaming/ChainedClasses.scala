package org.matchrecognize.spark.streaming

import org.apache.spark.sql.execution.streaming.operators.stateful._
import org.apache.spark.sql.execution.streaming.operators.stateful.flatmapgroupswithstate.FlatMapGroupsWithStateExec

/** Spark's classes for operators that hand on a watermark, which have moved between versions. */
private[streaming] object ChainedClasses {
  type GroupsExec     = FlatMapGroupsWithStateExec
  type StateInfo      = StatefulOperatorStateInfo
  type CheckpointInfo = StatefulOpStateStoreCheckpointInfo
  val StateInfo: StatefulOperatorStateInfo.type               = StatefulOperatorStateInfo
  val CheckpointInfo: StatefulOpStateStoreCheckpointInfo.type = StatefulOpStateStoreCheckpointInfo

  /** A stateful operator in Spark's eyes, without a state store. */
  trait WithoutStores extends StateStoreWriter {
    override val stateStoreNames: Seq[String] = Nil
  }
}
