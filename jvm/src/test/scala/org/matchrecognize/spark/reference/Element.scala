package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/** Whose rules hold where the two dialects of the contract differ. */
sealed trait Dialect

object Dialect {
  case object Standard extends Dialect
  case object Flink    extends Dialect
}

/**
 * A row pattern as the rules of matching see it: sequences flat, the orders of PERMUTE written
 * out, gaps and absences recognized.
 */
sealed trait Element

object Element {
  final case class Row(variable: Int)                extends Element
  final case class Sequence(elements: List[Element]) extends Element
  final case class Choice(branches: Vector[Element]) extends Element
  final case class Excluded(element: Element)        extends Element
  case object NoRow                                  extends Element
  case object AtStart                                extends Element
  case object AtEnd                                  extends Element

  /**
   * @param notNext
   *   B where `[^B]` is directly after the loop
   * @param notBetween
   *   B where `{- X*? -} [^B]` is directly after the loop
   */
  final case class Loop(
      body: Element,
      quantifier: Quantifier,
      notNext: Option[Int] = None,
      notBetween: Option[Int] = None)
      extends Element {

    val lower: Int = quantifier.lower match {
      case QuantifierBound.Count(value) => value
      case other => throw new IllegalArgumentException(s"lower bound $other")
    }
    val upper: Option[Int] = quantifier.upper match {
      case QuantifierBound.Count(value) => Some(value)
      case QuantifierBound.Unbounded    => None
      case other => throw new IllegalArgumentException(s"upper bound $other")
    }

    /** The variable of a loop over a single one. */
    def variable: Option[Int] = body match {
      case Row(id) => Some(id)
      case _       => None
    }

    /** Greedy, with a choice, and not `?`. */
    def isGreedy: Boolean =
      quantifier.greedy && !upper.contains(lower) && !(lower == 0 && upper.contains(1))

    /** The plain variable that the body begins with, which a loose loop needs. */
    def first: Int = body match {
      case Row(id)                               => id
      case Sequence(elements) if isRow(elements) => elements.head.asInstanceOf[Row].variable
      case _ => throw new IllegalArgumentException("a loose loop begins with a plain variable")
    }

    private def isRow(elements: List[Element]) = elements.head.isInstanceOf[Row]
  }

  /** `[^B]` */
  final case class NotNext(variable: Int) extends Element

  /**
   * `{- X*? -} [^B]`
   *
   * @param last
   *   whether the pattern ends here, or after further elements of this kind
   */
  final case class NotUpToNext(variable: Int, last: Boolean) extends Element

  /**
   * `{- X*? -}`, or `{- X* -}`
   *
   * @param any
   *   the second
   */
  final case class Gap(variable: Int, any: Boolean) extends Element

  /** Reads a pattern, given the variables that have a definition. */
  def read(pattern: RowPattern, isDefined: Int => Boolean): Element =
    new Reader(pattern, isDefined).read(pattern, last = true, excluded = false)

  /** The variables in a pattern, once per occurrence, including those in `[^B]` and `q{B}`. */
  def standing(pattern: RowPattern): Seq[Int] = (pattern match {
    case RowPattern.Variable(id, _)              => Seq(id)
    case RowPattern.Absence(id, _)               => Seq(id)
    case RowPattern.Quantified(_, quantifier, _) => quantifier.stop.toSeq
    case _                                       => Nil
  }) ++ RowPattern.children(pattern).flatMap(standing)

  /**
   * The gap that an element is. Nested exclusions are one, so within one the loop alone is a gap.
   *
   * @param once
   *   whether a variable occurs once in the pattern
   */
  def gapOf(
      element: RowPattern,
      excluded: Boolean,
      isDefined: Int => Boolean,
      once: Int => Boolean): Option[Gap] = element match {
    case RowPattern.Exclusion(inside, _) => gapOf(inside, excluded = true, isDefined, once)
    case RowPattern.Quantified(RowPattern.Variable(id, _), q, _)
        if excluded && q.copy(greedy = true) == Quantifier.star && !isDefined(id) && once(id) =>
      Some(Gap(id, any = q.greedy))
    case _ => None
  }

  /** The elements of a sequence, parentheses of unquantified sequences aside. */
  def flat(pattern: RowPattern): List[RowPattern] = pattern match {
    case RowPattern.Concatenation(elements, _) => elements.toList.flatMap(flat)
    case other                                 => List(other)
  }

  final private class Reader(whole: RowPattern, isDefined: Int => Boolean) {
    private val times                  = standing(whole).groupBy(identity)
    private def once(id: Int): Boolean = times(id).size == 1

    private def gap(element: RowPattern, excluded: Boolean) =
      gapOf(element, excluded, isDefined, once)

    def read(pattern: RowPattern, last: Boolean, excluded: Boolean): Element =
      gap(pattern, excluded).getOrElse(pattern match {
        case RowPattern.Variable(id, _)         => Row(id)
        case sequence: RowPattern.Concatenation =>
          Sequence(elements(flat(sequence), last, excluded))
        case RowPattern.Alternation(alternatives, _) =>
          Choice(alternatives.toVector.map(read(_, last, excluded)))
        case RowPattern.Quantified(element, quantifier, _) =>
          Loop(read(element, last = false, excluded), quantifier)
        case RowPattern.Permutation(elements, _) =>
          read(PatternEnumeration.expand(elements), last, excluded)
        case RowPattern.Exclusion(element, _) => Excluded(read(element, last, excluded = true))
        case RowPattern.Empty(_)              => NoRow
        case RowPattern.PartitionStart(_)     => AtStart
        case RowPattern.PartitionEnd(_)       => AtEnd
        case RowPattern.Absence(variable, _)  => NotNext(variable)
        case other => throw new IllegalArgumentException(s"not as written: $other")
      })

    private def elements(
        written: List[RowPattern],
        last: Boolean,
        excluded: Boolean): List[Element] =
      written match {
        case Nil                                                                            => Nil
        case head :: RowPattern.Absence(b, _) :: rest if gap(head, excluded).exists(!_.any) =>
          NotUpToNext(b, last && areAbsences(rest, excluded)) :: elements(rest, last, excluded)
        case head :: rest =>
          val after = elements(rest, last, excluded)
          withAbsence(read(head, last && after.isEmpty, excluded), after.headOption) :: after
      }

    /** Whether there is nothing but further absences over gaps. */
    private def areAbsences(written: List[RowPattern], excluded: Boolean): Boolean =
      written match {
        case Nil                                      => true
        case head :: RowPattern.Absence(_, _) :: rest =>
          gap(head, excluded).exists(!_.any) && areAbsences(rest, excluded)
        case _ => false
      }

    private def withAbsence(element: Element, next: Option[Element]): Element =
      (element, next) match {
        case (loop: Loop, Some(NotNext(b)))        => loop.copy(notNext = Some(b))
        case (loop: Loop, Some(NotUpToNext(b, _))) => loop.copy(notBetween = Some(b))
        case _                                     => element
      }
  }
}
