package org.matchrecognize.spark.expressions

import org.scalatest.funsuite.AnyFunSuite

/** Doubles as whole numbers in the same order. */
class OrderedDoublesSuite extends AnyFunSuite {

  private val some = Seq(
    0.0,
    -0.0,
    0.1,
    1.0,
    3.0,
    1e16,
    1e16 + 2,
    Double.MinPositiveValue,
    Double.MaxValue,
    Double.PositiveInfinity)

  private val numbers = some ++ some.map(-_)

  /** As Spark compares: NaN is larger than all numbers, and no zero than the other. */
  private def compare(a: Double, b: Double): Int =
    if (a == b) 0 else java.lang.Double.compare(a, b)

  test("doubles in order, and back") {
    val ordered = numbers.sortWith(compare(_, _) < 0) :+ Double.NaN
    for (pair <- ordered.sliding(2)) {
      val signs = pair.map(OrderedDoubles.key)
      assert(math.signum(compare(pair(0), pair(1))) == signs(0).compare(signs(1)), pair)
    }
    for (x <- ordered) assert(compare(OrderedDoubles.value(OrderedDoubles.key(x)), x) == 0)
  }
}
