package org.matchrecognize.spark.parser.plan

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.{
  ExpressionWithUnresolvedIdentifier,
  UnresolvedFunction
}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.trees.CurrentOrigin

import org.matchrecognize.spark.expressions.TimeWindowCall

/** Hides calls of the functions for time windows from Spark's rules. */
private[parser] object TimeWindowCalls {
  private val names = Set("window", "session_window", "window_time")

  def hideIn(e: Expression): Expression = e.transformUp {
    case call: UnresolvedFunction if names(nameOf(call)) && isPlain(call) =>
      CurrentOrigin.withOrigin(call.origin)(TimeWindowCall(nameOf(call), call.arguments))
    case identifier: ExpressionWithUnresolvedIdentifier =>
      IdentifierClause.andThen(identifier)(hideIn)
  }

  private def nameOf(call: UnresolvedFunction): String =
    if (call.nameParts.size == 1) call.nameParts.head.toLowerCase(Locale.ROOT) else ""

  /** Spark refuses the others. IGNORE NULLS is a Boolean, and from 4.2 on an Option. */
  private def isPlain(call: UnresolvedFunction): Boolean =
    !call.isDistinct && call.filter.isEmpty && Set[Any](false, None)(call.ignoreNulls)
}
