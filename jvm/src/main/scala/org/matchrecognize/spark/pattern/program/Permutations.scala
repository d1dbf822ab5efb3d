package org.matchrecognize.spark.pattern.program

/** The orders of the elements of a PERMUTE, as a [[Permute]]'s register holds them. */
private[pattern] object Permutations {

  /** Elements of a PERMUTE that commits to an order: up to 8! threads. */
  val limit = 8

  /**
   * All orders of `size` elements, lexicographically, each as digits of base `size + 1`: element i
   * is digit i + 1, the first to match is the lowest digit, no digit left is 0.
   */
  def encoded(size: Int): Array[Int] = cached(size)

  private lazy val cached: Array[Array[Int]] =
    Array.tabulate(limit + 1) { size =>
      (0 until size).permutations
        .map(_.foldRight(0)((element, rest) => rest * (size + 1) + element + 1))
        .toArray
    }
}
