package org.matchrecognize.spark.pattern

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
   * Whether `row` would satisfy the variable's condition behind `slots`, with the row itself counted
   * as mapped for this test alone.
   */
  def satisfies(variable: Int, row: Long, slots: S): Boolean = map(variable, row, slots) != null

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
   * Whether no condition of the variables in `Program.reachableSets(reachable)` can ever tell `a`
   * from `b`.
   */
  def sameFuture(reachable: Int, a: S, b: S): Boolean

  /** A hash that agrees with [[sameFuture]]. */
  def futureHash(reachable: Int, slots: S): Int

  /** Whether [[sameFuture]] depends on the slots at all. */
  def hasFuture(reachable: Int): Boolean

  /**
   * Whether a condition of these variables can tell where its match starts, or its number, by more
   * than the slots.
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
 *   how many threads go on together where others can wait; None to let the program say
 */
final class Limits(
    val maxSteps: Long,
    val poll: () => Unit,
    val maxMatches: Long = Long.MaxValue,
    val together: Option[Int] = None) {

  /**
   * States in front of one row: a share of the steps, since a state takes memory where a step takes
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

/** Why a search cannot go on; `execution` turns it into an error of the catalogue. */
sealed trait Failure {

  /** The row at which the failing match starts. */
  def start: Long
}

object Failure {

  /**
   * The search of a partition took more than the budget's steps.
   *
   * @param start
   *   the start row at which it stood then
   * @param variable
   *   the variable that was tested most often
   */
  final case class TooManySteps(start: Long, maxSteps: Long, variable: Option[Int])
      extends Failure

  /** The search from one start row came to more states in front of one row than there may be. */
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
 * The rows of a match and their variables, from the last to the first: threads that took the same
 * way share it. It begins where [[SettledLabels]] end.
 *
 * @param label
 *   the variable, and whether the row is excluded, as [[Path.label]] packs them; or [[Path.passed]]
 */
final class Path(var parent: Path, val label: Int)

object Path {

  /** The label of a row that is passed over: it is mapped to nothing. */
  val passed: Int = 0

  def label(variable: Int, excluded: Boolean): Int =
    (variable + 1) << 1 | (if (excluded) 1 else 0)
  def variable(label: Int): Int     = (label >> 1) - 1
  def excluded(label: Int): Boolean = (label & 1) == 1

  /** The path without the rows passed over behind the last that is mapped. */
  def mapped(path: Path): Path = {
    var last = path
    while (last != null && last.label == passed) last = last.parent
    last
  }

  /** The labels in row order. */
  def labels(path: Path, length: Int): Array[Int] = {
    val labels = new Array[Int](length)
    var node   = path
    var i      = length - 1
    while (i >= 0) {
      labels(i) = node.label
      node = node.parent
      i -= 1
    }
    labels
  }
}
