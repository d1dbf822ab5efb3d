package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, RuntimeReplaceable}

/**
 * Expressions that Spark's optimizer would replace (BETWEEN, NULLIF, COUNT_IF, ...), replaced
 * before they are lowered: the optimizer takes common parts of them out into a projection beneath
 * the operator, where a column of a mapped row does not exist.
 */
private[analysis] object Replacements {
  def inline(e: Expression): Expression = CommonExpressions.inline(e.transform {
    case replaceable: RuntimeReplaceable => replaceable.replacement
  })
}
