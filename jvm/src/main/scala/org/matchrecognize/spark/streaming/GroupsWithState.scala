package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoders, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical.{
  EventTimeTimeout,
  FlatMapGroupsWithState,
  LocalRelation,
  LogicalPlan
}
import org.apache.spark.sql.streaming.OutputMode

/**
 * Spark's FlatMapGroupsWithState, which works with every state store. The state of a key is one
 * value ([[StateInOneValue]]).
 */
private[streaming] object GroupsWithState extends KeyedOperator {
  override def columns: StoredColumns = StoredColumns.Free

  override def run(clause: KeyedClause): LogicalPlan = {
    val KeyedClause(task, grouping, found, child) = clause
    val input                                     = task.input
    val row                                       = WholeRow(input)
    FlatMapGroupsWithState(
      new KeyedMatching(task),
      Literal(0),
      row,
      grouping,
      input,
      found,
      ExpressionEncoder(AgnosticEncoders.BinaryEncoder).asInstanceOf[ExpressionEncoder[Any]],
      OutputMode.Append,
      isMapGroupsWithState = false,
      EventTimeTimeout,
      hasInitialState = false,
      grouping,
      input,
      row,
      LocalRelation(grouping),
      child
    )
  }
}
