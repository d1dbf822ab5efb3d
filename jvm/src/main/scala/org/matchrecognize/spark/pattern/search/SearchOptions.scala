package org.matchrecognize.spark.pattern.search

import org.matchrecognize.spark.pattern.AfterMatch
import org.matchrecognize.spark.pattern.matching.Failure

/**
 * How a partition is searched.
 *
 * @param afterMatch
 *   where the search continues after a match
 * @param relaxedSkip
 *   an invalid skip target means the next row instead of a failure
 * @param unmatchedRows
 *   whether rows that no match covers are wanted
 * @param conditionLookAhead
 *   how many rows after the one tested a condition can look at
 * @param outputLookAhead
 *   how many rows after a match its measures can look at
 * @param lookBack
 *   how many rows before the first row of a match conditions and measures can look at
 * @param showTimeouts
 *   whether partial matches are wanted that the bound of WITHIN, or the end of the partition, ended
 * @param lastMatch
 *   the MATCH_NUMBER after which nothing is wanted
 * @param jointSearch
 *   when start rows are searched together; None if each is searched alone: in streams and across
 *   the border of two ranges, where a result must not come later, and where tests are counted
 */
final case class SearchOptions(
    afterMatch: AfterMatch,
    relaxedSkip: Boolean,
    unmatchedRows: Boolean,
    conditionLookAhead: Long,
    outputLookAhead: Long,
    lookBack: Long,
    showTimeouts: Boolean = false,
    lastMatch: Long = Long.MaxValue,
    jointSearch: Option[JointOptions] = None) {

  /**
   * Where the search continues after a match, or why it cannot.
   *
   * @param target
   *   the row of the variable that AFTER MATCH names; negative if there is none
   */
  def next(start: Long, end: Long, target: => Long): Either[Failure, Long] = afterMatch match {
    case _ if end == start                                  => Right(start + 1)
    case AfterMatch.PastLastRow                             => Right(end)
    case AfterMatch.ToNextRow | AfterMatch.NoSkip           => Right(start + 1)
    case AfterMatch.ToFirst(_, _) | AfterMatch.ToLast(_, _) =>
      val row = target
      if (row > start) Right(row)
      else if (relaxedSkip) Right(start + 1)
      else if (row < 0) Left(Failure.SkipTargetNotInMatch(start))
      else Left(Failure.SkipToFirstRow(start))
  }
}

/**
 * When start rows are searched together ([[HopelessStarts]]).
 *
 * @param leastCount
 *   the least bound of a loop that is worth it
 * @param leastSteps
 *   the least steps of a search from one start row after which others are searched together
 * @param leastFactor
 *   how many times the steps of that search a joint search is allowed to take at least; so many
 *   start rows it has at least, too
 */
final case class JointOptions(leastCount: Int, leastSteps: Long, leastFactor: Long)

object JointOptions {
  val usual: JointOptions = JointOptions(leastCount = 64, leastSteps = 256, leastFactor = 4)
}
