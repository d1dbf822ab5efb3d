package org.matchrecognize.spark.execution.tracing

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Which partitions a sample holds, by their hashes and rows. */
class PartitionSampleSuite extends AnyFunSuite {

  /** The hashes of the sample, in its order, and of the partitions that were searched for it. */
  private def sample(limits: TraceLimits)(partitions: (Long, Long)*): (Seq[Long], Seq[Long]) = {
    val all      = new PartitionSample(limits)
    var searched = Vector.empty[Long]
    partitions.foreach { case (hash, rows) =>
      all.add(hash, rows) {
        searched :+= hash
        ClauseTrace.none(0).copy(rows = hash)
      }
    }
    (all.traces.map(_.rows), searched)
  }

  test("an input within the limits is searched whole, in its order") {
    val all = Seq(5L -> 3L, 1L -> 4L, 3L -> 3L)
    assert(sample(TraceLimits(3, 10))(all: _*) == ((Seq(5L, 1L, 3L), Seq(5L, 1L, 3L))))
  }

  test("the smallest hashes are kept, whatever the order") {
    val random = new Random(18)
    val all    = (1L to 200L).map(_ -> 1L)
    for (_ <- 1 to 20) {
      val (kept, searched) = sample(TraceLimits(10, 1000))(random.shuffle(all): _*)
      assert(kept.toSet == (1L to 10L).toSet)
      // About 10 (1 + ln 20) = 40 searches.
      assert(searched.size < 80)
    }
  }

  test("the rows of all partitions together are bounded, and one partition is always kept") {
    assert(sample(TraceLimits(9, 10))(4L -> 5L, 2L -> 5L, 1L -> 1L)._1 == Seq(2L, 1L))
    assert(sample(TraceLimits(9, 10))(4L -> 10L, 2L -> 10L)._1 == Seq(2L))
    assert(sample(TraceLimits(9, 10))(2L -> 10L, 4L -> 10L) == ((Seq(2L), Seq(2L))))
  }

  test("once a partition was dropped, none with a larger hash is added, even if it would fit") {
    assert(sample(TraceLimits(9, 10))(1L -> 4L, 5L -> 7L, 6L -> 1L)._1 == Seq(1L))
  }
}
