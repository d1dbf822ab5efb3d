package org.matchrecognize.spark.analysis

import org.apache.spark.sql.catalyst.util.toPrettySQL

import org.matchrecognize.spark.errors.{AnalysisErrors, MatchRecognizeErrors}
import org.matchrecognize.spark.logical.UnresolvedMatchRecognize
import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/** The parameters of a clause that are bounds of quantifiers, as in `A{:n}`. */
final private[analysis] class QuantifierParameters(clause: UnresolvedMatchRecognize) {

  /** The pattern with its parameters' values. */
  def bound: RowPattern = {
    val values                                        = clause.bounds.indices.map(boundValue)
    def bind(bound: QuantifierBound): QuantifierBound = bound match {
      case QuantifierBound.Parameter(index) => QuantifierBound.Count(values(index))
      case other                            => other
    }
    RowPattern.mapQuantifiers(clause.pattern) { quantifier =>
      val (lower, upper) = (bind(quantifier.lower), bind(quantifier.upper))
      // Where there is but one number of iterations, fewer and more are the same.
      val bound = quantifier.copy(lower, upper, greedy = quantifier.greedy || lower == upper)
      checkBounds(quantifier, bound)
      bound
    }
  }

  private def boundValue(index: Int): Int = {
    val bound = WrittenConstant.unaliased(clause.bounds(index))
    val value = if (bound.foldable) WrittenConstant.value(bound) else null
    value match {
      case n: Number if n.longValue >= 0 && n.longValue <= Int.MaxValue && isWhole(n) =>
        n.intValue
      case _ => throw invalidBound(index)
    }
  }

  private def isWhole(n: Number): Boolean = n match {
    case _: java.lang.Byte | _: java.lang.Short | _: Integer | _: java.lang.Long => true
    case _                                                                       => false
  }

  /** The parser has checked literal bounds; this is for those that a parameter has given. */
  private def checkBounds(written: Quantifier, bound: Quantifier): Unit = {
    val parameter =
      Seq(written.lower, written.upper).collectFirst { case QuantifierBound.Parameter(i) => i }
    parameter.foreach { index =>
      val valid = (bound.lower, bound.upper) match {
        case (QuantifierBound.Count(low), QuantifierBound.Count(high)) => high >= 1 && low <= high
        case _                                                         => true
      }
      if (!valid) throw invalidBound(index)
    }
  }

  /** At the element: where Spark binds parameters in the plan, the bound has lost its place. */
  private def invalidBound(index: Int): Throwable =
    MatchRecognizeErrors.analysisAt(
      AnalysisErrors.InvalidBound,
      clause.origin,
      RowPattern.boundedBy(clause.pattern, index).getOrElse(clause.pattern).span,
      "bound" -> toPrettySQL(clause.bounds(index))
    )
}
