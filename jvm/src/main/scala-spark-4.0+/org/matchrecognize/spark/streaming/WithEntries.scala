package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.encoders.{AgnosticEncoders, ExpressionEncoder}
import org.apache.spark.sql.catalyst.expressions.objects.Invoke
import org.apache.spark.sql.catalyst.plans.logical.{
  LocalRelation,
  LogicalPlan,
  TransformWithState
}
import org.apache.spark.sql.streaming.{OutputMode, StatefulProcessor, TimeMode}
import org.apache.spark.sql.types.BinaryType

/**
 * Spark's TransformWithState. The state of a key is entries that are read and written one by one
 * ([[StateInEntries]]). A key is the bytes of its row.
 */
private[streaming] object WithEntries extends KeyedOperator {

  override def run(clause: KeyedClause): LogicalPlan = {
    val KeyedClause(task, grouping, found, child) = clause
    val input                                     = task.input
    val row                                       = WholeRow(input)
    TransformWithState(
      Invoke(WholeRow(grouping), "getBytes", BinaryType),
      row,
      grouping,
      input,
      new KeyedProcessor(task).asInstanceOf[StatefulProcessor[Any, Any, Any]],
      TimeMode.EventTime(),
      OutputMode.Append,
      ExpressionEncoder(AgnosticEncoders.BinaryEncoder).asInstanceOf[ExpressionEncoder[Any]],
      found,
      child,
      hasInitialState = false,
      grouping,
      input,
      row,
      LocalRelation(grouping)
    )
  }
}
