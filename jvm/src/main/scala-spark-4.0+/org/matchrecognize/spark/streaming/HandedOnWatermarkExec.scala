package org.matchrecognize.spark.streaming

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.streaming.state.{
  OperatorInfoV1,
  OperatorStateMetadata,
  OperatorStateMetadataV1,
  StateSchemaValidationResult,
  StateStoreMetadataV1
}
import org.apache.spark.sql.internal.SQLConf

import org.matchrecognize.spark.logical.HandedOnWatermark

/**
 * Hands on the watermark of a clause whose operator hands on another. Spark asks stateful operators
 * for their watermark and no other node, so this is one, without a state.
 *
 * @param stateInfo
 *   with a number that Spark gives to none of its operators
 */
final private[streaming] case class HandedOnWatermarkExec(
    child: SparkPlan,
    watermark: HandedOnWatermark,
    stateInfo: Option[ChainedClasses.StateInfo])
    extends UnaryExecNode
    with ChainedClasses.WithoutStores {
  override def output: Seq[Attribute]           = child.output
  override def outputPartitioning: Partitioning = child.outputPartitioning
  override def outputOrdering: Seq[SortOrder]   = child.outputOrdering
  override def shortName: String                = "matchRecognizeWatermark"

  override protected def doExecute(): RDD[InternalRow] = child.execute()

  override def produceOutputWatermark(inputWatermarkMs: Long): Option[Long] =
    Some(watermark.after(inputWatermarkMs))

  override def validateAndMaybeEvolveStateSchema(
      hadoopConf: Configuration,
      batchId: Long,
      stateSchemaVersion: Int): List[StateSchemaValidationResult] = Nil

  override def stateSchemaList(
      stateSchemaValidationResults: List[StateSchemaValidationResult],
      oldMetadata: Option[OperatorStateMetadata]): List[List[String]] = Nil

  override def operatorStateMetadata(
      stateSchemaPaths: List[List[String]]): OperatorStateMetadata =
    OperatorStateMetadataV1(
      OperatorInfoV1(getStateInfo.operatorId, shortName),
      Array.empty[StateStoreMetadataV1])

  /** Spark expects something of each partition, and compares it with what it got before. */
  override def getStateStoreCheckpointInfo(): Array[ChainedClasses.CheckpointInfo] = {
    val batch = sparkContext.getLocalProperty("streaming.sql.batchId").toLong
    val none  = Some(Array("none"))
    Array.tabulate(getStateInfo.numPartitions)(
      ChainedClasses.CheckpointInfo(_, batch + 1, none, none))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): HandedOnWatermarkExec =
    copy(child = newChild)
}

private[streaming] object HandedOnWatermarkExec {

  /** Spark counts its operators from 0. */
  private val firstNumber = 1000000L

  /** What a node says of its state that has none. */
  def noState(clause: Int): Option[ChainedClasses.StateInfo] = Some(
    ChainedClasses
      .StateInfo("", new UUID(0, 0), firstNumber + clause, 0L, SQLConf.get.numShufflePartitions))
}
