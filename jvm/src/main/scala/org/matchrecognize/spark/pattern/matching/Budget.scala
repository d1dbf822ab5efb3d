package org.matchrecognize.spark.pattern.matching

import org.matchrecognize.spark.pattern.program.Program

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
