package org.matchrecognize.spark.pattern.matching

import org.matchrecognize.spark.pattern.program.Program

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

/**
 * The rows of a partition that have arrived, as the search from a start row sees them.
 *
 * @param within
 *   WITHIN's bound, of the start row
 * @param waitsForEnd
 *   whether nothing is found before the partition is complete
 * @param lookAhead
 *   how many rows after the one tested a condition can look at
 */
final private[pattern] class IncomingRows(
    program: Program,
    within: Option[WithinBound],
    waitsForEnd: Boolean,
    lookAhead: Long) {

  /** Whether the search waits for rows that conditions look at. */
  var waitsAhead = false

  /** Notes that the search waits for rows that conditions look at. */
  def waitAhead(): Unit = waitsAhead = true

  /** How many rows have arrived, and whether these are all. */
  var available = 0L
  var complete  = false

  /** Whether all rows are there that testing `row` can read. */
  def isTestable(row: Long): Boolean =
    complete || !waitsForEnd && available - row > lookAhead

  /** Whether a search can begin at a row: nothing is asked about it before it is offered. */
  def mayBegin(row: Long): Boolean = isTestable(row) || !waitsForEnd && !program.asksFirst

  /** Where a row is. */
  def arrival(row: Long): Arrival =
    if (row >= available) { if (isOverAfter) Arrival.NoMore else Arrival.Missing }
    else if (!isWithin(row)) Arrival.NoMore
    else if (isTestable(row)) Arrival.Here
    else if (waitsForEnd) Arrival.Missing
    else Arrival.Undecided

  /** Whether a row that has come is within the bound. */
  private def isWithin(row: Long): Boolean = within.isEmpty || within.get.contains(row)

  /**
   * Whether no row that is still to come changes what a pattern can ask about the row after `row`.
   * If one can, a search that will ask is not offered `row` yet.
   */
  def isNextKnown(row: Long): Boolean = !program.usesEnd || complete || {
    if (row + 1 >= available) isOverAfter
    else !program.looksAtNext || !isWithin(row + 1) || isTestable(row + 1)
  }

  /** Whether none of the rows that are still to come is within the bound. */
  private def isOverAfter: Boolean = complete || within.exists(_.hasPassed)

  /** Whether no row of the partition follows; used only where the program uses the end. */
  def isLast(row: Long): Boolean = complete && row + 1 == available

  /** The row after the last that is there with the rows that its test reads. */
  def testableEnd: Long =
    if (complete) available else if (waitsForEnd) 0 else available - lookAhead

  /** The first row from `from` on, before `until`, that is beyond the bound; `until` if none is. */
  def withinEnd(from: Long, until: Long): Long =
    if (until <= from || isWithin(until - 1)) until
    else {
      // The last row is beyond the bound.
      var low  = from
      var high = until - 1
      while (low < high) {
        val middle = low + (high - low) / 2
        if (isWithin(middle)) low = middle + 1 else high = middle
      }
      high
    }

  /** Whether no row follows that is within the bound of the match, as [[isLast]]. */
  def isOver(row: Long): Boolean = program.usesEnd && {
    if (row + 1 < available) !isWithin(row + 1) else isOverAfter
  }
}

/** Whether a search can be offered a row. */
sealed private[pattern] trait Arrival

private[pattern] object Arrival {

  /** The row is there, with the rows that its test reads. */
  case object Here extends Arrival

  /**
   * The row is there, but not all rows that its test can read. A search can be offered the row if
   * all that it tests is decided ([[RowConditions.isDecided]]).
   */
  case object Undecided extends Arrival

  /** The row has not come yet, or nothing is found before the partition is complete. */
  case object Missing extends Arrival

  /** There is no such row, now or later: the partition ends before it, or the bound of the match. */
  case object NoMore extends Arrival
}
