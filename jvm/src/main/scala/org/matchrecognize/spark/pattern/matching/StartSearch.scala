package org.matchrecognize.spark.pattern.matching

/**
 * The search from one start row. It finds the matches that begin there: the preferred one, or all
 * one after the other; and the partial matches that time out, if these are shown.
 * [[org.matchrecognize.spark.pattern.search.PartitionSearch]] drives it from start row to start
 * row.
 */
private[pattern] trait StartSearch[S <: AnyRef] {

  /** Another partition begins. */
  def beginPartition(): Unit = ()

  /** Starts over with matches that begin at `row`, a row that exists. */
  def begin(row: Long, matchNumber: Long): Unit

  /**
   * Continues to the next match or time-out of the start row. The result is a match, a time-out,
   * that rows must come first, that there is nothing more, or a failure.
   */
  def next(rows: IncomingRows): SearchResult

  /** The row after the last row of the match, or of the partial match. */
  def matchEnd: Long

  /** The slots with which the match ended. */
  def matchSlots: S

  /**
   * The labels of the match, by its rows, as [[Path.label]] packs them, if they are kept; until the
   * search continues.
   */
  def labels(length: Int): Int => Int

  /** Steps since [[begin]]. */
  def steps: Long

  /** The most threads at once since [[begin]]. */
  def peakThreads: Int
}

/** A search whose state can be written in the middle of a partition, and read back. */
private[pattern] trait IncrementalSearch[S <: AnyRef] extends StartSearch[S] {

  /** Whether no row has been offered since [[begin]]. */
  def isAtStart: Boolean

  /**
   * Writes where the search is: [[next]] has said that rows must come first, or has found something
   * that was not shown yet.
   */
  def write(out: StateOutput, slotsWriter: SlotsWriter[S]): Unit

  /**
   * Continues from where [[write]] left off.
   *
   * @return
   *   the first row that adds to the budget
   */
  def read(in: StateInput, start: Long, slotsReader: SlotsReader[S]): Long
}

/** Why a search stopped. */
sealed trait SearchResult

object SearchResult {

  /** A match; an empty one if it ends where it starts. Read it from the search. */
  case object Match extends SearchResult

  /** A partial match that waited for a row when the bound had passed. Read it from the search. */
  case object TimedOut extends SearchResult

  /** The start row begins no match and no match covers it. */
  case object Unmatched extends SearchResult

  /** Nothing yet: more rows must come first. */
  case object NeedsRows extends SearchResult

  /** Nothing more: of this partition, or of this start row. */
  case object Done extends SearchResult

  /** The search cannot continue. */
  final case class Failed(failure: Failure) extends SearchResult
}
