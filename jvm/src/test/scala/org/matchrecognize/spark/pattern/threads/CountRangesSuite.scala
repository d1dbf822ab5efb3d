package org.matchrecognize.spark.pattern.threads

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.reference.RandomSeed

/** Boxes of counts against sets of all combinations. */
class CountRangesSuite extends AnyFunSuite {

  private type State = (Int, Int, Int)

  private def states(at: Int, box: Array[Int]): Set[State] =
    (for (x <- box(0) to box(2); y <- box(1) to box(3)) yield (at, x, y)).toSet

  private def all(ranges: CountRanges): Set[State] = {
    val found = mutable.Set[State]()
    ranges.forall { (at, box) =>
      found ++= states(at, box)
      true
    }
    found.toSet
  }

  private def check(mostOfPlace: Int)(holds: (Set[State], Set[State], Set[State]) => Unit): Unit =
    for (seed <- 1L to 2000L) {
      val random   = RandomSeed(seed, "ranges")
      val ranges   = new CountRanges(2, 2, mostOfPlace)
      var added    = Set.empty[State]
      var followed = Set.empty[State]
      for (_ <- 1 to 12) {
        val (at, x, y) = (random.nextInt(2), random.nextInt(8), random.nextInt(4))
        val box        = Array(x, y, x + random.nextInt(3), y + random.nextInt(2))
        val news       = ranges.add(at, box)
        added ++= states(at, box)
        if (news != null) followed ++= states(at, news)
        holds(added, all(ranges), followed)
      }
      ranges.clear()
      assert(ranges.isEmpty && all(ranges).isEmpty)
    }

  test("with boxes enough they hold what was added, and nothing else") {
    check(mostOfPlace = 100) { (added, held, followed) =>
      assert(held == added)
      assert(followed == added)
    }
  }

  test("with few boxes they hold more, and all that they hold was returned") {
    var wider = 0
    check(mostOfPlace = 2) { (added, held, followed) =>
      assert(added.subsetOf(held))
      assert(held == followed)
      if (held.size > added.size) wider += 1
    }
    assert(wider > 100)
  }

  test("counts of start rows that follow one another are one box") {
    val ranges = new CountRanges(1, 1, 8)
    for (count <- 1000 to 1 by -1) assert(ranges.add(0, Array(count, count)) != null)
    assert(ranges.size == 1)
    assert(ranges.add(0, Array(5, 900)) == null)
  }
}
