package org.matchrecognize.spark.execution.partitions

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.matchrecognize.DistinctValues

/** Partition keys as Spark tells them apart: equal keys have equal bytes. */
private[spark] object GroupingKeys {
  /** Strings have one collation, which compares bytes. */
  def of(key: Attribute): Expression = DistinctValues.normalize(key)
}
