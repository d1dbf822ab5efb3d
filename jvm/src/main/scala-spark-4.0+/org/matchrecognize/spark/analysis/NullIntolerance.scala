package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression

/** Whether an expression is NULL where one of its children is. */
private[analysis] object NullIntolerance {
  def of(e: Expression): Boolean = e.nullIntolerant
}
