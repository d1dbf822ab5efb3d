package org.matchrecognize.spark.pattern.threads

import scala.collection.mutable.ArrayBuffer

/**
 * States of threads, as places with a range for each register. A *box* is the lowest value of each
 * register, followed by the highest of each: it stands for every combination of values between.
 *
 * The boxes of a place together stand for all states that were added, and for others only where
 * there would be more than a few boxes: the new box is then widened to cover the nearest one, too.
 * Callers may thus follow states that no thread has, but miss none that one has.
 *
 * @param registers
 *   how many registers a thread has
 * @param mostOfPlace
 *   the most boxes of a place
 */
final private[pattern] class CountRanges(places: Int, registers: Int, mostOfPlace: Int) {
  private val boxes     = new Array[ArrayBuffer[Array[Int]]](places)
  private val used      = new Array[Int](places)
  private var usedCount = 0
  private var boxCount  = 0

  /** How many boxes there are. */
  def size: Int = boxCount

  def isEmpty: Boolean = boxCount == 0

  /** Whether a place has boxes. */
  def contains(at: Int): Boolean = boxes(at) != null && boxes(at).nonEmpty

  def clear(): Unit = {
    var i = 0
    while (i < usedCount) {
      boxes(used(i)).clear()
      i += 1
    }
    usedCount = 0
    boxCount = 0
  }

  /** Calls `action` with each place and box, until it returns false. */
  def forall(action: (Int, Array[Int]) => Boolean): Boolean = {
    var i    = 0
    var goOn = true
    while (i < usedCount && goOn) {
      val here = boxes(used(i))
      var j    = 0
      while (j < here.size && goOn) {
        goOn = action(used(i), here(j))
        j += 1
      }
      i += 1
    }
    goOn
  }

  /**
   * Adds the states of a box at a place.
   *
   * @return
   *   a box with all of them that the place did not have before; null if it had all
   */
  def add(at: Int, box: Array[Int]): Array[Int] = {
    if (boxes(at) == null) boxes(at) = new ArrayBuffer[Array[Int]](2)
    val here = boxes(at)
    if (here.exists(covers(_, box))) null
    else {
      if (here.isEmpty) {
        used(usedCount) = at
        usedCount += 1
      }
      val before   = here.size
      val isJoined = joining(here, box) >= 0
      val added    = if (isJoined || here.size < mostOfPlace) box else widen(here, box)
      if (added eq box) {
        // What joins grows until it joins nothing more.
        var grown = box
        var i     = joining(here, grown)
        while (i >= 0) {
          grown = hull(here.remove(i), grown)
          i = joining(here, grown)
        }
        here += grown
      }
      boxCount += here.size - before
      added
    }
  }

  private def joining(here: ArrayBuffer[Array[Int]], box: Array[Int]): Int =
    here.indexWhere(joins(_, box))

  /** Covers a box together with the nearest one, in the place of that. */
  private def widen(here: ArrayBuffer[Array[Int]], box: Array[Int]): Array[Int] = {
    val nearest = here.indices.minBy(i => distance(here(i), box))
    val widened = hull(here(nearest), box)
    here(nearest) = widened
    widened
  }

  private def covers(a: Array[Int], b: Array[Int]): Boolean = {
    var i = 0
    while (i < registers && a(i) <= b(i) && a(registers + i) >= b(registers + i)) i += 1
    i == registers
  }

  /**
   * Whether two boxes together are a box: the second covers the first, or they differ in the range
   * of one register, and no value lies between these ranges.
   */
  private def joins(a: Array[Int], b: Array[Int]): Boolean = covers(b, a) || {
    var different = -1
    var i         = 0
    while (i < registers && different < registers) {
      if (a(i) != b(i) || a(registers + i) != b(registers + i)) {
        different = if (different < 0) i else registers
      }
      i += 1
    }
    different < registers && {
      val gap =
        math.max(a(different), b(different)).toLong -
          math.min(a(registers + different), b(registers + different))
      gap <= 1
    }
  }

  private def hull(a: Array[Int], b: Array[Int]): Array[Int] =
    Array.tabulate(2 * registers) { i =>
      if (i < registers) math.min(a(i), b(i)) else math.max(a(i), b(i))
    }

  /** How many values, over all registers, cover neither box but both together. */
  private def distance(a: Array[Int], b: Array[Int]): Long = {
    var sum = 0L
    var i   = 0
    while (i < registers) {
      val gap =
        math.max(a(i), b(i)).toLong - math.min(a(registers + i), b(registers + i))
      sum += math.max(gap, 0L)
      i += 1
    }
    sum
  }
}
