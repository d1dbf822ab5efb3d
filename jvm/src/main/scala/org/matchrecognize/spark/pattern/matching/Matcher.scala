package org.matchrecognize.spark.pattern.matching

/** The search for matches of one start row, and what it found last. */
private[pattern] trait StartSearch[S <: AnyRef] {

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit

  /** The row after the match's last row. */
  def matchEnd: Long

  /** The slots with which the match ended. */
  def matchSlots: S

  /**
   * The labels of the match, by its rows, as [[Path.label]] packs them, if they are kept; until the
   * search continues.
   */
  def labels(length: Int): Int => Int

  /** Whether a budget is spent; nothing that the search says then counts. */
  def exceeded: Boolean

  /** Which budget is spent. */
  def overBudget: Failure

  /** Steps since [[begin]]. */
  def steps: Long

  /** Ways that are still open. */
  def threadCount: Int
}

/**
 * Finds the preferred match of one start row. [[PartitionSearch]] drives it from start row to
 * start row.
 */
private[pattern] trait Matcher[S <: AnyRef] extends StartSearch[S] {

  /**
   * Offers the next row. What it says of the rows after it is read only if the program uses the
   * end ([[Program.usesEnd]]).
   *
   * @param isLast
   *   whether no row of the partition follows
   * @param isOver
   *   whether no row follows that is within the bound of the match
   * @return
   *   the row to offer next: mostly the one that follows, but none that changes nothing; one that
   *   was offered before if less preferred threads wait there
   */
  def step(row: Long, isLast: Boolean, isOver: Boolean): Long

  /** Whether a row more could change the outcome. */
  def isRunning: Boolean

  /** Whether a match has been found (the preferred one once the matcher does not run). */
  def hasMatch: Boolean

  /**
   * No row follows within the bound, so the running threads fail. Goes back to the row at which
   * less preferred ones are parked, and returns it; -1 if there are none.
   */
  def goBack(): Long

  /** Whether a partial match waits for a row, here or at the row where the search went back. */
  def hasPartial: Boolean

  /**
   * No row follows within the bound, and there is a partial match but no match: what was found is
   * then the most preferred of the partial matches that wait for a row.
   */
  def timeOut(): Unit

  /** The row after the last that this partial match has mapped. */
  def partialEnd: Long
}
