package org.matchrecognize.spark.pattern.flink

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._
import org.matchrecognize.spark.text.Span

/**
 * What the flink dialect makes of a pattern's form: its gaps, and what it does not take.
 *
 * @param pattern
 *   without parameters, its absences over gaps known ([[GapAbsences]])
 * @param isDefined
 *   whether DEFINE has a condition for a variable
 */
final class FlinkPattern(pattern: RowPattern, isDefined: Int => Boolean) {
  import FlinkPattern._

  /** The pattern with its gaps as elements, parentheses of unquantified sequences removed. */
  val resolved: RowPattern = resolve(pattern, excluded = false)

  /** The variables of its gaps, to which no row is mapped. */
  def gapVariables: Seq[Int] = parts(resolved).collect {
    case Gap(variable, _, _)        => variable
    case GapAbsence(variable, _, _) => variable
  }

  /** The first thing that the dialect refuses. */
  def refused: Option[Refusal] =
    adjacentGaps(resolved)
      .map(Refusal(AdjacentGaps, _))
      .orElse(gapAtEndOfGroup(resolved, atEnd = true).map(Refusal(GapAtEndOfGroup, _)))
      .orElse(greedyGroup(resolved).map(Refusal(GreedyGroup, _)))
      .orElse(if (RowPattern.nullable(resolved)) Some(Refusal(MatchesNoRow, pattern)) else None)

  private def resolve(part: RowPattern, excluded: Boolean): RowPattern = part match {
    case Concatenation(elements, span) =>
      Concatenation(flat(elements).map(resolve(_, excluded)), span)
    case Exclusion(loop, span) =>
      gap(loop, span).getOrElse(Exclusion(resolve(loop, excluded = true), span))
    case loop @ Quantified(element, quantifier, span) =>
      // Nested exclusions are one, so within one the loop alone is a gap.
      (if (excluded) gap(loop, span) else None)
        .getOrElse(Quantified(resolve(element, excluded), quantifier, span))
    case _ => mapChildren(part)(resolve(_, excluded))
  }

  private def gap(loop: RowPattern, span: Span): Option[Gap] = loop match {
    case Quantified(Variable(id, _), quantifier, _)
        if quantifier.copy(greedy = true) == Quantifier.star && !isDefined(id) &&
          occurrences(pattern, id) == 1 =>
      Some(Gap(id, quantifier.greedy, span))
    case _ => None
  }

  /** A gap whose element begins with another one. */
  private def adjacentGaps(part: RowPattern): Option[RowPattern] =
    parts(part)
      .collect { case Concatenation(elements, _) => elements.zip(elements.drop(1)) }
      .flatten
      .collect { case (_: Gap, next) => beginnings(next).find(isOpening) }
      .flatten
      .headOption

  /**
   * A gap that ends a group, with nothing after it there that it could belong to.
   *
   * @param atEnd
   *   whether the pattern ends after the part
   */
  private def gapAtEndOfGroup(part: RowPattern, atEnd: Boolean): Option[RowPattern] =
    part match {
      case gap: Gap                   => if (atEnd) None else Some(gap)
      case Concatenation(elements, _) =>
        elements.init
          .filterNot(_.isInstanceOf[Gap])
          .flatMap(gapAtEndOfGroup(_, atEnd = false))
          .headOption
          .orElse(gapAtEndOfGroup(elements.last, atEnd))
      case _: Alternation | _: Exclusion =>
        children(part).flatMap(gapAtEndOfGroup(_, atEnd)).headOption
      case _ => children(part).flatMap(gapAtEndOfGroup(_, atEnd = false)).headOption
    }

  private def isOpening(part: RowPattern): Boolean = part match {
    case _: Gap | _: GapAbsence => true
    case _: Variable | _: Concatenation | _: Alternation | _: Quantified | _: Empty |
        _: PartitionStart | _: PartitionEnd | _: Permutation | _: Exclusion | _: Absence =>
      false
  }

  private def beginnings(part: RowPattern): Seq[RowPattern] = part match {
    case Concatenation(elements, _)     => beginnings(elements.head)
    case leaf if children(leaf).isEmpty => Seq(leaf)
    case other                          => children(other).flatMap(beginnings)
  }

  private def greedyGroup(part: RowPattern): Option[RowPattern] = parts(part).collectFirst {
    case loop @ Quantified(element, quantifier, _)
        if isGreedyLoop(quantifier) && !element.isInstanceOf[Variable] =>
      loop
  }
}

object FlinkPattern {

  /** What the dialect does not take, and the part of the pattern that it is. */
  final case class Refusal(kind: Kind, part: RowPattern)

  sealed trait Kind

  /** A pattern that can match no row. */
  case object MatchesNoRow extends Kind

  /** A greedy loop over anything but a single variable. */
  case object GreedyGroup extends Kind

  /** Two gaps in a row. */
  case object AdjacentGaps extends Kind

  /** A gap that is the last element of a group, other than at the end of the pattern. */
  case object GapAtEndOfGroup extends Kind

  /** `*`, `+`, `{n,}`, `{,m}`, `{n,m}`, greedy; neither `?` nor `{n}`. */
  def isGreedyLoop(quantifier: Quantifier): Boolean =
    quantifier.greedy && quantifier.lower != quantifier.upper &&
      (quantifier.lower, quantifier.upper) != ((
        QuantifierBound.Count(0),
        QuantifierBound.Count(1)))
}
