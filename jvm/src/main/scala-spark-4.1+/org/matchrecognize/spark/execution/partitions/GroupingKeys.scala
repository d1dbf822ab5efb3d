package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.{Attribute, CollationKey, Expression}
import org.apache.spark.sql.matchrecognize.DistinctValues

/** Partition keys as Spark tells them apart: equal keys have equal bytes. */
private[spark] object GroupingKeys {
  def of(key: Attribute): Expression =
    CollationKey.injectCollationKey(DistinctValues.normalize(key))
}
