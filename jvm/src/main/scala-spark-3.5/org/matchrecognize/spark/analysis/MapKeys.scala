package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.DataType

/** Spark 3.5 does not group by maps. */
private[analysis] object MapKeys {
  def entries(key: Expression): Option[Expression] = None

  def maps(entries: Expression, key: DataType): Expression =
    throw new IllegalStateException(s"$entries are no entries of a $key")
}
