package org.matchrecognize.spark.reference

import scala.util.control.NoStackTrace

import org.matchrecognize.spark.pattern.{Bound, Quantifier, RowPattern}

/** One row of a match: the primary variable that it is mapped to, and whether it is output. */
final case class Mapping(variable: Int, excluded: Boolean)

/** The enumeration of a case takes too long; the case is skipped and counted. */
final class TooManySteps extends RuntimeException("too many steps") with NoStackTrace

/**
 * All matches of a row pattern at a start row, in the standard's order of preferment, straight
 * from the definition (contract, rules 2 and 3). Exponential; for small cases only.
 *
 * A pattern is a function from a parse so far to the list of its continuations, the preferred
 * ones first; so concatenation is `flatMap`, alternation is `++`, and a match is the first
 * element. A row is tested as soon as it is mapped, with the row itself counting as mapped, and a
 * parse whose row fails is dropped at once: no longer parse could save it.
 *
 * @param rowCount
 *   rows of the partition, numbered from 0
 * @param satisfies
 *   (variable, row, variables of the rows before it from the start row on) => may the row be
 *   mapped to the variable
 * @param stepBudget
 *   tests and loop steps before [[TooManySteps]] is raised
 */
final class PatternEnumeration(
    rowCount: Int,
    satisfies: (Int, Int, IndexedSeq[Int]) => Boolean,
    stepBudget: Int = PatternEnumeration.defaultStepBudget
) {
  import PatternEnumeration.Parse
  import RowPattern._

  private var steps = 0

  /** The matches at a start row, preferred first; a match may occur more than once. */
  def matches(pattern: RowPattern, start: Int): Iterator[IndexedSeq[Mapping]] =
    parses(pattern, excluded = false, Parse(start, Vector.empty)).map(_.mappings)

  /** The match at a start row, if there is one. */
  def firstMatch(pattern: RowPattern, start: Int): Option[IndexedSeq[Mapping]] = {
    val all = matches(pattern, start)
    if (all.hasNext) Some(all.next()) else None
  }

  private def parses(pattern: RowPattern, excluded: Boolean, parse: Parse): Iterator[Parse] =
    pattern match {
      case Variable(id, _) =>
        step()
        if (parse.next < rowCount && satisfies(id, parse.next, parse.labels)) {
          Iterator.single(parse.map(Mapping(id, excluded)))
        } else {
          Iterator.empty
        }
      case Concatenation(elements, _) =>
        elements.foldLeft(Iterator.single(parse)) { (parsed, element) =>
          parsed.flatMap(parses(element, excluded, _))
        }
      case Alternation(alternatives, _) =>
        alternatives.iterator.flatMap(parses(_, excluded, parse))
      case Quantified(element, quantifier, _) =>
        new Loop(element, quantifier, excluded).from(parse, done = 0)
      case Permutation(elements, _) =>
        parses(PatternEnumeration.expand(elements), excluded, parse)
      case Exclusion(element, _) => parses(element, excluded = true, parse)
      case Empty(_)              => Iterator.single(parse)
      case PartitionStart(_) => if (parse.next == 0) Iterator.single(parse) else Iterator.empty
      case PartitionEnd(_)   =>
        if (parse.next == rowCount) Iterator.single(parse) else Iterator.empty
      case Absence(_, _) => throw new IllegalArgumentException("[^B] is not in the standard")
    }

  /** `element{lower,upper}`; unrolled step by step, each step counts the iterations done. */
  final private class Loop(element: RowPattern, quantifier: Quantifier, excluded: Boolean) {
    private val lower = quantifier.lower match {
      case Bound.Count(value) => value
      case other              => throw new IllegalArgumentException(s"lower bound $other")
    }
    private val upper = quantifier.upper match {
      case Bound.Count(value) => Some(value)
      case Bound.Unbounded    => None
      case other              => throw new IllegalArgumentException(s"upper bound $other")
    }
    require(!quantifier.loose && quantifier.stop.isEmpty, "an extension of the standard")

    def from(parse: Parse, done: Int): Iterator[Parse] = {
      step()
      if (done < lower) {
        again(parse, done)
      } else if (upper.exists(done >= _)) {
        Iterator.single(parse)
      } else if (quantifier.greedy) {
        again(parse, done) ++ Iterator.single(parse)
      } else {
        Iterator.single(parse) ++ again(parse, done)
      }
    }

    /** One more iteration; one without a row ends the loop if that reaches the lower bound. */
    private def again(parse: Parse, done: Int): Iterator[Parse] =
      parses(element, excluded, parse).flatMap { after =>
        val consumedNoRow = after.next == parse.next
        if (consumedNoRow && done + 1 >= lower) Iterator.single(after) else from(after, done + 1)
      }
  }

  private def step(): Unit = {
    steps += 1
    if (steps > stepBudget) throw new TooManySteps
  }
}

object PatternEnumeration {
  val defaultStepBudget: Int = 20000

  /** The rows mapped so far; the next row to map is `start + mappings.size`. */
  final private case class Parse(start: Int, mappings: Vector[Mapping]) {
    def next: Int                    = start + mappings.size
    def labels: Vector[Int]          = mappings.map(_.variable)
    def map(mapping: Mapping): Parse = copy(mappings = mappings :+ mapping)
  }

  /** PERMUTE's meaning: the alternation of all k! concatenations, in lexicographic order. */
  def expand(elements: Seq[RowPattern]): RowPattern = {
    val orders       = lexicographic(elements.indices.toList)
    val alternatives = orders.map { order =>
      concatenation(order.map(elements(_)))
    }
    if (alternatives.size == 1) alternatives.head else RowPattern.Alternation(alternatives)
  }

  private def concatenation(elements: Seq[RowPattern]): RowPattern =
    if (elements.size == 1) elements.head else RowPattern.Concatenation(elements)

  private def lexicographic(indices: List[Int]): List[List[Int]] =
    if (indices.isEmpty) {
      List(Nil)
    } else {
      indices.flatMap(first => lexicographic(indices.filter(_ != first)).map(first :: _))
    }
}
