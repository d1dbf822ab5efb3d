package org.matchrecognize.spark.reference

import scala.util.Random

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/**
 * Puts gaps, absences, loose loops and stops into a pattern of the standard. Not all of what comes
 * out is valid; [[PatternRules]] says.
 *
 * @param looked
 *   variables for `[^B]` and `q{B}`
 * @param gaps
 *   variables that occur nowhere yet; each makes one gap
 * @param exclusions
 *   whether gaps may occur
 */
final class RandomContiguity(
    random: Random,
    looked: IndexedSeq[Int],
    gaps: Iterator[Int],
    exclusions: Boolean,
    dialect: Dialect) {
  import RowPattern._

  def apply(pattern: RowPattern): RowPattern = pattern match {
    case Concatenation(elements, _)   => sequence(elements.map(apply))
    case Alternation(alternatives, _) => Alternation(alternatives.map(apply))
    case Permutation(elements, _)     => Permutation(elements.map(apply))
    case Exclusion(element, _)        => Exclusion(apply(element))
    case Quantified(element, q, _)    =>
      val looped = loop(apply(element), q)
      if (looped.quantifier.loose && one(4)) Concatenation(Seq(looped, absence())) else looped
    case variable: Variable if one(12) => Concatenation(Seq(variable, absence()))
    case other                         => other
  }

  private def one(outOf: Int): Boolean = random.nextInt(outOf) == 0

  private def loop(element: RowPattern, q: Quantifier): Quantified = {
    val optional = q.lower == QuantifierBound.Count(0) && q.upper == QuantifierBound.Count(1)
    val begins   = Element.flat(element).head.isInstanceOf[Variable]
    val plain    = element.isInstanceOf[Variable]
    Quantified(
      element,
      q.copy(
        greedy = q.greedy && (dialect == Dialect.Standard || plain || optional),
        loose = begins && !optional && one(3),
        stop = if (q.upper == QuantifierBound.Unbounded && one(5)) Some(any()) else None
      )
    )
  }

  private def sequence(elements: Seq[RowPattern]): RowPattern =
    Concatenation((elements.head +: elements.tail.flatMap(before)) ++ last(elements.last))

  /** An element, after what separates it from the element before. */
  private def before(element: RowPattern): Seq[RowPattern] = random.nextInt(12) match {
    case 0 | 1 | 2 if exclusions => Seq(gap(), element)
    case 3                       => Seq(absence(), element)
    case 4 if exclusions         => Seq(gap(greedy = false), absence(), gap(), element)
    case _                       => Seq(element)
  }

  /** An absence at the end, more often after a loop: what the loop may still take matters then. */
  private def last(element: RowPattern): Seq[RowPattern] = random.nextInt(12) match {
    case 0                                             => Seq(absence())
    case 2 | 3 | 4 if element.isInstanceOf[Quantified] => Seq(absence())
    case 1 if exclusions                               => Seq(gap(greedy = false), absence())
    case _                                             => Nil
  }

  private def gap(): RowPattern = gap(greedy = one(3))

  private def gap(greedy: Boolean): RowPattern =
    if (gaps.hasNext)
      Exclusion(Quantified(Variable(gaps.next()), Quantifier.star.copy(greedy = greedy)))
    else Empty()

  private def absence(): RowPattern = Absence(any())
  private def any(): Int            = looked(random.nextInt(looked.size))
}
