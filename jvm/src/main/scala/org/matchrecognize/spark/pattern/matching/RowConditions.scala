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
   * Whether `row` would satisfy the variable's condition after `slots`, with the row itself counted
   * as mapped for this test alone.
   */
  def satisfies(variable: Int, row: Long, slots: S): Boolean = map(variable, row, slots) != null

  /**
   * The first row, from `from` to before `until`, whose verdict differs for a thread with these
   * slots, or whose test fails with an error: the search tests it again if it comes there. `until`
   * if there is none. Each row is tested for itself.
   *
   * @param taken
   *   the verdict so far: mapped, with the slots left as they were; or not
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

  /** What [[map]] costs with a variable, in the steps of [[Budget]]. */
  def mapCost(variable: Int): Int = 1

  /** What [[futureHash]] and [[sameFuture]] cost together, in those steps. */
  def futureCost(reachable: Int): Int = 2

  /** The row that AFTER MATCH SKIP TO a variable designates, or -1 if the match has none. */
  def skipTarget(slots: S): Long
}

/**
 * Conditions that the row alone decides, tested on the rows of a complete partition. Rows that
 * satisfy the same variables are of one *class*.
 */
trait RowVerdicts {

  /**
   * Tests the rows of a partition that has arrived as a whole.
   *
   * @return
   *   false if a condition failed with an error at some row: then only a search that tests nothing
   *   ahead can say whether the row is ever tested for it
   */
  def classify(rows: Long): Boolean

  /** The class of a row, from 0; classes are numbered as they are met, for all partitions. */
  def classOf(row: Long): Int

  /** Whether rows of a class satisfy a variable. */
  def satisfies(rowClass: Int, variable: Int): Boolean
}

/**
 * Finds the rows at which the verdict of a condition changes, for slots that stay the same. A search
 * whose threads wait skips the rows before.
 *
 * @tparam S
 *   the slots of one thread
 */
trait VerdictChanges[-S] {

  /** Another partition begins. */
  def beginPartition(): Unit

  /** A search begins at a start row: no row before it is asked about again. */
  def begin(start: Long): Unit

  /**
   * Returns a row such that all rows before it, from `from` on, have the same verdict. It is the
   * first that has the other one, or an earlier row where that cannot be found out in little time.
   * Returns [[VerdictChanges.unknown]] if nothing but a test says what the verdict of a row is.
   *
   * @param variable
   *   whose condition is tested
   * @param slots
   *   those of the thread, which a row mapped to the variable leaves as they are
   * @param satisfied
   *   the verdict of the row before `from`, which was tested
   * @param until
   *   the row after the last that can be read; returned if no row before it has the other verdict
   */
  def firstChange(variable: Int, slots: S, satisfied: Boolean, from: Long, until: Long): Long
}

object VerdictChanges {
  val unknown: Long = -1L
}

/**
 * WITHIN, as a search reads it: how far from its first row a match can go. Rows within the bound
 * of a match lie before those beyond it.
 */
trait WithinBound {

  /**
   * A match is to begin at a row.
   *
   * @return
   *   false if none can, not even an empty one: the first ORDER BY key is NULL
   */
  def begin(row: Long): Boolean

  /** Whether a row, from the first of the match on, is within the bound. */
  def contains(row: Long): Boolean

  /** Whether no row that is still to come can be within the bound. */
  def hasPassed: Boolean = false
}

/** For the rows of a complete partition: from which positions a match can be completed. */
private[pattern] trait Completions {

  /**
   * Takes up a partition whose rows are classified.
   *
   * @return
   *   false if it is too long for this
   */
  def prepare(rows: Long): Boolean

  /**
   * Whether a match can be completed with `row` mapped at `position`.
   *
   * @param horizon
   *   the first row that is too far from the first of the match for a variable with a bound
   */
  def contain(row: Long, position: Int, horizon: Long): Boolean
}

/**
 * A bound on how far from the first row of a match some variables can be: `ts <= A.ts + INTERVAL 1
 * HOUR`, where A is mapped to the first row and ts is what the partition is ordered by. Rows of
 * such a variable lie before a *horizon* that depends on the first row alone.
 */
trait Horizons {

  /**
   * Takes up a partition.
   *
   * @param isAsked
   *   whether a search that starts at a row can read its bound
   * @return
   *   false if the bound of such a row failed with an error
   */
  def prepare(rows: Long, isAsked: Long => Boolean): Boolean

  /** The first row from `start` on that is beyond the bound of a match that starts there. */
  def of(start: Long): Long
}

/**
 * [[Horizons]] and the variables that have the bound.
 *
 * @param bounded
 *   by variable, whether it has the bound
 * @param testsBoundFirst
 *   by variable, whether its condition can read the bound at a row that it then rejects
 */
final case class BoundedVariables(
    horizons: Horizons,
    bounded: IndexedSeq[Boolean],
    testsBoundFirst: IndexedSeq[Boolean])

/**
 * Is told what becomes of the threads of a search.
 *
 * @tparam S
 *   the slots of one thread, which say who it is
 */
abstract class SearchObserver[-S] {

  /**
   * The row of the last [[RowConditions.map]], which returned `slots`, is mapped: no stop condition
   * bars it. What is tested between the two calls is whether one does.
   */
  def mapped(slots: S): Unit = ()

  /** A thread waits for a row at an instruction of the program. */
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
}

object SearchObserver {

  /** Of a search that nobody observes. */
  val none: SearchObserver[Any] = new SearchObserver[Any] {}
}
