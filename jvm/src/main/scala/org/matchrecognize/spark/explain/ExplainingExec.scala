package org.matchrecognize.spark.explain

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Ascending,
  AttributeSet,
  SortOrder,
  UnsafeProjection
}
import org.apache.spark.sql.catalyst.plans.physical.{
  AllTuples,
  ClusteredDistribution,
  Distribution,
  Partitioning,
  SinglePartition
}
import org.apache.spark.sql.execution.UnaryExecNode
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.types.UTF8String

import org.matchrecognize.spark.execution.MatchPlan

/** An operator that searches the input of a clause, and returns lines of text, one per row. */
private[explain] trait ExplainingExec extends UnaryExecNode {
  def plan: MatchPlan

  override def simpleString(maxFields: Int): String = s"$nodeName ${plan.sql}"

  override def producedAttributes: AttributeSet = outputSet

  override def requiredChildDistribution: Seq[Distribution] =
    Seq(if (plan.partition.isEmpty) AllTuples else ClusteredDistribution(plan.partition))

  override def requiredChildOrdering: Seq[Seq[SortOrder]] =
    Seq(plan.partition.map(SortOrder(_, Ascending)) ++ plan.order)

  override def outputPartitioning: Partitioning = SinglePartition
}

private[explain] object ExplainingExec {
  def rows(lines: Seq[String], types: StructType): Iterator[InternalRow] = {
    val project = UnsafeProjection.create(types)
    lines.iterator.map(line => project(InternalRow(UTF8String.fromString(line))))
  }
}
