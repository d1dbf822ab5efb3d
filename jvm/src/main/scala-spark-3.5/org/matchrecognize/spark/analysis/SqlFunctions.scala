package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.Expression

/** Spark 3.5 has no functions written in SQL. */
private[analysis] object SqlFunctions {
  def nameOf(e: Expression): Option[String] = None
}
