package org.matchrecognize.spark.pattern.program

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.{Quantifier, RowPattern}
import org.matchrecognize.spark.pattern.RowPattern._
import org.matchrecognize.spark.text.Span

/**
 * Finds the absences over a gap, `{- X*? -} [^B]`, in a pattern, and makes each one element
 * ([[RowPattern.GapAbsence]]).
 *
 * A gap is `{- X*? -}` or `{- X* -}` where X is undefined and occurs once in the pattern. Nested
 * exclusions are one, so within an exclusion `X*?` is a gap, too.
 *
 * @param pattern
 *   without parameters
 * @param isDefined
 *   whether DEFINE has a condition for a variable
 */
final class GapAbsences(pattern: RowPattern, isDefined: Int => Boolean) {
  import GapAbsences._

  private val found = ArrayBuffer[MisplacedAbsence]()

  /** The pattern with its absences over gaps as elements; if all are where they are allowed. */
  val resolved: RowPattern = resolve(pattern, excluded = false, atEnd = true)

  /** The first that is where it is not allowed. */
  def misplaced: Option[MisplacedAbsence] = found.headOption

  /** The variables X, to which no row is mapped. */
  def gapVariables: Seq[GapAbsence] = parts(resolved).collect { case absence: GapAbsence =>
    absence
  }

  private def resolve(part: RowPattern, excluded: Boolean, atEnd: Boolean): RowPattern =
    part match {
      case Concatenation(elements, span)   => sequence(elements, span, excluded, atEnd)
      case Alternation(alternatives, span) =>
        Alternation(alternatives.map(resolve(_, excluded, atEnd)), span)
      case Exclusion(element, span) => Exclusion(resolve(element, excluded = true, atEnd), span)
      case _                        => mapChildren(part)(resolve(_, excluded, atEnd = false))
    }

  /** `atEnd`: nothing follows the sequence. */
  private def sequence(
      elements: Seq[RowPattern],
      span: Span,
      excluded: Boolean,
      atEnd: Boolean): RowPattern = {
    val all = flat(elements).toIndexedSeq

    /** The [^B] that follows an excluded loop. */
    def absenceAfter(i: Int): Option[Absence] =
      if (isLoop(all(i), excluded)) all.lift(i + 1).collect { case a: Absence => a } else None

    def overGap(i: Int, absence: Absence): RowPattern = {
      val whole   = Span(all(i).span.start, absence.span.stop)
      val follows = all.lift(i + 2)
      gapVariable(all(i), excluded, Quantifier.star.copy(greedy = false)) match {
        case None =>
          found += MisplacedAbsence(LoopBeforeAbsence, absence.variable, whole)
          all(i)
        case Some(gap) =>
          if (!follows.fold(atEnd)(isGap(_, excluded)))
            found += MisplacedAbsence(NoGapAfterAbsence, absence.variable, whole)
          GapAbsence(gap, absence.variable, whole)
      }
    }

    if (!all.indices.exists(absenceAfter(_).nonEmpty)) {
      val last = elements.size - 1
      Concatenation(
        elements.zipWithIndex.map { case (element, i) =>
          resolve(element, excluded, atEnd && i == last)
        },
        span)
    } else {
      val resolved = ArrayBuffer[RowPattern]()
      var i        = 0
      while (i < all.size)
        absenceAfter(i) match {
          case Some(absence) =>
            resolved += overGap(i, absence)
            i += 2
          case None =>
            resolved += resolve(all(i), excluded, atEnd && i == all.size - 1)
            i += 1
        }
      if (resolved.size == 1) resolved.head else Concatenation(resolved.toSeq, span)
    }
  }

  /** An excluded loop: what [^B] cannot follow directly unless it is a gap. */
  private def isLoop(part: RowPattern, excluded: Boolean): Boolean = part match {
    case Exclusion(Quantified(_, quantifier, _), _) => quantifier != Quantifier.optional
    case Quantified(_, quantifier, _) => excluded && quantifier != Quantifier.optional
    case _                            => false
  }

  private def isGap(part: RowPattern, excluded: Boolean): Boolean =
    Seq(true, false).exists(greedy =>
      gapVariable(part, excluded, Quantifier.star.copy(greedy = greedy)).nonEmpty)

  /** X, if the part is a gap with the quantifier. */
  private def gapVariable(
      part: RowPattern,
      excluded: Boolean,
      quantifier: Quantifier): Option[Int] = part match {
    case Exclusion(loop, _) => gapVariable(loop, excluded = true, quantifier)
    case Quantified(Variable(id, _), `quantifier`, _)
        if excluded && !isDefined(id) && occurrences(pattern, id) == 1 =>
      Some(id)
    case _ => None
  }
}

object GapAbsences {

  /** An absence over a gap that is where it is not allowed. */
  final case class MisplacedAbsence(kind: Kind, variable: Int, span: Span)

  sealed trait Kind

  /** The excluded loop before [^B] is no `{- X*? -}` of an undefined X that occurs once. */
  case object LoopBeforeAbsence extends Kind

  /** No gap directly follows [^B], and the pattern does not end there. */
  case object NoGapAfterAbsence extends Kind
}
