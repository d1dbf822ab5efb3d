package org.matchrecognize.spark.pattern.threads

import java.util.{HashSet, TreeMap}

import scala.collection.mutable.ArrayBuffer

import org.matchrecognize.spark.pattern.matching.RowConditions
import org.matchrecognize.spark.pattern.program.Program

/**
 * States before some rows of a partition from which no match came. A search from a later start row
 * that reaches one of them need not continue from there.
 *
 * '''Why it is exact.''' The matches that can follow from a state depend on the place, the
 * registers, and what the conditions that can still be tested read of the slots. They also depend
 * on the rows that follow, which are the same for all start rows of the partition. This does not
 * hold for conditions that depend on where their match starts, or on its number
 * ([[RowConditions.dependsOnStart]]): states that can reach such conditions are not noted. When a
 * search is over, all threads that it had since it last accepted have failed: none was dropped
 * because another was preferred.
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
