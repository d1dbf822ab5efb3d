package org.matchrecognize.spark.execution.tracing

import org.apache.spark.sql.catalyst.expressions.Expression

import org.matchrecognize.spark.execution.evaluation.PartitionContext
import org.matchrecognize.spark.execution.slots.EvaluationUnit
import org.matchrecognize.spark.expressions.{RowAggregate, RowColumn, WrittenText}

/** What a condition reads: columns of rows, and aggregates. */
final private[tracing] class ReadValues(
    condition: Expression,
    unit: EvaluationUnit,
    zone: String) {

  private val read: Seq[(String, ShownValue)] = ReadValues
    .leaves(condition)
    .filter(ShownValue.isPossible)
    .map(leaf => WrittenText.ofLeaf(leaf) -> new ShownValue(leaf, zone, unit.bind(_).expression))
    .groupBy(_._1)
    .values
    .map(_.head)
    .toSeq
    .sortBy(_._1)

  /** Their values at the row that is tested. */
  def at(context: PartitionContext): Seq[ReadValue] = read.map { case (name, value) =>
    ReadValue(name, value.at(context))
  }
}

private[tracing] object ReadValues {

  private def leaves(e: Expression): Seq[Expression] = e match {
    case leaf: RowColumn    => Seq(leaf)
    case leaf: RowAggregate => Seq(leaf)
    case other              => other.children.flatMap(leaves)
  }
}
