package org.matchrecognize.spark.pattern

/**
 * Finds the preferred match of one start row. [[PartitionSearch]] drives it from start row to
 * start row.
 */
private[pattern] trait Matcher[S <: AnyRef] {

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit

  /**
   * Offers the next row.
   *
   * @param isLast
   *   whether no row follows; asked only where the program uses `$`
   */
  def step(row: Long, isLast: Boolean): Unit

  /** Whether a row more could change the outcome. */
  def isRunning: Boolean

  /** Whether a match has been found (the preferred one once the matcher does not run). */
  def hasMatch: Boolean

  /** The row behind the match's last row. */
  def matchEnd: Long

  /** The slots with which the match ended. */
  def matchSlots: S

  /**
   * The labels of the match, by its rows, as [[Path.label]] packs them, if they are kept; until the
   * matcher begins anew.
   */
  def labels(length: Int): Int => Int

  /** Whether the budget is spent; nothing that the matcher says then counts. */
  def exceeded: Boolean

  /** Steps since [[begin]]. */
  def steps: Long

  /** Threads alive. */
  def threadCount: Int
}
