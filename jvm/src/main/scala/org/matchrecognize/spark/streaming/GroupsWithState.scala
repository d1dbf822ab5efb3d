package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoders, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical.{
  EventTimeTimeout,
  FlatMapGroupsWithState,
  LocalRelation,
  LogicalPlan,
  NoTimeout,
  ProcessingTimeTimeout
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.streaming.{GroupStateTimeout, OutputMode}

import org.matchrecognize.spark.logical.HandedOnWatermark

/**
 * Spark's FlatMapGroupsWithState, which works with every state store. The state of a key is one
 * value ([[StateInOneValue]]).
 */
private[streaming] object GroupsWithState extends KeyedOperator {
  override def columns: StoredColumns = StoredColumns.Free

  override def run(clause: KeyedClause): LogicalPlan = {
    val KeyedClause(task, grouping, found, handsOn, child) = clause
    val input                                              = task.input
    val row                                                = WholeRow(input)
    val groups                                             = FlatMapGroupsWithState(
      new KeyedMatching(task),
      Literal(0),
      row,
      grouping,
      input,
      found,
      ExpressionEncoder(AgnosticEncoders.BinaryEncoder).asInstanceOf[ExpressionEncoder[Any]],
      OutputMode.Append,
      isMapGroupsWithState = false,
      timeout(task.clock),
      hasInitialState = false,
      grouping,
      input,
      row,
      LocalRelation(grouping),
      child
    )
    handsOn.fold[LogicalPlan](groups)(WatermarkedGroups.of(groups, _))
  }

  private def timeout(clock: Clock): GroupStateTimeout = clock match {
    case Clock.Watermark => EventTimeTimeout
    case Clock.BatchTime => ProcessingTimeTimeout
    case Clock.Stopped   => NoTimeout
  }

  /** The operator itself does. */
  override def handOn(clause: SparkPlan, number: Int, watermark: HandedOnWatermark): SparkPlan =
    clause
}
