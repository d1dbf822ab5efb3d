package org.matchrecognize.spark.analysis

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{
  Alias,
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
      if (Try(constant.eval()).isFailure) DeferredConstant(constant) else constant
    case other => other.mapChildren(defer)
  }

  /**
   * `current_date()` and its like are constants that only the optimizer can compute: one value for
   * the whole query. It must find them, and would not in a leaf.
   */
  private def isKnownLater(constant: Expression): Boolean =
    constant.containsPattern(CURRENT_LIKE) || constant.exists(_.isInstanceOf[Unevaluable])
}

/** What the user wrote for a bound, an offset or an interval, which must be a constant. */
private[analysis] object WrittenConstant {

  /** Spark 4.0 binds the expression of EXECUTE IMMEDIATE ... USING 2 AS n with its alias. */
  def unaliased(e: Expression): Expression = e match {
    case Alias(child, _) => child
    case other           => other
  }

  /** Its value; null also if it fails with an error. */
  def value(constant: Expression): Any = Try(constant.eval()).getOrElse(null)
}
