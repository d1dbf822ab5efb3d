package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Bound, Quantifier, RowPattern}

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
  final case class Row(variable: Int)                  extends Element
  final case class Sequence(elements: List[Element]) extends Element
  final case class Choice(branches: Vector[Element])   extends Element
  final case class Excluded(element: Element)          extends Element
  case object NoRow                                    extends Element
  case object AtStart                                  extends Element
  case object AtEnd                                    extends Element

  /**
   * @param notNext
   *   B where `[^B]` stands directly after the loop
   * @param notBetween
   *   B where `{- X*? -} [^B]` stands directly after the loop
   */
  final case class Loop(
      body: Element,
      quantifier: Quantifier,
      notNext: Option[Int] = None,
      notBetween: Option[Int] = None)
      extends Element {

    val lower: Int = quantifier.lower match {
      case Bound.Count(value) => value
      case other              => throw new IllegalArgumentException(s"lower bound $other")
    }
    val upper: Option[Int] = quantifier.upper match {
      case Bound.Count(value) => Some(value)
      case Bound.Unbounded    => None
      case other              => throw new IllegalArgumentException(s"upper bound $other")
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
      case Row(id)                              => id
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
   *   the pattern ends here
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
    new Reader(pattern, isDefined).read(pattern, last = true)

  /** The variables that stand in a pattern, as often as they do, `[^B]` and `q{B}` included. */
  def standing(pattern: RowPattern): Seq[Int] = (pattern match {
    case RowPattern.Variable(id, _)              => Seq(id)
    case RowPattern.Absence(id, _)               => Seq(id)
    case RowPattern.Quantified(_, quantifier, _) => quantifier.stop.toSeq
    case _                                       => Nil
  }) ++ RowPattern.children(pattern).flatMap(standing)

  private val loops = Set[(Bound, Bound)]((Bound.Count(0), Bound.Unbounded))

  /** The gap that an element is: its variable, and whether it is greedy. */
  def gapOf(element: RowPattern, isDefined: Int => Boolean, once: Int => Boolean): Option[Gap] =
    element match {
      case RowPattern.Exclusion(RowPattern.Quantified(RowPattern.Variable(id, _), q, _), _)
          if loops((q.lower, q.upper)) && !q.loose && q.stop.isEmpty && !isDefined(id) &&
            once(id) =>
        Some(Gap(id, any = q.greedy))
      case _ => None
    }

  /** The elements of a sequence, parentheses of unquantified sequences aside. */
  def flat(pattern: RowPattern): List[RowPattern] = pattern match {
    case RowPattern.Concatenation(elements, _) => elements.toList.flatMap(flat)
    case other                                 => List(other)
  }

  final private class Reader(whole: RowPattern, isDefined: Int => Boolean) {
    private val times                     = standing(whole).groupBy(identity)
    private def once(id: Int): Boolean    = times(id).size == 1
    private def gap(element: RowPattern) = gapOf(element, isDefined, once)

    def read(pattern: RowPattern, last: Boolean): Element = pattern match {
      case RowPattern.Variable(id, _)               => Row(id)
      case sequence: RowPattern.Concatenation       => Sequence(elements(flat(sequence), last))
      case RowPattern.Alternation(alternatives, _)  =>
        Choice(alternatives.toVector.map(read(_, last)))
      case RowPattern.Quantified(element, quantifier, _) =>
        Loop(read(element, last = false), quantifier)
      case RowPattern.Permutation(elements, _) =>
        read(PatternEnumeration.expand(elements), last)
      case excluded @ RowPattern.Exclusion(element, _) =>
        gap(excluded).getOrElse(Excluded(read(element, last)))
      case RowPattern.Empty(_)              => NoRow
      case RowPattern.PartitionStart(_)     => AtStart
      case RowPattern.PartitionEnd(_)       => AtEnd
      case RowPattern.Absence(variable, _)  => NotNext(variable)
      case _: RowPattern.GapAbsence         =>
        throw new IllegalArgumentException("a pattern is read as it was written")
    }

    private def elements(written: List[RowPattern], last: Boolean): List[Element] =
      written match {
        case Nil                                       => Nil
        case head :: RowPattern.Absence(b, _) :: rest if gap(head).exists(!_.any) =>
          NotUpToNext(b, last && rest.isEmpty) :: elements(rest, last)
        case head :: rest =>
          val after = elements(rest, last)
          withAbsence(read(head, last && after.isEmpty), after.headOption) :: after
      }

    private def withAbsence(element: Element, next: Option[Element]): Element =
      (element, next) match {
        case (loop: Loop, Some(NotNext(b)))        => loop.copy(notNext = Some(b))
        case (loop: Loop, Some(NotUpToNext(b, _))) => loop.copy(notBetween = Some(b))
        case _                                     => element
      }
  }
}
