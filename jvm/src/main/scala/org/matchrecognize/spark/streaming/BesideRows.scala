package org.matchrecognize.spark.streaming

import org.apache.spark.sql.execution.SparkPlan

/**
 * A node of a clause. In real-time mode rows may pass Spark's own operators only. The nodes are then
 * in another branch, which has no rows, of a union with the operator that runs the clause.
 */
private[streaming] trait BesideRows extends SparkPlan {

  /** The same node once Spark has given the operator its state. */
  def of(operator: SparkPlan): SparkPlan
}
