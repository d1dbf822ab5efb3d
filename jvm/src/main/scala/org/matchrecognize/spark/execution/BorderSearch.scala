package org.matchrecognize.spark.execution

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}

import org.matchrecognize.spark.execution.ranges.{FoundResults, RangeHead, RangeTail}

/**
 * What the search across the beginning of a range says of the range.
 *
 * @param attempt
 *   the task that searched the range ahead
 * @param isMet
 *   whether it came to a start row that the search ahead visits: the rest of the range is as found
 * @param dropped
 *   the output rows of the search ahead before that start row, which are not those of the partition
 * @param kept
 *   the output rows of the search ahead before the start row at which it ends
 * @param added
 *   the output rows in their place
 * @param matches
 *   the matches from the start row at which the search began to the one of the next border
 * @param searched
 *   the rows that were searched twice
 */
final private[execution] case class Border(
    attempt: Long,
    isMet: Boolean,
    dropped: Long,
    kept: Long,
    droppedMatches: Long,
    added: Array[UnsafeRow],
    addedMatches: Long,
    matches: Long,
    searched: Long)

/**
 * Goes on from the end of a range into the next one, until the search comes to a start row that the
 * search ahead of that range visits, too.
 *
 * @param mostBytes
 *   of output rows: they go to the driver
 */
final private[execution] case class BorderSearch(
    plan: MatchPlan,
    input: Seq[Attribute],
    metrics: MatchMetrics,
    mostBytes: Long) {

  /** The border before the first range: nothing comes before it. */
  def first(head: RangeHead): Border =
    Border(
      head.attempt,
      !head.hasFailed,
      0L,
      head.found.rows,
      0L,
      Array(),
      0L,
      head.found.matches,
      0L)

  /** The border of a range that nothing is known of. */
  def notMet(head: RangeHead): Border =
    Border(head.attempt, isMet = false, 0L, 0L, 0L, Array(), 0L, 0L, 0L)

  /**
   * @param isLast
   *   whether the range is the last one
   */
  def search(tail: RangeTail, head: RangeHead, isLast: Boolean): Border =
    tail.rows match {
      case Some(rows) if !head.hasFailed =>
        search(rows, tail.before.toLong, tail.before + tail.covered, head, isLast)
      case _ => notMet(head)
    }

  private def search(
      rows: Array[UnsafeRow],
      before: Long,
      covered: Long,
      head: RangeHead,
      isLast: Boolean): Border = {
    val matcher       = new PartitionMatcher(plan, input, metrics, TaskContext.get())
    val found         = new FoundResults(covered)
    val output        = ArrayBuffer.empty[UnsafeRow]
    var bytes         = 0L
    def drain(): Unit = while (bytes <= mostBytes && matcher.next()) {
      output += matcher.row.copy()
      bytes += output.last.getSizeInBytes
    }
    matcher.beginAt(before, covered) { (start, until, rowsBefore, isMatch) =>
      found.add(start, until, rowsBefore)
      if (isMatch) found.matches += 1
    }
    def append(row: UnsafeRow): Unit = {
      matcher.append(row, beginsPartition = false)
      drain()
    }
    rows.foreach(append)
    // Rows of the range are numbered from its first one.
    val offset = rows.length.toLong
    var row    = 0L
    var taken  = 0

    /** Goes on to the first start row that both visit, up to the one that is not decided. */
    def meets(reached: Long): Boolean = {
      found.reached = reached
      while (offset + row < reached && !isMeeting) row += 1
      offset + row <= reached && isMeeting
    }
    def isMeeting = found.visits(offset + row) && head.found.visits(row)

    var isMet = meets(matcher.startRow)
    while (!isMet && taken < head.rows.length && bytes <= mostBytes) {
      append(head.rows(taken))
      taken += 1
      isMet = meets(matcher.startRow)
    }
    if (!isMet && isLast && head.isWhole) {
      matcher.finish()
      drain()
      // At the latest at the end of the partition.
      if (!meets(offset + taken)) row = taken.toLong
      isMet = true
    }
    if (bytes > mostBytes) notMet(head)
    else {
      found.rows = output.size.toLong
      val added = output.take(found.rowsTo(offset + row).toInt).toArray
      Border(
        head.attempt,
        isMet,
        head.found.rowsTo(row),
        head.found.rows,
        head.found.matchesTo(row),
        added,
        found.matchesTo(offset + row),
        head.found.matches - head.found.matchesTo(row),
        offset - before + taken
      )
    }
  }
}
