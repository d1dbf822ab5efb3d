package org.matchrecognize.spark.logical

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}

/** Operators of a streaming query that keep state from one micro-batch to the next. */
private[spark] object StateOperators {

  /** Whether a node is a clause over a streaming table. */
  def isClause(node: LogicalPlan): Boolean = node match {
    case m: MatchRecognize => m.child.isStreaming
    case _                 => false
  }

  def keepsState(node: LogicalPlan): Boolean = node.isStreaming && (node match {
    case _: MatchRecognize => true
    case join: Join        => join.left.isStreaming && join.right.isStreaming
    case other             => chained(other.nodeName) || ofUsers(other.nodeName)
  })

  /** Whether the user's own code keeps the state, and decides what rows are late. */
  def isOfUser(node: LogicalPlan): Boolean = ofUsers(node.nodeName)

  private val chained =
    Set("Aggregate", "Distinct", "Deduplicate", "DeduplicateWithinWatermark")

  /** Some of them are not in all versions of Spark. */
  private val ofUsers = Set(
    "FlatMapGroupsWithState",
    "FlatMapGroupsInPandasWithState",
    "TransformWithState",
    "TransformWithStateInPandas",
    "TransformWithStateInPySpark"
  )
}
