package org.matchrecognize.spark.analysis

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal, Unevaluable}

import org.matchrecognize.spark.expressions.DeferredConstant

/** Keeps errors of constants until a condition or measure that holds them is evaluated. */
private[analysis] object ConstantErrors {
  def defer(e: Expression): Expression = e match {
    case literal: Literal              => literal
    case constant if constant.foldable =>
      if (fails(constant)) DeferredConstant(constant) else constant
    case other => other.mapChildren(defer)
  }

  /** current_date() and its like are constants that only the optimizer can compute. */
  private def fails(constant: Expression): Boolean =
    !constant.exists(_.isInstanceOf[Unevaluable]) && {
      try {
        val _ = constant.eval()
        false
      } catch {
        case NonFatal(_) => true
      }
    }
}
