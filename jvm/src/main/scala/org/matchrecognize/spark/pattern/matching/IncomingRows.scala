package org.matchrecognize.spark.pattern.matching

import org.matchrecognize.spark.pattern.program.Program

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
