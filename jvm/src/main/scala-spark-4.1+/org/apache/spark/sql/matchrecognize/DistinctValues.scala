package org.apache.spark.sql.matchrecognize

import org.apache.spark.sql.catalyst.expressions.{CollationKey, Expression}
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers

/**
 * Partition keys, and values under DISTINCT, as Spark tells them apart: equal ones have equal bytes.
 * -0.0 is 0.0, and all NaN are one. Here since Spark's own normalization is `private[sql]`.
 */
object DistinctValues {

  /** What Spark gives an aggregate under DISTINCT: the one of equal numbers that it keeps. */
  def kept(value: Expression): Expression = NormalizeFloatingNumbers.normalize(value)

  def normalize(value: Expression): Expression =
    CollationKey.injectCollationKey(kept(value))
}
