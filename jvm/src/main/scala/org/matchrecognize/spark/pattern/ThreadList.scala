package org.matchrecognize.spark.pattern

import java.util.Arrays

/**
 * Threads in front of a row, in preference order. A thread is a place in the program with its
 * registers, slots and path. They lie in arrays, by field: a thread that maps a row makes no object
 * but what it has mapped.
 */
final private[pattern] class ThreadList[S <: AnyRef] {
  private var places      = new Array[Int](16)
  private var registersOf = new Array[Array[Int]](16)
  private var slotsOf     = new Array[AnyRef](16)
  private var paths       = new Array[Path](16)
  private var ends        = new Array[Long](16)
  private var count       = 0

  def size: Int        = count
  def isEmpty: Boolean = count == 0

  /** Where the i-th rests: a [[Resting]] instruction. */
  def at(i: Int): Int               = places(i)
  def registers(i: Int): Array[Int] = registersOf(i)
  def slots(i: Int): S              = slotsOf(i).asInstanceOf[S]
  def path(i: Int): Path            = paths(i)

  /** The row behind the last that it has mapped. */
  def end(i: Int): Long = ends(i)

  /** Adds one, less preferred than all. */
  def add(at: Int, registers: Array[Int], slots: S, path: Path, end: Long): Unit = {
    if (count == places.length) grow()
    places(count) = at
    registersOf(count) = registers
    slotsOf(count) = slots
    paths(count) = path
    ends(count) = end
    count += 1
  }

  def clear(): Unit = {
    // A path that nobody goes on with would keep all before it.
    Arrays.fill(registersOf.asInstanceOf[Array[AnyRef]], 0, count, null)
    Arrays.fill(slotsOf, 0, count, null)
    Arrays.fill(paths.asInstanceOf[Array[AnyRef]], 0, count, null)
    count = 0
  }

  private def grow(): Unit = {
    val more = count * 2
    places = Arrays.copyOf(places, more)
    registersOf = Arrays.copyOf(registersOf, more)
    slotsOf = Arrays.copyOf(slotsOf, more)
    paths = Arrays.copyOf(paths, more)
    ends = Arrays.copyOf(ends, more)
  }
}
