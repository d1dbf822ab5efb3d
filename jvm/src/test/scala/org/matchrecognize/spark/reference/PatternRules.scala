package org.matchrecognize.spark.reference

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/**
 * Which patterns with extensions the contract allows; and, stricter than it, which have one
 * reading only.
 */
object PatternRules {
  import RowPattern._

  def isValid(pattern: RowPattern, defined: Set[Int], dialect: Dialect): Boolean = {
    val looked = everywhere(pattern).collect {
      case Absence(id, _)                         => id
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
    if (hasGaps(pattern, dialect)) gaps.variables else Set.empty
  }

  /** In the standard dialect a gap is an exclusion like others but before `[^B]`. */
  private def hasGaps(pattern: RowPattern, dialect: Dialect): Boolean =
    dialect == Dialect.Flink || RowPattern.exists(pattern)(_.isInstanceOf[Absence])

  private def everywhere(pattern: RowPattern): Seq[RowPattern] =
    pattern +: children(pattern).flatMap(everywhere)

  private def areLoopsValid(pattern: RowPattern): Boolean = pattern match {
    case Quantified(element, q, _) =>
      val begins = Element.flat(element).head.isInstanceOf[Variable]
      (!q.loose || begins && q != q.copy(
        lower = QuantifierBound.Count(0),
        upper = QuantifierBound.Count(1))) &&
      (q.stop.isEmpty || q.upper == QuantifierBound.Unbounded)
    case _ => true
  }

  /** Gaps and absences in one pattern. */
  final private class Gaps(whole: RowPattern, defined: Set[Int]) {
    private val times = Element.standing(whole).groupBy(identity)

    def gap(element: RowPattern, excluded: Boolean): Option[Element.Gap] =
      Element.gapOf(element, excluded, defined, id => times(id).size == 1)

    def variables: Set[Int] = variables(whole, excluded = false)

    private def variables(pattern: RowPattern, excluded: Boolean): Set[Int] =
      gap(pattern, excluded).map(g => Set(g.variable)).getOrElse {
        val inside = excluded || pattern.isInstanceOf[Exclusion]
        children(pattern).flatMap(variables(_, inside)).toSet
      }

    def areValid: Boolean = areValid(whole, last = true, excluded = false)

    private def areValid(pattern: RowPattern, last: Boolean, excluded: Boolean): Boolean =
      pattern match {
        case sequence: Concatenation => isValid(Element.flat(sequence), last, excluded)
        case Alternation(all, _)     => all.forall(areValid(_, last, excluded))
        case Exclusion(element, _)   =>
          gap(pattern, excluded).nonEmpty || areValid(element, last, excluded = true)
        case other => children(other).forall(areValid(_, last = false, excluded))
      }

    /** A gap precedes an element without a gap, or `[^B]`; `[^B]` precedes a gap, or is last. */
    private def isValid(elements: List[RowPattern], last: Boolean, excluded: Boolean): Boolean =
      elements match {
        case Nil                                                                 => true
        case head :: Absence(_, _) :: rest if gap(head, excluded).exists(!_.any) =>
          (if (rest.isEmpty) last else gap(rest.head, excluded).nonEmpty && rest.size > 1) &&
          isValid(rest, last, excluded)
        case head :: rest if gap(head, excluded).nonEmpty =>
          rest.nonEmpty && !begins(rest.head, excluded) && isValid(rest, last, excluded)
        case head :: rest =>
          !(rest.headOption.exists(_.isInstanceOf[Absence]) && ends(head, excluded)) &&
          areValid(head, last && rest.isEmpty, excluded) && isValid(rest, last, excluded)
      }

    /** Whether an element can begin with a gap or an absence. */
    private def begins(pattern: RowPattern, excluded: Boolean): Boolean = pattern match {
      case _ if gap(pattern, excluded).nonEmpty => true
      case _: Absence                           => true
      case sequence: Concatenation              => begins(Element.flat(sequence).head, excluded)
      case Exclusion(element, _)                => begins(element, excluded = true)
      case other                                => children(other).exists(begins(_, excluded))
    }

    /** Whether an element can end with an excluded loop. */
    private def ends(pattern: RowPattern, excluded: Boolean): Boolean = pattern match {
      case Exclusion(element, _)   => ends(element, excluded = true)
      case _: Quantified           => excluded
      case sequence: Concatenation => ends(Element.flat(sequence).last, excluded)
      case other                   => children(other).exists(ends(_, excluded))
    }
  }

  /** A match takes a row, and greedy loops with a choice are over single variables. */
  private def isFlink(pattern: RowPattern, gaps: Gaps): Boolean =
    !isEmpty(pattern, gaps, excluded = false) && everywhere(pattern).forall {
      case Quantified(element, q, _) =>
        !isGreedyLoop(q) || element.isInstanceOf[Variable]
      case _ => true
    }

  private def isGreedyLoop(q: Quantifier): Boolean =
    q.greedy && q.lower != q.upper && (q.lower, q.upper) != ((
      QuantifierBound.Count(0),
      QuantifierBound.Count(1)))

  /** Whether a pattern can match no row. */
  private def isEmpty(pattern: RowPattern, gaps: Gaps, excluded: Boolean): Boolean =
    pattern match {
      case _: Variable                               => false
      case _ if gaps.gap(pattern, excluded).nonEmpty => true
      case Quantified(element, q, _)                 =>
        q.lower == QuantifierBound.Count(0) || isEmpty(element, gaps, excluded)
      case Alternation(all, _)   => all.exists(isEmpty(_, gaps, excluded))
      case Exclusion(element, _) => isEmpty(element, gaps, excluded = true)
      case other                 => children(other).forall(isEmpty(_, gaps, excluded))
    }
}
