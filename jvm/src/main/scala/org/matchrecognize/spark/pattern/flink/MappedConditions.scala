package org.matchrecognize.spark.pattern.flink

import java.util.HashMap

import org.matchrecognize.spark.pattern.matching.{
  RowConditions,
  SearchObserver,
  SharedReader,
  SharedWriter,
  SlotsReader,
  SlotsWriter,
  StateInput,
  StateOutput
}

/**
 * The slots of all threads that map the same rows to the same variables: there is one of it for
 * each set of mappings.
 */
final private[pattern] class MappedSlots[S](val slots: S) {

  /** Whether there has been a match, or a time-out, of these mappings. */
  var isFound    = false
  var isTimedOut = false
}

/**
 * Conditions for which threads differ if their mappings do, whatever conditions can still read: a
 * matcher then merges no threads with different matches.
 */
final private[pattern] class MappedConditions[S <: AnyRef](conditions: RowConditions[S])
    extends RowConditions[MappedSlots[S]] {

  /** The row mapped last, and what it was mapped to, after what. */
  private var lastRow = -1L
  private val known   = new HashMap[(Int, MappedSlots[S]), MappedSlots[S]]

  override def beginPartition(): Unit = conditions.beginPartition()

  override def begin(row: Long, matchNumber: Long): MappedSlots[S] = {
    lastRow = -1
    new MappedSlots(conditions.begin(row, matchNumber))
  }

  override def map(variable: Int, row: Long, slots: MappedSlots[S]): MappedSlots[S] = {
    if (row != lastRow) {
      known.clear()
      lastRow = row
    }
    val step   = (variable, slots)
    val before = known.get(step)
    if (before != null) before
    else {
      val after = conditions.map(variable, row, slots.slots)
      if (after == null) null
      else {
        val mapped = new MappedSlots(after)
        known.put(step, mapped)
        mapped
      }
    }
  }

  override def satisfies(variable: Int, row: Long, slots: MappedSlots[S]): Boolean =
    conditions.satisfies(variable, row, slots.slots)

  override def canLookAhead: Boolean = conditions.canLookAhead

  override def isDecided(variable: Int, row: Long, slots: MappedSlots[S]): Boolean =
    conditions.isDecided(variable, row, slots.slots)

  override def sameFuture(reachable: Int, a: MappedSlots[S], b: MappedSlots[S]): Boolean = a eq b

  override def futureHash(reachable: Int, slots: MappedSlots[S]): Int =
    System.identityHashCode(slots)

  override def hasFuture(reachable: Int): Boolean = true

  override def dependsOnStart(reachable: Int): Boolean = conditions.dependsOnStart(reachable)

  override def mapCost(variable: Int): Int = conditions.mapCost(variable) + 6

  override def skipTarget(slots: MappedSlots[S]): Long = conditions.skipTarget(slots.slots)

  override def beginAlone(row: Long, matchNumber: Long): MappedSlots[S] = alone

  override def extend(variable: Int, row: Long, slots: MappedSlots[S]): MappedSlots[S] = alone

  private def alone = throw new IllegalStateException("all matches are not those of one thread")
}

/** Tells an observer of the slots of such threads. */
final private[pattern] class MappedObserver[S](observer: SearchObserver[S])
    extends SearchObserver[MappedSlots[S]] {
  override def mapped(slots: MappedSlots[S]): Unit         = observer.mapped(slots.slots)
  override def waits(at: Int, slots: MappedSlots[S]): Unit = observer.waits(at, slots.slots)
  override def passes(slots: MappedSlots[S]): Unit         = observer.passes(slots.slots)
  override def completes(slots: MappedSlots[S]): Unit      = observer.completes(slots.slots)

  override def dropped(at: Int, slots: MappedSlots[S], fails: Boolean): Unit =
    observer.dropped(at, slots.slots, fails)
}

/** Writes such slots once, however many threads have them. */
final private[pattern] class MappedWriter[S](out: StateOutput, slotsWriter: SlotsWriter[S])
    extends SlotsWriter[MappedSlots[S]] {
  private val shared = new SharedWriter[MappedSlots[S]](out)({ mapped =>
    slotsWriter.write(mapped.slots)
    out.writeNumber((if (mapped.isFound) 1L else 0L) + (if (mapped.isTimedOut) 2L else 0L))
  })

  override def write(mapped: MappedSlots[S]): Unit = shared.write(mapped)
}

/** Reads what a [[MappedWriter]] wrote. */
final private[pattern] class MappedReader[S](in: StateInput, slotsReader: SlotsReader[S])
    extends SlotsReader[MappedSlots[S]] {
  private val shared = new SharedReader[MappedSlots[S]](in)({
    val mapped = new MappedSlots(slotsReader.read())
    val flags  = in.readInt()
    mapped.isFound = (flags & 1) != 0
    mapped.isTimedOut = (flags & 2) != 0
    mapped
  })

  override def read(): MappedSlots[S] = shared.read()
}
