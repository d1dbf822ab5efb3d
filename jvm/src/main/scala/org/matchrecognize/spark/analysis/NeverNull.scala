package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, If, IsNull, Literal, Or}

/**
 * Spark takes `array(1, 2)[i]` for one that is never NULL under ANSI, whether `i` is NULL or not.
 * Code that is generated from it, and Spark's optimizer, would then not look at `i`.
 */
private[analysis] object NeverNull {

  /** The expression, with a test of its children if it is NULL where one of them is, but denies it. */
  def correct(e: Expression): Expression = {
    val nullable =
      if (e.nullable || !NullIntolerance.of(e)) Nil else e.children.filter(_.nullable)
    if (nullable.isEmpty) e
    else
      If(
        nullable.map(IsNull(_): Expression).reduce(Or(_, _)),
        Literal.create(null, e.dataType),
        e)
  }
}
