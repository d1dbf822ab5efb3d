package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.analysis.SQLFunctionExpression
import org.apache.spark.sql.catalyst.expressions.Expression

/** Calls of functions written in SQL, which Spark takes apart only in operators of its own. */
private[analysis] object SqlFunctions {
  def nameOf(e: Expression): Option[String] = e match {
    case call: SQLFunctionExpression => Some(call.name)
    case _                           => None
  }
}
