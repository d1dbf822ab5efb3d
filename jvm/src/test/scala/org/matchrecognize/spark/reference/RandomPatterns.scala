package org.matchrecognize.spark.reference

import scala.util.Random
import scala.util.hashing.MurmurHash3

import org.matchrecognize.spark.pattern.{Quantifier, QuantifierBound, RowPattern}

/**
 * Random row patterns of the standard, every operator nested in every other.
 *
 * @param variableCount
 *   variables 0 until this may occur
 * @param exclusions
 *   whether `{- -}` may occur (it may not with WITH UNMATCHED ROWS)
 */
final class RandomPatterns(random: Random, variableCount: Int, exclusions: Boolean = true) {
  import RowPattern._

  /** A pattern of at most `size` leaves, more or less. */
  def next(size: Int): RowPattern =
    if (size <= 1) leaf() else Weighted.pick(random, operators(size))()

  private def operators(size: Int): Seq[(Int, () => RowPattern)] = Seq(
    10 -> (() => Concatenation(parts(size, 2 + random.nextInt(3)))),
    6  -> (() => Alternation(parts(size, 2 + random.nextInt(2)))),
    9  -> (() => Quantified(next(size - 1), quantifier())),
    2  -> (() =>
      Permutation(parts(size, if (random.nextInt(6) == 0) 4 else 2 + random.nextInt(2)))),
    (if (exclusions) 2 else 0) -> (() => Exclusion(next(size - 1))),
    1                          -> (() => leaf())
  )

  private def parts(size: Int, count: Int): Seq[RowPattern] = {
    val number = math.max(2, math.min(count, size))
    Vector.fill(number)(next(math.max(1, (size - 1) / number + random.nextInt(2))))
  }

  private def leaf(): RowPattern = Weighted.pick(
    random,
    Seq[(Int, () => RowPattern)](
      24 -> (() => Variable(random.nextInt(variableCount))),
      6  -> (() => Quantified(Variable(random.nextInt(variableCount)), quantifier())),
      2  -> (() => Empty()),
      1  -> (() => PartitionStart()),
      1  -> (() => PartitionEnd())
    )
  )()

  def quantifier(): Quantifier = {
    val low        = random.nextInt(3)
    val repetition = Weighted.pick(
      random,
      Seq(
        4 -> Quantifier.star,
        4 -> Quantifier.plus,
        4 -> Quantifier.optional,
        1 -> Quantifier.between(low + 1, low + 1),
        2 -> Quantifier(QuantifierBound.Count(low), QuantifierBound.Unbounded),
        3 -> Quantifier.between(low, low + 1 + random.nextInt(2)),
        2 -> Quantifier.between(0, 1 + random.nextInt(3))
      )
    )
    repetition.copy(greedy = random.nextInt(5) > 1)
  }
}

/** A choice by weight. */
object Weighted {
  def pick[T](random: Random, choices: Seq[(Int, T)]): T = {
    var left = random.nextInt(choices.map(_._1).sum)
    choices
      .find { case (weight, _) =>
        left -= weight
        left < 0
      }
      .get
      ._2
  }
}

/** A random source for each seed and purpose, well mixed where seeds are neighbours. */
object RandomSeed {
  def apply(seed: Long, purpose: String): Random =
    new Random(MurmurHash3.orderedHash(Seq(seed, purpose)).toLong)
}
