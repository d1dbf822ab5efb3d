package org.matchrecognize.spark.pattern.search

import org.matchrecognize.spark.pattern.matching.{
  IncomingRows,
  Limits,
  RowConditions,
  SearchResult
}
import org.matchrecognize.spark.pattern.program.Program
import org.matchrecognize.spark.pattern.threads.JointSearch
import org.matchrecognize.spark.pattern.threads.JointSearch.Outcome

/**
 * Decides how many start rows are searched together, and knows those without a match.
 *
 * A window of start rows follows a search that failed late. It has as many start rows as that search
 * read rows, so the rows to keep are about twice as many. If one of them may have a match, the next
 * window is half as long. The last few start rows are searched one by one, each as if there was no
 * joint search. After each success, the next window is longer, if the joint search read more rows
 * after its window than the window has.
 *
 * '''At worst a constant factor is lost.''' The steps of joint searches that ruled nothing out are
 * never more than those of all other searches. A joint search never takes more steps than the
 * searches from its start rows would take, if they are like the last one that failed.
 *
 * '''No query fails for it.''' A joint search gives back to the budget what it has spent, and gives up
 * where nothing is left: the start rows are then searched one by one.
 */
final private[search] class HopelessStarts[S <: AnyRef] private (
    joint: JointSearch[S],
    limits: Limits,
    options: JointOptions) {
  import HopelessStarts._

  /** Start rows before it have no match. */
  private var ruledOutEnd = 0L

  /** Whether a joint search has begun. */
  private var hasBegun = false

  /** Start rows of the next window; 0 before a search has failed. */
  private var window = 0L

  /** Steps and rows of the last search from one start row, which failed. */
  private var lastSteps = 0L
  private var lastRows  = 0L

  /**
   * How many steps joint searches may take: those of useful searches so far, less those of joint
   * searches that ruled nothing out.
   */
  private var stepAllowance = 0L

  /** How many times [[lastSteps]] the allowance must be before a joint search begins. */
  private var requiredRatio = options.leastFactor

  /** Whether a joint search is allowed at the next start row. */
  private var mayBegin   = false
  private var totalSteps = 0L
  private var ruledOut   = 0L

  /** Start rows ruled out, in all partitions so far. */
  def ruledOutRows: Long = ruledOut

  /** Steps of joint searches, in all partitions so far. */
  def steps: Long = totalSteps + (if (hasBegun) joint.steps else 0)

  def beginPartition(): Unit = {
    end()
    ruledOutEnd = 0
    window = 0
    stepAllowance = 0
    requiredRatio = options.leastFactor
    mayBegin = false
  }

  /** Whether a start row is known to have no match. */
  def rulesOut(row: Long): Boolean = row < ruledOutEnd

  /** Whether the next start row is the first of a window. */
  def beginsWindow: Boolean = hasBegun || mayBegin

  /** A search from one start row has failed. */
  def failed(steps: Long, rows: Long): Unit = {
    stepAllowance += steps
    mayBegin = steps >= options.leastSteps
    if (mayBegin) {
      window = if (window == 0) rows else math.min(2 * window, rows)
      lastSteps = steps
      lastRows = rows
      decideWindow()
    }
  }

  /** A search from one start row has found a match: later ones are like none before it. */
  def matched(): Unit = {
    window = 0
    mayBegin = false
  }

  private def decideWindow(): Unit =
    mayBegin = window > 0 && window >= requiredRatio && stepAllowance >= requiredRatio * lastSteps

  /**
   * Searches from the start rows of a window, or continues to.
   *
   * @param start
   *   the first start row of the window
   * @return
   *   that rows are missing; null once it is over
   */
  def search(start: Long, matchNumber: Long, rows: IncomingRows): SearchResult = {
    if (!hasBegun) {
      joint.begin(start, matchNumber, window, mostSteps)
      hasBegun = true
    }
    joint.next(rows) match {
      case Outcome.NeedsRows => SearchResult.NeedsRows
      case outcome           =>
        limits.budget.giveBack()
        conclude(start, outcome)
        null
    }
  }

  /** The allowance, and at most what the searches from the start rows of the window may take. */
  private def mostSteps: Long =
    if (window > stepAllowance / math.max(lastSteps, 1L)) stepAllowance else window * lastSteps

  private def conclude(start: Long, outcome: Outcome): Unit = {
    val steps = joint.steps
    if (outcome == Outcome.NoMatch) {
      ruledOutEnd = start + joint.started
      ruledOut += joint.started
      stepAllowance += steps
      window = math.min(2 * window, math.max(lastRows, joint.rowsAfter))
      requiredRatio = math.max(requiredRatio / 2, options.leastFactor)
      decideWindow()
    } else if (outcome == Outcome.Possible) {
      stepAllowance -= steps
      window = joint.started / 2
      decideWindow()
    } else {
      stepAllowance -= steps
      requiredRatio = math.min(2 * requiredRatio, mostRatio)
      mayBegin = false
    }
    end()
  }

  private def end(): Unit = {
    if (hasBegun) totalSteps += joint.steps
    hasBegun = false
  }
}

private[search] object HopelessStarts {

  /** The allowance never becomes so large. */
  private val mostRatio = 1L << 20

  /** None if start rows cannot be searched together, or need not be. */
  def of[S <: AnyRef](
      program: Program,
      conditions: RowConditions[S],
      limits: Limits,
      options: JointOptions): Option[HopelessStarts[S]] =
    if (JointSearch.applies(program, conditions, options.leastCount)) {
      Some(new HopelessStarts(new JointSearch(program, conditions, limits), limits, options))
    } else {
      None
    }
}
