package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, NullIntolerant}

/** Spark 3.5 has no expressions with common parts. */
private[analysis] object CommonExpressions {
  def inline(e: Expression): Expression = e
}

/** Spark 3.5 says it by a trait. */
private[analysis] object NullIntolerance {
  def of(e: Expression): Boolean = e.isInstanceOf[NullIntolerant]
}

/** Spark 3.5 has no functions written in SQL. */
private[analysis] object SqlFunctions {
  def nameOf(e: Expression): Option[String] = None
}
