package org.matchrecognize.spark.streaming

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.matchrecognize.spark.pattern.matching.{StateInput, StateOutput}

/** Spark calls for a key at the first watermark that the key waits for. */
class KeyTimersSuite extends AnyFunSuite {

  /** Spark's timers of one key, which refuses what Spark would warn about. */
  final private class Key {
    val registered = mutable.SortedSet.empty[Long]
    var operations = 0
    val timers     = new KeyTimers(
      time => {
        operations += 1
        assert(registered.add(time), "registered twice")
      },
      time => {
        operations += 1
        assert(registered.remove(time), "deleted, but not registered")
      }
    )

    /** As a micro-batch at this watermark calls; gives how often. */
    def batch(watermark: Long, hasRows: Boolean)(body: => Unit): Int = {
      def call(isTimer: Boolean): Unit = {
        restart()
        timers.begin(watermark, isTimer)
        body
      }
      if (hasRows) call(isTimer = false)
      val expired = registered.takeWhile(_ <= watermark).toSeq
      expired.foreach { time =>
        call(isTimer = true)
        assert(registered.remove(time), "deleted while Spark calls for it")
      }
      expired.size + (if (hasRows) 1 else 0)
    }

    private def restart(): Unit = {
      val out = new StateOutput
      timers.write(out)
      timers.clear()
      timers.read(new StateInput(out.toByteArray))
    }
  }

  for (seed <- 1 to 40) test(s"random rows, ends and watermarks: $seed") {
    val random    = new Random(seed.toLong)
    val key       = new Key
    var watermark = 0L
    // What the key waits for.
    val rows            = mutable.SortedSet.empty[Long]
    var end             = Option.empty[Long]
    def due             = (rows.headOption ++ end).reduceOption(_ min _)
    var (calls, inVain) = (0, 0)
    for (_ <- 1 to 500) {
      watermark += random.nextInt(10)
      val hasRows = random.nextInt(3) == 0
      val wasDue  = due.exists(_ <= watermark)
      var isFirst = true
      val called  = key.batch(watermark, hasRows) {
        if (hasRows && isFirst)
          (0 to random.nextInt(3)).foreach(_ => rows += watermark + 1 + random.nextInt(20))
        isFirst = false
        rows --= rows.takeWhile(_ <= watermark).toSeq
        if (end.exists(_ <= watermark) || random.nextInt(4) == 0)
          end = Some(watermark + 1 + random.nextInt(60)).filter(_ => random.nextInt(4) > 0)
        if (due.isEmpty && random.nextBoolean()) key.timers.remove()
        else due.foreach(time => key.timers.await(time, isRow = rows.headOption.contains(time)))
      }
      assert(!wasDue || called > 0)
      assert(due.forall(_ > watermark))
      assert(key.registered.size <= 2 && key.registered.forall(_ > watermark))
      calls += called
      if (!wasDue && !hasRows) inVain += called
    }
    key.timers.remove()
    assert(key.registered.isEmpty)
    assert(inVain < calls / 4)
  }

  test("rows before the end of WITHIN leave its timer alone") {
    val key = new Key
    key.batch(0, hasRows = true)(key.timers.await(10, isRow = true))
    key.batch(10, hasRows = false)(key.timers.await(100, isRow = false))
    // 10 and 100; Spark itself deletes 10.
    assert(key.operations == 2)
    key.batch(12, hasRows = true)(key.timers.await(20, isRow = true))
    assert(key.registered.toSeq == Seq(20L, 100L) && key.operations == 3)
    // An earlier row takes the place of a later one.
    key.batch(13, hasRows = true)(key.timers.await(15, isRow = true))
    assert(key.registered.toSeq == Seq(15L, 100L) && key.operations == 5)
    // A later one waits for the earlier one's timer.
    key.batch(14, hasRows = true)(key.timers.await(16, isRow = true))
    assert(key.registered.toSeq == Seq(15L, 100L) && key.operations == 5)
    assert(key.batch(15, hasRows = false)(key.timers.await(16, isRow = true)) == 1)
    assert(key.registered.toSeq == Seq(16L, 100L) && key.operations == 6)
    // The end of the next match is later, and that timer stays.
    key.batch(16, hasRows = false)(key.timers.await(130, isRow = false))
    assert(key.registered.toSeq == Seq(100L) && key.operations == 6)
    assert(key.batch(100, hasRows = false)(key.timers.await(130, isRow = false)) == 1)
    assert(key.registered.toSeq == Seq(130L) && key.operations == 7)
  }

  test("rows at a watermark that has reached a timer leave Spark nothing to call for") {
    val key = new Key
    key.batch(0, hasRows = true)(key.timers.await(10, isRow = true))
    assert(key.batch(10, hasRows = true)(key.timers.await(30, isRow = true)) == 1)
    assert(key.registered.toSeq == Seq(30L))
  }

  test("two timers that come at once leave none") {
    val key = new Key
    key.batch(0, hasRows = true)(key.timers.await(20, isRow = false))
    key.batch(1, hasRows = true)(key.timers.await(10, isRow = true))
    assert(key.registered.toSeq == Seq(10L, 20L))
    assert(key.batch(30, hasRows = false)(key.timers.remove()) == 2)
    assert(key.registered.isEmpty)
  }
}
