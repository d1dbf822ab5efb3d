package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{
  FlatMapGroupsWithState,
  LogicalGroupState,
  LogicalPlan,
  UnaryNode
}
import org.apache.spark.sql.execution.{PlanLater, SparkPlan}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.{GroupStateTimeout, OutputMode}

import org.matchrecognize.spark.logical.HandedOnWatermark
import org.matchrecognize.spark.streaming.ChainedClasses.{GroupsExec, StateInfo}

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
  def of(groups: FlatMapGroupsWithState, watermark: HandedOnWatermark): LogicalPlan =
    WatermarkedGroups(groups, watermark)

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
