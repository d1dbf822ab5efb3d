package org.matchrecognize.spark.pattern.search

import org.matchrecognize.spark.pattern.matching.{Arrival, IncomingRows, WithinBound}
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
final private[search] class ArrivedRows(
    program: Program,
    within: Option[WithinBound],
    waitsForEnd: Boolean,
    lookAhead: Long)
    extends IncomingRows {

  /** Whether the search waits for rows that conditions look at. */
  var waitsAhead = false

  override def waitAhead(): Unit = waitsAhead = true

  /** How many rows have arrived, and whether these are all. */
  var available = 0L
  var complete  = false

  /** Whether all rows are there that testing `row` can read. */
  def isTestable(row: Long): Boolean =
    complete || !waitsForEnd && available - row > lookAhead

  /** Whether a search can begin at a row: nothing is asked about it before it is offered. */
  def mayBegin(row: Long): Boolean = isTestable(row) || !waitsForEnd && !program.asksFirst

  override def arrival(row: Long): Arrival =
    if (row >= available) { if (isOverAfter) Arrival.NoMore else Arrival.Missing }
    else if (!isWithin(row)) Arrival.NoMore
    else if (isTestable(row)) Arrival.Here
    else if (waitsForEnd) Arrival.Missing
    else Arrival.Undecided

  /** Whether a row that has come is within the bound. */
  private def isWithin(row: Long): Boolean = within.isEmpty || within.get.contains(row)

  override def isNextKnown(row: Long): Boolean = !program.usesEnd || complete || {
    if (row + 1 >= available) isOverAfter
    else !program.looksAtNext || !isWithin(row + 1) || isTestable(row + 1)
  }

  /** Whether none of the rows that are still to come is within the bound. */
  private def isOverAfter: Boolean = complete || within.exists(_.hasPassed)

  override def isLast(row: Long): Boolean = complete && row + 1 == available

  override def testableEnd: Long =
    if (complete) available else if (waitsForEnd) 0 else available - lookAhead

  override def withinEnd(from: Long, until: Long): Long =
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

  override def isOver(row: Long): Boolean = program.usesEnd && {
    if (row + 1 < available) !isWithin(row + 1) else isOverAfter
  }
}
