package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression

/** Spark 3.5 has no expressions with common parts. */
private[analysis] object CommonExpressions {
  def inline(e: Expression): Expression = e
}
