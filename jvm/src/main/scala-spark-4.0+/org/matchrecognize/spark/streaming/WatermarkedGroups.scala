package org.matchrecognize.spark.streaming

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.{
  FlatMapGroupsWithState,
  LogicalGroupState,
  LogicalPlan,
  UnaryNode
}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{PlanLater, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.streaming.state.{
  OperatorInfoV1,
  OperatorStateMetadata,
  OperatorStateMetadataV1,
  StateSchemaValidationResult,
  StateStoreMetadataV1
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.{GroupStateTimeout, OutputMode}

import org.matchrecognize.spark.logical.HandedOnWatermark
import org.matchrecognize.spark.streaming.ChainedClasses._

/**
 * FlatMapGroupsWithState that hands on a watermark. Spark's own operator hands on none: what follows
 * it would wait for ever.
 */
final private[streaming] case class WatermarkedGroups(
    child: FlatMapGroupsWithState,
    watermark: HandedOnWatermark)
    extends UnaryNode {
  override def output: Seq[Attribute] = child.output

  override protected def withNewChildInternal(newChild: LogicalPlan): WatermarkedGroups =
    newChild match {
      case groups: FlatMapGroupsWithState => copy(child = groups)
      case other => throw new IllegalStateException(s"$other has no state")
    }

  /** As Spark plans its own operator. */
  def plan: SparkPlan = new WatermarkedGroupsExec(
    child.func,
    child.keyDeserializer,
    child.valueDeserializer,
    child.initialStateDeserializer,
    child.groupingAttributes,
    child.initialStateGroupAttrs,
    child.dataAttributes,
    child.initialStateDataAttrs,
    child.outputObjAttr,
    None,
    child.stateEncoder,
    SQLConf.get.getConf(SQLConf.FLATMAPGROUPSWITHSTATE_STATE_FORMAT_VERSION),
    child.outputMode,
    child.timeout,
    None,
    None,
    None,
    PlanLater(child.initialState),
    child.hasInitialState,
    false,
    PlanLater(child.child)
  )(watermark)
}

private[streaming] object WatermarkedGroups {
  def plan(logical: LogicalPlan): Seq[SparkPlan] = logical match {
    case groups: WatermarkedGroups => Seq(groups.plan)
    case _                         => Nil
  }
}

/** Spark's rules over physical plans match the class that this one extends, and copy it. */
final private[streaming] class WatermarkedGroupsExec(
    func: (Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any],
    keyDeserializer: Expression,
    valueDeserializer: Expression,
    initialStateDeserializer: Expression,
    groupingAttributes: Seq[Attribute],
    initialStateGroupAttrs: Seq[Attribute],
    dataAttributes: Seq[Attribute],
    initialStateDataAttrs: Seq[Attribute],
    outputObjAttr: Attribute,
    stateInfo: Option[StateInfo],
    stateEncoder: ExpressionEncoder[Any],
    stateFormatVersion: Int,
    outputMode: OutputMode,
    timeoutConf: GroupStateTimeout,
    batchTimestampMs: Option[Long],
    eventTimeWatermarkForLateEvents: Option[Long],
    eventTimeWatermarkForEviction: Option[Long],
    initialState: SparkPlan,
    hasInitialState: Boolean,
    skipEmittingInitialStateKeys: Boolean,
    child: SparkPlan)(watermark: HandedOnWatermark)
    extends GroupsExec(
      func,
      keyDeserializer,
      valueDeserializer,
      initialStateDeserializer,
      groupingAttributes,
      initialStateGroupAttrs,
      dataAttributes,
      initialStateDataAttrs,
      outputObjAttr,
      stateInfo,
      stateEncoder,
      stateFormatVersion,
      outputMode,
      timeoutConf,
      batchTimestampMs,
      eventTimeWatermarkForLateEvents,
      eventTimeWatermarkForEviction,
      initialState,
      hasInitialState,
      skipEmittingInitialStateKeys,
      child
    ) {
  override protected def otherCopyArgs: Seq[AnyRef] = Seq(watermark)

  override def produceOutputWatermark(inputWatermarkMs: Long): Option[Long] =
    Some(watermark.after(inputWatermarkMs))

  override def copy(
      func: (Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any],
      keyDeserializer: Expression,
      valueDeserializer: Expression,
      initialStateDeserializer: Expression,
      groupingAttributes: Seq[Attribute],
      initialStateGroupAttrs: Seq[Attribute],
      dataAttributes: Seq[Attribute],
      initialStateDataAttrs: Seq[Attribute],
      outputObjAttr: Attribute,
      stateInfo: Option[StateInfo],
      stateEncoder: ExpressionEncoder[Any],
      stateFormatVersion: Int,
      outputMode: OutputMode,
      timeoutConf: GroupStateTimeout,
      batchTimestampMs: Option[Long],
      eventTimeWatermarkForLateEvents: Option[Long],
      eventTimeWatermarkForEviction: Option[Long],
      initialState: SparkPlan,
      hasInitialState: Boolean,
      skipEmittingInitialStateKeys: Boolean,
      child: SparkPlan): WatermarkedGroupsExec =
    new WatermarkedGroupsExec(
      func,
      keyDeserializer,
      valueDeserializer,
      initialStateDeserializer,
      groupingAttributes,
      initialStateGroupAttrs,
      dataAttributes,
      initialStateDataAttrs,
      outputObjAttr,
      stateInfo,
      stateEncoder,
      stateFormatVersion,
      outputMode,
      timeoutConf,
      batchTimestampMs,
      eventTimeWatermarkForLateEvents,
      eventTimeWatermarkForEviction,
      initialState,
      hasInitialState,
      skipEmittingInitialStateKeys,
      child
    )(watermark)
}

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
    stateInfo: Option[StateInfo])
    extends UnaryExecNode
    with WithoutStores {
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
  override def getStateStoreCheckpointInfo(): Array[CheckpointInfo] = {
    val batch = sparkContext.getLocalProperty("streaming.sql.batchId").toLong
    val none  = Some(Array("none"))
    Array.tabulate(getStateInfo.numPartitions)(CheckpointInfo(_, batch + 1, none, none))
  }

  override protected def withNewChildInternal(newChild: SparkPlan): HandedOnWatermarkExec =
    copy(child = newChild)
}

private[streaming] object HandedOnWatermarkExec {

  /** Spark counts its operators from 0. */
  private val firstNumber = 1000000L

  /** What a node says of its state that has none. */
  def noState(clause: Int): Option[StateInfo] = Some(
    StateInfo("", new UUID(0, 0), firstNumber + clause, 0L, SQLConf.get.numShufflePartitions))
}
