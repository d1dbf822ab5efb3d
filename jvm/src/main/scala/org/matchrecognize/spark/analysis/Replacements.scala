package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.expressions.{Expression, RuntimeReplaceable}

/**
 * Replaces the expressions that Spark's optimizer would replace (BETWEEN, NULLIF, COUNT_IF, ...)
 * before they are lowered. The optimizer would move their common parts into a projection below the
 * operator, where a column of a mapped row does not exist.
 */
private[analysis] object Replacements {
  def inline(e: Expression): Expression = CommonExpressions.inline(e.transform {
    case replaceable: RuntimeReplaceable => replaceable.replacement
  })
}
