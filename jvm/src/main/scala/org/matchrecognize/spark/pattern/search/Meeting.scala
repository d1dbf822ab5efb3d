package org.matchrecognize.spark.pattern.search

/**
 * Where the search that goes on from the end of a range comes to a start row that the search of the
 * next range visits, too: from there on, they find the same.
 *
 * @param across
 *   what the search that goes on has found so far
 * @param ahead
 *   what the search of the next range has found
 * @param offset
 *   how many rows before the next range the search that goes on begins
 */
final class Meeting(across: FoundResults, ahead: FoundResults, offset: Long) {

  /** The row of the next range. */
  private var row = 0L

  private def isHere: Boolean = across.visits(offset + row) && ahead.visits(row)

  /** Whether they have met, now that the search that goes on is at a start row. */
  def by(start: Long, outputRows: Long): Boolean = {
    across.reach(start, outputRows)
    while (offset + row < start && !isHere) row += 1
    offset + row <= start && isHere
  }

  /** Both have come to the end of the partition, where they meet at the latest. */
  def atEnd(rows: Long, outputRows: Long): Unit =
    if (!by(offset + rows, outputRows)) row = rows

  /** How many output rows of the search that goes on are those of the partition. */
  def added: Long = across.rowsTo(offset + row)

  /** Which output rows of the search of the range are. */
  def from: Long  = ahead.rowsTo(row)
  def until: Long = ahead.rows

  /** How many more matches than the search of the range had found there. */
  def moreMatches: Long = across.matchesTo(offset + row) - ahead.matchesTo(row)

  /** The matches up to where the search of the range ended. */
  def matches: Long = ahead.matches + moreMatches
}
