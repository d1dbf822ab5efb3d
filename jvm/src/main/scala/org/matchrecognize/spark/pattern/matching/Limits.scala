package org.matchrecognize.spark.pattern.matching

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
