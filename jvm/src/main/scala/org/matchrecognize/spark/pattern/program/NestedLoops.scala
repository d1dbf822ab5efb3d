package org.matchrecognize.spark.pattern.program

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._

/**
 * Loops whose iterations can be empty, with bounds of any size: counting empty iterations one by
 * one up to a bound of a million would take a million paths before one row.
 *
 * Below, a *string* is what a match is: variables with their marks of exclusion, row by row. A
 * pattern is a list of paths in preference order, each of which gives a string. A path whose string
 * an earlier path gives is never the preferred match, whatever follows the pattern, since the
 * earlier path is followed by the same. So two patterns are interchangeable if their strings come
 * first in the same order.
 */
private[pattern] object NestedLoops {

  /**
   * An equivalent pattern with a loop in a loop made one where that is exact:
   *   - `(p{0,b}){n,m}` is `p{0,b*m}` (with `*` and `{n,}` too), both greedy, p never empty. A path
   *     is a choice, again and again, between one more p, preferred, and the end of the iteration
   *     or of the loop. Of the paths with the same p's one comes first: it fills each iteration and
   *     puts empty ones last, as at each choice it takes one more p while it can. Of two such paths
   *     the one earlier has the preferred p where both have one, and continues where the other
   *     ends: so it is in `p{0,b*m}`.
   *   - `(A??){n,m}` is `A{0,m}?`. From a path of k + 1 rows make one of k rows: let the last
   *     iteration with a row be empty, which ends the loop or is followed by empty ones. It comes
   *     earlier, as `A??` prefers no row. So strings of fewer rows come first.
   */
  def flatten(pattern: RowPattern): RowPattern = pattern match {
    case Quantified(element, quantifier, span) =>
      val inner = flatten(element)
      flattened(inner, quantifier).getOrElse(Quantified(inner, quantifier, span))
    case _ => mapChildren(pattern)(flatten)
  }

  private def flattened(inner: RowPattern, outer: Quantifier): Option[RowPattern] = inner match {
    case Quantified(element, q, span)
        if plain(q) && plain(outer) && q.lower == QuantifierBound.Count(0) =>
      val upper = times(q.upper, outer.upper)
      if (q.greedy && (outer.greedy || outer.lower == outer.upper) && upper.nonEmpty &&
        !RowPattern.nullable(element)) {
        Some(Quantified(element, Quantifier(QuantifierBound.Count(0), upper.get), span))
      } else if (!q.greedy && q.upper == QuantifierBound.Count(1) && element
          .isInstanceOf[Variable]) {
        Some(
          Quantified(
            element,
            Quantifier(QuantifierBound.Count(0), outer.upper, greedy = false),
            span))
      } else {
        None
      }
    case _ => None
  }

  private def plain(quantifier: Quantifier): Boolean =
    !quantifier.loose && quantifier.stop.isEmpty

  /** The product of two bounds of at least 1; None if it is no Int. */
  private def times(a: QuantifierBound, b: QuantifierBound): Option[QuantifierBound] =
    (a, b) match {
      case (QuantifierBound.Count(x), QuantifierBound.Count(y)) =>
        val product = x.toLong * y
        if (product < Int.MaxValue) Some(QuantifierBound.Count(product.toInt)) else None
      case _ => Some(QuantifierBound.Unbounded)
    }

  /**
   * Whether a loop over `body` may be left after an empty iteration although its lower bound is
   * not reached: the empty iterations that are missing are all there, and nothing else that could
   * still come is new.
   *
   * That is so if the body is empty wherever it occurs (no `^` or `$`) and prefers all its other
   * strings to the empty one. For let a path continue after an empty iteration, the i-th, and let w
   * be the first that is not empty in the iterations that follow. Another path has w as its i-th
   * iteration, continues as the first does after w, and adds empty iterations at the end until the
   * lower bound is reached. It gives the same string, keeps to the upper bound, and comes earlier,
   * since the body prefers w to the empty string.
   */
  def endsWhenEmpty(body: RowPattern): Boolean = !exists(body)(looksAround) && prefersRows(body)

  private def looksAround(pattern: RowPattern): Boolean = pattern match {
    case _: PartitionStart | _: PartitionEnd | _: Absence | _: GapAbsence => true
    case _: Variable | _: Concatenation | _: Alternation | _: Quantified | _: Empty |
        _: Permutation | _: Exclusion | _: Gap =>
      false
  }

  /** Whether the empty string, if it is one of the pattern's, comes after all others. */
  private def prefersRows(pattern: RowPattern): Boolean =
    !RowPattern.nullable(pattern) || (pattern match {
      case Concatenation(elements, _)   => elements.forall(prefersRows)
      case Alternation(alternatives, _) =>
        !alternatives.init.exists(RowPattern.nullable) && prefersRows(alternatives.last)
      // From the first iteration on, by the argument above.
      case Quantified(element, q, _) =>
        (q.greedy || q.lower != QuantifierBound.Count(0)) && prefersRows(element)
      case Exclusion(element, _) => prefersRows(element)
      case Empty(_)              => true
      // PERMUTE(A?, B?) takes no row before it takes B A.
      case _: Permutation => false
      case _: Variable | _: PartitionStart | _: PartitionEnd | _: Absence | _: GapAbsence |
          _: Gap =>
        false
    })
}
