package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.{Attribute, CollationKey, Expression}
import org.apache.spark.sql.matchrecognize.DistinctValues

/** Partition keys as Spark's stateful operators tell them apart: equal keys have equal bytes. */
private[streaming] object GroupingKeys {
  def of(key: Attribute): Expression =
    CollationKey.injectCollationKey(DistinctValues.normalize(key))
}
