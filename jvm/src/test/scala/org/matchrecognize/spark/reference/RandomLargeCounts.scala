package org.matchrecognize.spark.reference

import scala.util.Random

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/**
 * Gives loops of a pattern bounds around the number of rows of a partition, and makes loops of some
 * variables.
 */
final class RandomLargeCounts(random: Random, rows: Int) {
  import RowPattern._

  def apply(pattern: RowPattern): RowPattern = pattern match {
    case Concatenation(elements, _)   => Concatenation(elements.map(apply))
    case Alternation(alternatives, _) => Alternation(alternatives.map(apply))
    case Permutation(elements, _)     => Permutation(elements.map(apply))
    case Exclusion(element, _)        => Exclusion(apply(element))
    case Quantified(element, q, _)    => Quantified(apply(element), if (one(2)) large() else q)
    case variable: Variable if one(4) => Quantified(variable, large())
    case other                        => other
  }

  private def one(outOf: Int): Boolean = random.nextInt(outOf) == 0

  private def large(): Quantifier = {
    // Few rows in a row satisfy a variable, so small bounds matter more.
    val most       = if (one(3)) rows + 2 else rows / 3 + 2
    val low        = 1 + random.nextInt(most)
    val repetition = random.nextInt(4) match {
      case 0 => Quantifier.between(low, low)
      case 1 => Quantifier(QuantifierBound.Count(low), QuantifierBound.Unbounded)
      case 2 => Quantifier.between(low, low + random.nextInt(most))
      case _ => Quantifier.between(0, low)
    }
    repetition.copy(greedy = random.nextInt(3) > 0)
  }
}
