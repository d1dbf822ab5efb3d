package org.matchrecognize.spark.pattern

import scala.util.Random

import org.matchrecognize.spark.pattern.RowPattern._

/**
 * A pattern, and rows for it.
 *
 * @param masks
 *   from a number of rows, for each row the variables whose condition it satisfies: bit `i` for
 *   variable `i`
 * @param partitionRows
 *   rows of a partition; all rows are one where they are fewer
 */
final case class Case(
    pattern: RowPattern,
    masks: Int => Array[Int],
    partitionRows: Int = Int.MaxValue)

/** Q11 (see benchmarks/parts/adversarial.py for the same in SQL), and the V of Q1. */
object Cases {

  private val (a, b, c, e) = (Variable(0), Variable(1), Variable(2), Variable(3))

  private def plus(p: RowPattern)               = Quantified(p, Quantifier.plus)
  private def star(p: RowPattern)               = Quantified(p, Quantifier.star)
  private def optional(p: RowPattern)           = Quantified(p, Quantifier.optional)
  private def times(p: RowPattern, n: Int)      = Quantified(p, Quantifier.between(n, n))
  private def sequence(elements: RowPattern*)   = Concatenation(elements)
  private def all(mask: Int): Int => Array[Int] = Array.fill(_)(mask)

  val byName: Map[String, Case] = Map(
    "11a" -> Case(
      sequence(plus(a), plus(b), plus(c), e),
      n => Array.tabulate(n)(i => 1 << (i * 3L / n).toInt)),
    "11b" -> Case(sequence(plus(a), plus(b)), all(1)),
    "11c" -> Case(sequence(times(optional(a), 20), times(a, 20)), all(1), partitionRows = 30),
    "11d" -> Case(sequence(star(a), star(a), star(a), b), all(1)),
    "11e" -> Case(sequence(plus(plus(a)), b), all(1)),
    // Variable 1 is Z, which takes any row; no row is a B.
    "11f" -> Case(sequence(a, optional(sequence(star(b), c))), all(3)),
    "11g" -> Case(Permutation((0 until 7).map(Variable(_))), all((1 << 6) - 1)),
    "V"   -> Case(sequence(a, plus(b), plus(c)), walk)
  )

  /** A random walk: each row can be an A; a step down is a B, a step up a C. */
  private def walk(rows: Int): Array[Int] = {
    val random = new Random(42)
    Array.fill(rows)(1 | 2 << random.nextInt(2))
  }
}
