package org.matchrecognize.spark.expressions

import org.apache.spark.sql.catalyst.expressions.Expression

/** Whether two expressions have the same value for each row. */
private[spark] object SameExpression {

  /**
   * True only if they have. To Spark the literals 0.0 and -0.0 are equal, but their hashes, which
   * Spark's own tables of expressions compare first, are not.
   */
  def apply(a: Expression, b: Expression): Boolean =
    a.semanticHash() == b.semanticHash() && a.semanticEquals(b)
}
