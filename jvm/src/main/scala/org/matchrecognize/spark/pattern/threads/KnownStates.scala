package org.matchrecognize.spark.pattern.threads

import java.util.{Arrays, HashSet, TreeMap}

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.matching.{Budget, RowConditions}
import org.matchrecognize.spark.pattern.program.{Mixing, Program}

/**
 * The states that were left already before one row: place, registers, and what the conditions
 * reachable from the place see of the slots.
 */
final private[pattern] class VisitedStates[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    budget: Budget) {
  final private val maxReusedSize = 256

  /** Places whose state is the place alone, since nothing is counted and no slot is read. */
  private val placeAlone: Array[Boolean] =
    program.reachable.map(reachable => program.registers == 0 && !conditions.hasFuture(reachable))

  private val lookUpCost = new LookUpCosts(program, conditions)

  /** By place, the generation in which it was last left, and the state that left it first. */
  private val leftIn    = new Array[Int](program.instructions.length)
  private val registers = new Array[Array[Int]](program.instructions.length)
  private val slots     = new Array[AnyRef](program.instructions.length)

  private var generation = 1

  /** All further states. */
  private var states = new HashSet[State[S]]

  /** How many states take memory. */
  def size: Int = states.size

  /** Forgets all: the threads are before another row. */
  def clear(): Unit = {
    generation += 1
    if (generation == Int.MaxValue) {
      Arrays.fill(leftIn, 0)
      generation = 1
    }
    // clear() takes as long as the table is large: a table that grew is thrown away.
    if (states.size > maxReusedSize) states = new HashSet[State[S]]
    else if (!states.isEmpty) states.clear()
  }

  /** Whether the state is left for the first time. */
  def add(at: Int, registers: Array[Int], slots: S): Boolean =
    if (leftIn(at) != generation) {
      leftIn(at) = generation
      this.registers(at) = registers
      this.slots(at) = slots
      true
    } else {
      !placeAlone(at) && isNew(at, registers, slots)
    }

  private def isNew(at: Int, registers: Array[Int], slots: S): Boolean = {
    budget.spend(lookUpCost(at))
    !isFirst(at, registers, slots) &&
    states.add(new State(at, program.reachable(at), registers, slots, conditions))
  }

  /** Whether it is the state that left the place first: mostly there is no other. */
  private def isFirst(at: Int, registers: Array[Int], slots: S): Boolean =
    Arrays.equals(this.registers(at), registers) && (slots.eq(this.slots(at)) ||
      conditions.sameFuture(program.reachable(at), slots, this.slots(at).asInstanceOf[S]))
}

/** Equal to another if no condition that a thread can still test distinguishes them. */
final private class State[S <: AnyRef](
    val at: Int,
    reachable: Int,
    val registers: Array[Int],
    val slots: S,
    conditions: RowConditions[S]) {

  override val hashCode: Int =
    Mixing.mix(Mixing.mix(at, registers), conditions.futureHash(reachable, slots))

  override def equals(other: Any): Boolean = {
    // They live in one set of one matcher.
    val that = other.asInstanceOf[State[S]]
    at == that.at && Arrays.equals(registers, that.registers) &&
    (slots.eq(that.slots) || conditions.sameFuture(reachable, slots, that.slots))
  }
}

/** What it costs to look up the state of a thread, by place. */
final private[pattern] class LookUpCosts(program: Program, conditions: RowConditions[_]) {

  /** Filled when a thread is there, since what conditions see is found out then. */
  private val known = new Array[Int](program.instructions.length)

  def apply(at: Int): Int = {
    if (known(at) == 0) {
      val reachable = program.reachable(at)
      val seen      = if (conditions.hasFuture(reachable)) conditions.futureCost(reachable) else 0
      known(at) = Budget.ofLookUp(program) + seen
    }
    known(at)
  }
}

/**
 * States before some rows of a partition from which no match came. A search from a later start row
 * that reaches one of them need not continue from there.
 *
 * '''Why it is exact.''' The matches that can follow from a state depend on the place, the
 * registers, and what the conditions that can still be tested read of the slots. They also depend
 * on the rows that follow, which are the same for all start rows of the partition. This does not
 * hold for conditions that depend on where their match starts, or on its number
 * ([[RowConditions.dependsOnStart]]): states that can reach such conditions are not noted. When a
 * search is over, all threads that it had since it last accepted have failed. None was dropped but
 * for a preferred thread in the same state, which failed, too.
 *
 * '''Where.''' A search that has lasted 4, 8, 16, ... rows notes the states before the next row.
 * So little is noted. Yet if all start rows fail alike, the searches from n of them take n log n
 * steps together: a search that begins between two rows with known states ends at the second, and
 * notes some states of its own before that. As long as no noted state turns out to be useful, only
 * long searches note states. Then none does until the steps of all searches have doubled, and only
 * the states of the last search that did are known: so searches that could have learned take at most
 * as many steps as those before them.
 *
 * @param remembers
 *   false if start rows cannot learn from each other: then nothing is noted
 */
