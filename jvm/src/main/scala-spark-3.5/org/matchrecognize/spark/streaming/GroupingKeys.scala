package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.matchrecognize.DistinctValues

/** Partition keys as Spark's stateful operators tell them apart: equal keys have equal bytes. */
private[streaming] object GroupingKeys {
  /** Strings have one collation, which compares bytes. */
  def of(key: Attribute): Expression = DistinctValues.normalize(key)
}
