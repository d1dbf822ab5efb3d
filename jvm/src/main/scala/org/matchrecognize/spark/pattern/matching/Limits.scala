package org.matchrecognize.spark.pattern.matching

import org.matchrecognize.spark.pattern.program.Program

/**
 * What bounds a matcher's work.
 *
 * @param maxSteps
 *   the work that the search of a partition may take beyond what its rows pay for ([[Budget]])
 * @param poll
 *   called every few thousand steps: throws to cancel
 * @param maxMatches
 *   matches of one start row, with AFTER MATCH NO SKIP
 * @param together
 *   how many threads continue together where others can wait; None to let the program say
 */
final class Limits(
    val maxSteps: Long,
    val poll: () => Unit,
    val maxMatches: Long = Long.MaxValue,
    val together: Option[Int] = None) {

  /**
   * States before one row: a share of the steps, since a state takes memory where a step takes
   * time; and so many that no search that is quick runs into it.
   */
  val maxStates: Int = math.min(math.max(10000L, maxSteps / 1000), 1L << 28).toInt

  /** The work on the partition that is searched. */
  private[pattern] val budget = new Budget(maxSteps)

  /** What a search from one start row failed with: too many states, or too many steps. */
  private[pattern] def exceeded(start: Long, crowded: Boolean): Failure =
    if (crowded) Failure.TooManyStates(start, maxStates, budget.mostTested)
    else Failure.TooManySteps(start, maxSteps, budget.mostTested)
}

/** Why a search cannot continue; `execution` turns it into an error of the catalogue. */
sealed trait Failure {

  /** The row at which the failing match starts. */
  def start: Long
}

object Failure {

  /**
   * The search of a partition took more than the budget's steps.
   *
   * @param start
   *   the start row of the search that failed
   * @param variable
   *   the variable that was tested most often
   */
  final case class TooManySteps(start: Long, maxSteps: Long, variable: Option[Int])
      extends Failure

  /** The search from one start row came to more states before one row than there may be. */
  final case class TooManyStates(start: Long, maxStates: Int, variable: Option[Int])
      extends Failure

  /** More matches start at one row than AFTER MATCH NO SKIP may give. */
  final case class TooManyMatches(start: Long, maxMatches: Long) extends Failure

  /** What the search from a start row keeps has more bytes than a state may have. */
  final case class StateTooLarge(start: Long, bytes: Long) extends Failure

  /** AFTER MATCH SKIP TO a variable that no row of the match is mapped to. */
  final case class SkipTargetNotInMatch(start: Long) extends Failure

  /** AFTER MATCH SKIP TO the first row of the match, which would find the same match again. */
  final case class SkipToFirstRow(start: Long) extends Failure
}

/**
 * What the search of a partition may still cost, in steps of about ten nanoseconds: for each thread
 * at each row, and for what that tests, copies, hashes and compares.
 *
 * It begins with the number of steps given. Each row of the partition adds a hundred-thousandth of
 * that, and each row that the search from one start row looks at a ten-millionth. So a search
 * does not fail for the length of its partition, neither where time is linear in it nor where it is
 * quadratic with few threads: what fails are many threads at many rows.
 */
final private[pattern] class Budget(maxSteps: Long) {
  private val whole   = math.min(maxSteps, Budget.most)
  private val ofRow   = whole / 100000
  private val ofVisit = whole / 10000000

  private var left = whole

  /** Rows of the partition that have added to it. */
  private var seen = 0L

  /** What [[reached]] returns. */
  private var farthest = 0L

  /** What was left, and the rows that had added to it, at the last [[lend]]. */
  private var leftBefore = 0L
  private var seenBefore = 0L

  /** By variable, how often a row was tested. */
  private var tests = new Array[Long](16)

  /** Begins a partition, or continues one whose next row is `row`. */
  def begin(row: Long): Unit = {
    left = whole
    seen = row
    java.util.Arrays.fill(tests, 0L)
  }

  /** A search from one start row begins, or continues, at a row. */
  def beginSearch(row: Long): Unit = farthest = row

  /** The first row that the search from the current start row has not looked at. */
  def reached: Long = farthest

  /** The search from the current start row looks at a row; the first time adds to the budget. */
  def visit(row: Long): Unit = visit(row, row + 1)

  /** It looks at the rows from one to before another. */
  def visit(from: Long, until: Long): Unit = if (until > farthest) {
    left += ofVisit * (until - math.max(from, farthest))
    farthest = until
    if (until > seen) {
      left += ofRow * (until - seen)
      seen = until
    }
  }

  def spend(steps: Int): Unit = left -= steps

  /** Rows are tested for a variable, which takes so many steps for each. */
  def test(variable: Int, steps: Int, rows: Long = 1L): Unit = {
    if (variable >= tests.length) tests = java.util.Arrays.copyOf(tests, 2 * variable)
    tests(variable) += rows
    left -= steps * rows
  }

  def isSpent: Boolean = left < 0

  /** What is spent from here on is given back by [[giveBack]]. */
  def lend(): Unit = {
    leftBefore = left
    seenBefore = seen
  }

  /** All that was spent since [[lend]] is there again; rows of the partition seen since add to it. */
  def giveBack(): Unit = left = leftBefore + ofRow * (seen - seenBefore)

  /** The variable that was tested most often in the partition; None if none was. */
  def mostTested: Option[Int] =
    Some(tests.indices.maxBy(tests(_))).filter(tests(_) > 0)
}

private[pattern] object Budget {

  /** More is not counted: what a partition of two billion rows adds would be no Long. */
  private val most = 1L << 46

  /** A place is left or taken. */
  private val step = 1

  /** A look-up in a hash table. */
  private val lookUp = 10

  /** What one step costs, and what registers it may copy. */
  def ofStep(program: Program): Int = step + program.registers / 8

  /** What it costs to look up a state by its place and registers. */
  def ofLookUp(program: Program): Int = lookUp + program.registers / 4
}

/**
 * The steps of a search and its tests, which the budget pays.
 *
 * @param stepCost
 *   what a step costs
 */
final private[pattern] class SearchWork[S <: AnyRef](
    conditions: RowConditions[S],
    limits: Limits,
    stepCost: Int) {
  private val budget = limits.budget
  private var count  = 0L

  def steps: Long = count

  /** A search begins, or continues after so many steps. */
  def begin(steps: Long): Unit = count = steps

  def step(): Unit = {
    count += 1
    budget.spend(stepCost)
    if ((count & 0xfff) == 0) limits.poll()
  }

  /** See [[RowConditions.map]]. */
  def map(variable: Int, row: Long, slots: S): S = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.map(variable, row, slots)
  }

  /** See [[RowConditions.satisfies]]. */
  def satisfies(variable: Int, row: Long, slots: S): Boolean = {
    budget.test(variable, conditions.mapCost(variable))
    conditions.satisfies(variable, row, slots)
  }

  /** Whether a row satisfies a variable that it must not satisfy. */
  def isBarred(barred: Seq[Int], row: Long, slots: S): Boolean =
    barred.nonEmpty && barred.exists(satisfies(_, row, slots))
}
