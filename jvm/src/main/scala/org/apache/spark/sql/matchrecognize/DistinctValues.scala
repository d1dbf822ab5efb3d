package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers

/**
 * Values as DISTINCT compares them: -0.0 is 0.0, all NaN are one. Here since Spark's own
 * normalization, made for its grouping, is `private[sql]`.
 */
object DistinctValues {
  def normalize(e: Expression): Expression = NormalizeFloatingNumbers.normalize(e)
}
