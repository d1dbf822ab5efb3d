package org.matchrecognize.spark.pattern

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.matching.SmallNumbers

/** Numbers in chunks are the numbers that were appended. */
class SmallNumbersSuite extends AnyFunSuite {
  private val chunk = SmallNumbers.chunkSize

  test("numbers of one, two and four bytes, in full chunks and in the last, read anywhere") {
    val random  = new Random(3)
    val numbers = SmallNumbers.onHeap()
    // The second use of the same one begins anew.
    for (sizes <- Seq(Seq(0xff, 0xffff, Int.MaxValue, 3), Seq(Int.MaxValue, 200), Seq(5))) {
      numbers.clear()
      val expected = sizes.toVector.flatMap { most =>
        (most +: Seq.fill(chunk - 1)(random.nextInt(most))).map(n => if (n < 0) 0 else n)
      } ++ Vector.fill(random.nextInt(chunk))(random.nextInt(1 << 20))
      expected.foreach(numbers.append)
      assert(numbers.size == expected.size)
      assert(expected.indices.forall(i => numbers(i.toLong) == expected(i)))
      assert(expected.indices.reverse.forall(i => numbers(i.toLong) == expected(i)))
      assert(Seq.fill(300)(random.nextInt(expected.size)).forall { i =>
        numbers(i.toLong) == expected(i)
      })
    }
  }

  test("reading goes on while the last chunk grows and fills") {
    val numbers = SmallNumbers.onHeap()
    for (i <- 0 until 3 * chunk) {
      numbers.append(i)
      assert(numbers(i.toLong) == i && numbers((i / 2).toLong) == i / 2)
    }
  }
}
