package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/** Makes a failing case smaller as long as it still fails. */
object Shrinker {

  /** Follows the first smaller candidate that fails until none does. */
  def shrink[T](failing: T)(smaller: T => Iterator[T])(fails: T => Boolean): T =
    smaller(failing).find(fails) match {
      case Some(next) => shrink(next)(smaller)(fails)
      case None       => failing
    }
}

/** Smaller variants of patterns and of cases for the matchers. */
object PatternShrinker {
  import RowPattern._

  def smallerCases(failing: PatternCase): Iterator[PatternCase] =
    fewerRows(failing) ++ smallerPatterns(failing.pattern).map(p => failing.copy(pattern = p)) ++
      fewerChoices(failing)

  private def fewerRows(failing: PatternCase): Iterator[PatternCase] =
    if (failing.rowCount <= 1) {
      Iterator.empty
    } else {
      val rows = failing.rowCount - 1
      Iterator(0, rows).map { dropped =>
        failing.copy(
          rowCount = rows,
          conditions = mapLocal(failing.conditions) { allowed =>
            allowed.patch(dropped, Nil, 1)
          }
        )
      }
    }

  private def fewerChoices(failing: PatternCase): Iterator[PatternCase] =
    for {
      row      <- (0 until failing.rowCount).iterator
      variable <- (0 until failing.variableCount).iterator
      reduced = mapLocal(failing.conditions) { allowed =>
        allowed.updated(row, allowed(row) - variable)
      }
      if reduced != failing.conditions
    } yield failing.copy(conditions = reduced)

  private def mapLocal(
      conditions: Conditions
  )(f: IndexedSeq[Set[Int]] => IndexedSeq[Set[Int]]): Conditions = conditions match {
    case Conditions.RowLocal(allowed) => Conditions.RowLocal(f(allowed))
    case bounded: Conditions.Bounded  =>
      bounded.copy(local = Conditions.RowLocal(f(bounded.local.allowed)))
    case counting: Conditions.Counting =>
      counting.copy(local = Conditions.RowLocal(f(counting.local.allowed)))
    case history: Conditions.WholeHistory =>
      history.copy(local = Conditions.RowLocal(f(history.local.allowed)))
  }

  /** Patterns with a part left out, replaced by one of its own parts, or simplified. */
  def smallerPatterns(pattern: RowPattern): Iterator[RowPattern] =
    RowPattern.children(pattern).iterator ++ (pattern match {
      case Concatenation(elements, _) =>
        fewer(elements, Concatenation(_)) ++ within(elements, Concatenation(_))
      case Alternation(alternatives, _) =>
        fewer(alternatives, Alternation(_)) ++ within(alternatives, Alternation(_))
      case Permutation(elements, _) =>
        fewer(elements, Permutation(_)) ++ within(elements, Permutation(_))
      case Exclusion(element, _)              => smallerPatterns(element).map(Exclusion(_))
      case Quantified(element, quantifier, _) =>
        (plainer(quantifier) ++ simpler(quantifier)).map(Quantified(element, _)) ++
          smallerPatterns(element).map(Quantified(_, quantifier))
      case _ => Iterator.empty
    })

  private def fewer(
      elements: Seq[RowPattern],
      make: Seq[RowPattern] => RowPattern
  ): Iterator[RowPattern] =
    if (elements.size <= 2) {
      Iterator.empty
    } else {
      elements.indices.iterator.map(i => make(elements.patch(i, Nil, 1)))
    }

  private def within(
      elements: Seq[RowPattern],
      make: Seq[RowPattern] => RowPattern
  ): Iterator[RowPattern] =
    elements.indices.iterator.flatMap { i =>
      smallerPatterns(elements(i)).map(smaller => make(elements.updated(i, smaller)))
    }

  private def plainer(quantifier: Quantifier): Iterator[Quantifier] =
    Iterator(quantifier.copy(stop = None), quantifier.copy(loose = false)).filter(_ != quantifier)

  private def simpler(quantifier: Quantifier): Iterator[Quantifier] =
    (quantifier.lower, quantifier.upper) match {
      case (QuantifierBound.Count(lower), QuantifierBound.Count(upper)) =>
        Iterator((lower - 1, upper), (lower - 1, upper - 1), (lower, upper - 1))
          .filter { case (low, high) => low >= 0 && high >= 1 && low <= high }
          .map { case (low, high) =>
            quantifier.copy(
              lower = QuantifierBound.Count(low),
              upper = QuantifierBound.Count(high))
          }
      case (QuantifierBound.Count(lower), QuantifierBound.Unbounded) if lower > 0 =>
        Iterator.single(quantifier.copy(lower = QuantifierBound.Count(lower - 1)))
      case _ => Iterator.empty
    }
}
