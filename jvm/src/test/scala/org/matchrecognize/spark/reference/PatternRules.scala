package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Bound, Quantifier, RowPattern}

/**
 * Which patterns with extensions the contract allows; and, stricter than it, which have one
 * reading only.
 */
object PatternRules {
  import RowPattern._

  def isValid(pattern: RowPattern, defined: Set[Int], dialect: Dialect): Boolean = {
    val looked = everywhere(pattern).collect {
      case Absence(id, _)                       => id
      case Quantified(_, q, _) if q.stop.nonEmpty => q.stop.get
    }
    val gaps = new Gaps(pattern, defined)
    looked.forall(defined) && everywhere(pattern).forall(areLoopsValid) &&
    (!hasGaps(pattern, dialect) || gaps.areValid) &&
    (dialect == Dialect.Standard || isFlink(pattern, gaps))
  }

  /** The variables that stand for gaps only. */
  def gapVariables(pattern: RowPattern, defined: Set[Int], dialect: Dialect): Set[Int] = {
    val gaps = new Gaps(pattern, defined)
    if (hasGaps(pattern, dialect)) everywhere(pattern).flatMap(gaps.gap).map(_.variable).toSet
    else Set.empty
  }

  /** In the standard dialect a gap is an exclusion like others but before `[^B]`. */
  private def hasGaps(pattern: RowPattern, dialect: Dialect): Boolean =
    dialect == Dialect.Flink || RowPattern.exists(pattern)(_.isInstanceOf[Absence])

  private def everywhere(pattern: RowPattern): Seq[RowPattern] =
    pattern +: children(pattern).flatMap(everywhere)

  private def areLoopsValid(pattern: RowPattern): Boolean = pattern match {
    case Quantified(element, q, _) =>
      val begins = Element.flat(element).head.isInstanceOf[Variable]
      (!q.loose || begins && q != q.copy(lower = Bound.Count(0), upper = Bound.Count(1))) &&
      (q.stop.isEmpty || q.upper == Bound.Unbounded)
    case _ => true
  }

  /** Gaps and absences in one pattern. */
  final private class Gaps(whole: RowPattern, defined: Set[Int]) {
    private val times = Element.standing(whole).groupBy(identity)

    def gap(element: RowPattern): Option[Element.Gap] =
      Element.gapOf(element, defined, id => times(id).size == 1)

    def areValid: Boolean = areValid(whole, last = true)

    private def areValid(pattern: RowPattern, last: Boolean): Boolean = pattern match {
      case sequence: Concatenation => isValid(Element.flat(sequence), last)
      case Alternation(all, _)     => all.forall(areValid(_, last))
      case Exclusion(element, _)   => gap(pattern).nonEmpty || areValid(element, last = false)
      case other                   => children(other).forall(areValid(_, last = false))
    }

    /** A gap stands before an element without one, or before `[^B]`; that before a gap, or last. */
    private def isValid(elements: List[RowPattern], last: Boolean): Boolean = elements match {
      case Nil                                                           => true
      case head :: Absence(_, _) :: rest if gap(head).exists(!_.any) =>
        (if (rest.isEmpty) last else gap(rest.head).nonEmpty && rest.size > 1) &&
        isValid(rest, last)
      case head :: rest if gap(head).nonEmpty =>
        rest.nonEmpty && !leads(rest.head).exists(isOpening) && isValid(rest, last)
      case head :: rest =>
        !(rest.headOption.exists(_.isInstanceOf[Absence]) && ends(head)) &&
        areValid(head, last && rest.isEmpty) && isValid(rest, last)
    }

    private def isOpening(e: RowPattern): Boolean = e.isInstanceOf[Absence] || gap(e).nonEmpty

    /** What an element can begin with. */
    private def leads(pattern: RowPattern): Seq[RowPattern] = pattern match {
      case _ if gap(pattern).nonEmpty => Seq(pattern)
      case sequence: Concatenation    => leads(Element.flat(sequence).head)
      case leaf if children(leaf).isEmpty => Seq(leaf)
      case other                          => children(other).flatMap(leads)
    }

    /** Whether an exclusion can stand at the end of an element. */
    private def ends(pattern: RowPattern): Boolean = pattern match {
      case _: Exclusion            => true
      case sequence: Concatenation => ends(Element.flat(sequence).last)
      case other                   => children(other).exists(ends)
    }
  }

  /** A match takes a row, and greedy loops with a choice are over single variables. */
  private def isFlink(pattern: RowPattern, gaps: Gaps): Boolean =
    !isEmpty(pattern, gaps) && everywhere(pattern).forall {
      case Quantified(element, q, _) =>
        !isGreedyLoop(q) || element.isInstanceOf[Variable]
      case _ => true
    }

  private def isGreedyLoop(q: Quantifier): Boolean =
    q.greedy && q.lower != q.upper && (q.lower, q.upper) != ((Bound.Count(0), Bound.Count(1)))

  /** Whether a pattern can match no row. */
  private def isEmpty(pattern: RowPattern, gaps: Gaps): Boolean = pattern match {
    case _: Variable                => false
    case _ if gaps.gap(pattern).nonEmpty => true
    case Quantified(element, q, _)  => q.lower == Bound.Count(0) || isEmpty(element, gaps)
    case Alternation(all, _)        => all.exists(isEmpty(_, gaps))
    case other                      => children(other).forall(isEmpty(_, gaps))
  }
}
