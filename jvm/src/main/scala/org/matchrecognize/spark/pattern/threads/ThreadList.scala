package org.matchrecognize.spark.pattern.threads

import java.util.Arrays

import org.matchrecognize.spark.pattern.matching.{
  ChainReader,
  ChainWriter,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}
import org.matchrecognize.spark.pattern.program.Path

/**
 * Threads before a row, in preference order. A thread is a place in the program with its
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

  /** The row after the last that it has mapped. */
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

  /** Adds one of another list, as it is. */
  def add(from: ThreadList[S], i: Int): Unit =
    add(from.at(i), from.registers(i), from.slots(i), from.path(i), from.end(i))

  /** Adds those of another list from one up to another. */
  def addAll(from: ThreadList[S], start: Int, end: Int): Unit = {
    var i = start
    while (i < end) {
      add(from, i)
      i += 1
    }
  }

  /**
   * All have mapped the rows before `row`. The i-th has taken the path `pathOf(i)` then, and its
   * registers are `registersAfter(i)`.
   */
  def moveTo(row: Long, pathOf: Int => Path, registersAfter: Int => Array[Int]): Unit = {
    var i = 0
    while (i < count) {
      ends(i) = row
      paths(i) = pathOf(i)
      registersOf(i) = registersAfter(i)
      i += 1
    }
  }

  /** Drops all but those from one up to another. */
  def retain(from: Int, until: Int): Unit = if (from > 0 || until < count) {
    val rest = until - from
    System.arraycopy(places, from, places, 0, rest)
    System.arraycopy(registersOf, from, registersOf, 0, rest)
    System.arraycopy(slotsOf, from, slotsOf, 0, rest)
    System.arraycopy(paths, from, paths, 0, rest)
    System.arraycopy(ends, from, ends, 0, rest)
    forget(rest)
  }

  def clear(): Unit = forget(0)

  /** Whether its threads are at the same places with the same slots, as objects. */
  def hasSamePlacesAndSlots(that: ThreadList[S]): Boolean = {
    var i = 0
    while (i < count && i < that.count && places(i) == that.places(i) &&
      (slotsOf(i) eq that.slotsOf(i))) i += 1
    i == count && i == that.count
  }

  /** Whether its threads have the same registers as those of a list of the same size. */
  def hasSameRegisters(that: ThreadList[S]): Boolean = {
    var i = 0
    while (i < count && Arrays.equals(registersOf(i), that.registersOf(i))) i += 1
    i == count
  }

  /** Drops those from one on. */
  private def forget(from: Int): Unit = {
    // A path that no thread continues would keep all labels before it.
    var i = from
    while (i < count) {
      registersOf(i) = null
      slotsOf(i) = null
      paths(i) = null
      i += 1
    }
    count = from
  }

  /** Writes those from one on, before a row. */
  def write(
      out: StateOutput,
      from: Int,
      row: Long,
      slotsWriter: SlotsWriter[S],
      pathsWriter: ChainWriter[Path]): Unit = {
    out.writeNumber((count - from).toLong)
    var i = from
    while (i < count) {
      out.writeNumber(places(i).toLong)
      registersOf(i).foreach(register => out.writeSigned(register.toLong))
      out.writeNumber(row - ends(i))
      slotsWriter.write(slots(i))
      pathsWriter.write(paths(i))
      i += 1
    }
  }

  /** Holds what [[write]] wrote, before the same row, and nothing else. */
  def read(
      in: StateInput,
      registerCount: Int,
      row: Long,
      slotsReader: SlotsReader[S],
      pathsReader: ChainReader[Path]): Unit = {
    clear()
    var left = in.readInt()
    while (left > 0) {
      val at        = in.readInt()
      val registers = Array.fill(registerCount)(in.readSigned().toInt)
      val end       = row - in.readNumber()
      add(at, registers, slotsReader.read(), pathsReader.read(), end)
      left -= 1
    }
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
