package org.matchrecognize.spark.expressions

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.Literal

import org.matchrecognize.spark.reference.RandomSeed

/** From where on differences of doubles are more than a bound. */
class DifferencesSuite extends AnyFunSuite {

  test("of whole numbers within a range, each difference is exact; others are refused") {
    for ((bits, smallest, largest) <- Seq(
        (8, Byte.MinValue.toLong, Byte.MaxValue.toLong),
        (16, Short.MinValue.toLong, Short.MaxValue.toLong),
        (32, Int.MinValue.toLong, Int.MaxValue.toLong))) {
      val range = ExactLong.of(Literal(0L), bits)
      import range.{highest, lowest}
      assert(smallest < lowest && lowest < 0 && highest < largest)
      assert(highest - lowest == largest && lowest - highest > smallest)
      for (inside <- Seq(lowest, 0L, highest))
        assert(ExactLong.of(Literal(inside), bits).eval() == inside)
      for (outside <- Seq(smallest, lowest - 1, highest + 1, largest))
        intercept[ArithmeticException](ExactLong.of(Literal(outside), bits).eval())
    }
    val time = 1798761600L // 2027-01-01 in seconds
    assert(ExactLong.of(Literal(time.toInt), 32).eval() == time)
    val most = 1L << 61
    assert(Seq(-most, most).forall(n => ExactLong.ofLong(Literal(n)).eval() == n))
    assert(Math.addExact(most, Math.addExact(most, most - 1)) > 0)
    for (outside <- Seq(Long.MinValue, -most - 1, most + 1, Long.MaxValue))
      intercept[ArithmeticException](ExactLong.ofLong(Literal(outside)).eval())
  }

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

  test("the difference of the smallest minuend is more than the bound, that of the next is not") {
    var cases  = 0
    val random = RandomSeed(1, "differences")
    def drawn  = random.nextInt(3) match {
      case 0 => numbers(random.nextInt(numbers.size))
      case 1 => random.nextInt(200) / 10.0 - 10
      case _ => java.lang.Double.longBitsToDouble(random.nextLong())
    }
    for (_ <- 1 to 20000) {
      val (a, b)  = (drawn, drawn)
      val orEqual = random.nextBoolean()
      if (!a.isNaN && !a.isInfinite && !b.isNaN) {
        def isMore(x: Double) = {
          val sign = compare(x - a, b)
          sign > 0 || orEqual && sign == 0
        }
        val found = SmallestMinuend.find(a, b, orEqual)
        val near  =
          Seq(found, Math.nextUp(found), Math.nextDown(found), a + b, a, b, drawn, Double.NaN)
        for (x <- near) assert(isMore(x) == (compare(x, found) >= 0), s"$x - $a, $b, $orEqual")
        cases += 1
      }
    }
    assert(cases > 15000)
  }

  test("where differences do not grow, nothing is said") {
    for ((a, b) <- Seq(Double.NaN -> 1.0, Double.NegativeInfinity -> 1.0, 1.0 -> Double.NaN))
      intercept[ArithmeticException](SmallestMinuend.find(a, b, orEqual = false))
  }
}
