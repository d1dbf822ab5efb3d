package org.matchrecognize.spark.analysis

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  Literal,
  RuntimeReplaceable,
  Unevaluable
}
import org.apache.spark.sql.catalyst.trees.TreePattern.CURRENT_LIKE

import org.matchrecognize.spark.expressions.DeferredConstant

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

/** Keeps errors of constants until a condition or measure that holds them is evaluated. */
private[analysis] object ConstantErrors {
  def defer(e: Expression): Expression = e match {
    case literal: Literal                                         => literal
    case constant if constant.foldable && !isKnownLater(constant) =>
      if (fails(constant)) DeferredConstant(constant) else constant
    case other => other.mapChildren(defer)
  }

  /**
   * `current_date()` and its like are constants that only the optimizer can compute: one value for
   * the whole query. It must find them, and would not in a leaf.
   */
  private def isKnownLater(constant: Expression): Boolean =
    constant.containsPattern(CURRENT_LIKE) || constant.exists(_.isInstanceOf[Unevaluable])

  private def fails(constant: Expression): Boolean =
    try {
      val _ = constant.eval()
      false
    } catch {
      case NonFatal(_) => true
    }
}