final private[pattern] class FailedStates[S <: AnyRef](
    program: Program,
    conditions: RowConditions[S],
    remembers: Boolean) {

  /** Rows that a search has lasted when it first notes its states. */
  final private val soon = 4L
  final private val late = 64L

  /** Searches that may leave states of no use before only long ones note theirs. */
  final private val patience = 64

  /** More before one row are not noted: they would take much memory. */
  final private val mostStates = 4096

  /** By place, whether its states mean the same whatever the start row. */
  private val shared: Array[Boolean] = program.reachable.map(!conditions.dependsOnStart(_))

  /** By the number of rows before. */
  private val known = new TreeMap[java.lang.Long, HashSet[State[S]]]

  /** Of the search that runs, the same: those without a match so far. */
  private val noted = ArrayBuffer[(Long, HashSet[State[S]])]()

  private var start    = 0L
  private var nextNote = 0L

  /**
   * Searches since one last came to a known state that left some, and when the next notes first.
   */
  private var useless   = 0
  private var firstNote = soon

  /** The steps of all searches of the partition, and how many there are before one notes again. */
  private var allSteps    = 0L
  private var silentUntil = 0L

  /** The next row with known states, and the states known at the row of the search. */
  private var nextKnown               = Long.MaxValue
  private var here: HashSet[State[S]] = _

  def beginPartition(): Unit = {
    known.clear()
    noted.clear()
    allSteps = 0L
    silentUntil = 0L
  }

  /** The search that ran is over, after so many steps. */
  def ended(steps: Long): Unit = {
    allSteps += steps
    if (noted.nonEmpty) {
      useless += 1
      if (useless == patience) firstNote = late
      if (useless >= 2 * patience) {
        silentUntil = 2 * allSteps
        known.clear()
      }
      noted.foreach { case (nextRow, states) =>
        val before = known.putIfAbsent(nextRow, states)
        if (before != null) before.addAll(states)
      }
      noted.clear()
    }
  }

  /** A search begins at a later start row than those before. */
  def begin(row: Long): Unit = {
    while (!known.isEmpty && known.firstKey <= row) known.pollFirstEntry()
    start = row
    nextNote = if (!remembers || allSteps < silentUntil) Long.MaxValue else row + firstNote
    nextKnown = if (known.isEmpty) Long.MaxValue else known.firstKey
    here = null
  }

  /** The search continues before a row. */
  def moveTo(nextRow: Long): Unit =
    if (nextRow < nextKnown) here = null
    else {
      here = known.get(nextRow)
      val next = known.higherKey(nextRow)
      nextKnown = if (next == null) Long.MaxValue else next
    }

  /** The first row at which states are known, or are to be noted. */
  def nextMatters: Long = math.min(nextKnown, nextNote)

  /** The search continues from an earlier row. */
  def goBackTo(nextRow: Long): Unit = {
    val next = known.ceilingKey(nextRow)
    nextKnown = if (next == null) Long.MaxValue else next
    moveTo(nextRow)
  }

  /** Whether a thread that would wait here is known to fail. */
  def contains(at: Int, registers: Array[Int], slots: S, end: Long): Boolean = {
    val found = here != null && isShared(at, end) && here.contains(state(at, registers, slots))
    if (found) {
      useless = 0
      firstNote = soon
      silentUntil = 0L
    }
    found
  }

  /** The search accepted: what was noted may have led there, or have been less preferred. */
  def accepted(): Unit = noted.clear()

  /** Notes the threads before the next row, if it is time. */
  def note(nextRow: Long, threads: ThreadList[S]): Unit =
    if (nextRow >= nextNote) {
      nextNote = start + 2 * (nextRow - start)
      if (threads.size <= mostStates) {
        val states = new HashSet[State[S]]
        var i      = 0
        while (i < threads.size) {
          if (isShared(threads.at(i), threads.end(i))) {
            states.add(state(threads.at(i), threads.registers(i), threads.slots(i)))
          }
          i += 1
        }
        if (!states.isEmpty) noted += nextRow -> states
      }
    }

  /** Rows are passed over only once one is mapped: those that have none are left alone. */
  private def isShared(at: Int, end: Long): Boolean = shared(at) && end > start

  private def state(at: Int, registers: Array[Int], slots: S): State[S] = {
    val reachable = program.reachable(at)
    val seen      = if (conditions.hasFuture(reachable)) slots else null.asInstanceOf[S]
    new State(at, reachable, registers, seen, conditions)
  }
}
