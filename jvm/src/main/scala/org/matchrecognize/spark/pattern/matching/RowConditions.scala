package org.matchrecognize.spark.pattern.matching

import scala.util.control.NonFatal

/**
 * What a matcher sees of the outside: the conditions, and the slots in which they keep what they
 * need of the rows mapped so far.
 *
 * A slot holds what a navigation or an aggregate needs: the index of a row, the last n of them, an
 * accumulator. Slots are values: mapping a row gives new ones and leaves the old as they were, so
 * that threads can share them.
 *
 * @tparam S
 *   the slots of one thread
 */
trait RowConditions[S <: AnyRef] {

  /** Another partition begins: rows are numbered from 0 again. */
  def beginPartition(): Unit

  /**
   * The slots of a match that has mapped no row yet.
   *
   * @param row
   *   index in the partition of the first row that it will map
   * @param matchNumber
   *   the number that it would get
   */
  def begin(row: Long, matchNumber: Long): S

  /**
   * The slots after `row` is mapped to `variable`, or null if the row does not satisfy the
   * variable's condition, with the row itself counted as mapped.
   */
  def map(variable: Int, row: Long, slots: S): S

  /**
   * The row of the last [[map]], which returned `slots`, is mapped: no stop condition bars it. What
   * is tested between the two calls is whether one does.
   */
  def mapped(slots: S): Unit = ()

  /** A thread with these slots waits for a row at an instruction of the program. */
  def waits(at: Int, slots: S): Unit = ()

  /**
   * A thread is dropped where it would wait for a row.
   *
   * @param fails
   *   whether an earlier start row has failed from its state; if not, a thread that is preferred has
   *   the same continuations
   */
  def dropped(at: Int, slots: S, fails: Boolean): Unit = ()

  /** A thread passes over the row that it was offered, and stays where it is. */
  def passes(slots: S): Unit = ()

  /** A thread has completed a match, which a preferred thread may still replace. */
  def completes(slots: S): Unit = ()

  /**
   * Whether `row` would satisfy the variable's condition after `slots`, with the row itself counted
   * as mapped for this test alone.
   */
  def satisfies(variable: Int, row: Long, slots: S): Boolean = map(variable, row, slots) != null

  /**
   * The first row, from `from` to before `until`, that a thread with these slots does not take as
   * it took the rows before; `until` if it takes all of them so. Each row is tested for itself.
   *
   * @param taken
   *   how it took them: mapped, with the slots left as they were; or not
   * @return
   *   a row whose test fails with an error ends them, too: the search tests it again if it comes
   *   there
   */
  def firstOther(variable: Int, slots: S, taken: Boolean, from: Long, until: Long): Long = {
    def isTakenSo(row: Long) =
      try {
        val mapped = map(variable, row, slots)
        if (taken) mapped eq slots else mapped == null
      } catch { case NonFatal(_) => false }
    var row = from
    while (row < until && isTakenSo(row)) row += 1
    row
  }

  /** Whether a condition can look at rows after the one that is tested. */
  def canLookAhead: Boolean = false

  /**
   * Whether the verdict on a row, after `slots`, is the same whatever rows follow those that have
   * come. What is not known depends on them.
   */
  def isDecided(variable: Int, row: Long, slots: S): Boolean = false

  /**
   * The same as [[begin]], for a match that has one thread: [[extend]] may change these slots. They
   * may be those of an earlier call, begun anew.
   */
  def beginAlone(row: Long, matchNumber: Long): S

  /**
   * The slots of [[beginAlone]] after `row`, which is known to satisfy the variable's condition, is
   * mapped to it.
   */
  def extend(variable: Int, row: Long, slots: S): S

  /**
   * Whether no condition of the variables in `Program.reachableSets(reachable)` can ever
   * distinguish `a` from `b`.
   */
  def sameFuture(reachable: Int, a: S, b: S): Boolean

  /** A hash that agrees with [[sameFuture]]. */
  def futureHash(reachable: Int, slots: S): Int

  /** Whether [[sameFuture]] depends on the slots at all. */
  def hasFuture(reachable: Int): Boolean

  /**
   * Whether a condition of these variables depends on where its match starts, or on its number, by
   * more than the slots.
   */
  def dependsOnStart(reachable: Int): Boolean

  /**
   * Whether the row alone decides if it satisfies the variable, and mapping it leaves all slots as
   * they are.
   */
  def leavesNoTrace(variable: Int): Boolean

  /** What [[map]] costs with a variable, in the steps of [[Budget]]. */
  def mapCost(variable: Int): Int = 1

  /** What [[futureHash]] and [[sameFuture]] cost together, in those steps. */
  def futureCost(reachable: Int): Int = 2

  /** The row that AFTER MATCH SKIP TO a variable designates, or -1 if the match has none. */
  def skipTarget(slots: S): Long
}
