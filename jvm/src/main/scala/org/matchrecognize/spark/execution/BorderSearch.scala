package org.matchrecognize.spark.execution

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.ranges.{PackedRows, RangeHead, RangeTail}
import org.matchrecognize.spark.pattern.search.{FoundResults, Meeting}

/**
 * What the search across the beginning of a range says of it, once it came to a start row that the
 * search ahead visits, too.
 *
 * @param attempt
 *   the task that searched the range ahead
 * @param digest
 *   a hash of all its output rows, in order
 * @param attemptBefore
 *   the task that searched the range before it; none for the first range of a partition
 * @param added
 *   the output rows before that start row
 * @param from
 *   the output rows of the search ahead before that start row, which are not those of the partition
 * @param until
 *   the output rows of the search ahead before the start row at which it ended
 * @param matches
 *   the matches from the beginning of this search to that of the next border
 * @param moreMatches
 *   how many more matches there are before that start row than the search ahead counted
 * @param searched
 *   the rows that were searched twice
 */
final private[execution] case class Border(
    attempt: Long,
    digest: Long,
    attemptBefore: Option[Long],
    added: Array[UnsafeRow],
    from: Long,
    until: Long,
    matches: Long,
    moreMatches: Long,
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
    metrics: Map[String, SQLMetric],
    mostBytes: Long) {

  /**
   * Returns None if the searches do not meet within the rows that are kept, or one met an error.
   *
   * @param tail
   *   the end of the range before; None for the first range
   * @param isLast
   *   whether the range is the last one
   */
  def search(tail: Option[RangeTail], head: RangeHead, isLast: Boolean): Option[Border] =
    if (head.hasFailed) None
    else
      tail match {
        case None =>
          val found = head.found
          Some(
            Border(
              head.attempt,
              head.digest,
              attemptBefore = None,
              Array(),
              0L,
              found.rows,
              found.matches,
              0L,
              0L))
        case Some(end) => end.rows.flatMap(search(_, end, head, isLast))
      }

  private def search(
      rows: PackedRows,
      end: RangeTail,
      head: RangeHead,
      isLast: Boolean): Option[Border] = {
    val covered       = end.before + end.covered
    val matcher       = new PartitionMatcher(plan, input, metrics, TaskContext.get())
    val found         = new FoundResults(covered)
    val output        = ArrayBuffer.empty[UnsafeRow]
    var bytes         = 0L
    def drain(): Unit = while (bytes <= mostBytes && matcher.next()) {
      output += matcher.row.copy()
      bytes += output.last.getSizeInBytes + BorderSearch.bytesOfObjects
    }
    matcher.beginAt(end.before.toLong, covered)(found.add(_, _, _, _))
    def append(row: UnsafeRow): Unit = {
      matcher.append(row)
      drain()
    }
    rows.iterator.foreach(append)
    // Rows of the range are numbered from its first one.
    val meeting = new Meeting(found, head.found, rows.size.toLong)
    def meets   = meeting.by(matcher.startRow, output.size.toLong)
    var taken   = 0
    var isMet   = meets
    val ofHead  = head.rows.iterator
    while (!isMet && ofHead.hasNext && bytes <= mostBytes) {
      append(ofHead.next())
      taken += 1
      isMet = meets
    }
    if (!isMet && isLast && head.isWhole) {
      matcher.finish()
      drain()
      meeting.atEnd(taken.toLong, output.size.toLong)
      isMet = true
    }
    matcher.close()
    if (!isMet || bytes > mostBytes) None
    else
      Some(
        Border(
          head.attempt,
          head.digest,
          Some(end.attempt),
          output.take(meeting.added.toInt).toArray,
          meeting.from,
          meeting.until,
          meeting.matches,
          meeting.moreMatches,
          rows.size.toLong - end.before + taken
        ))
  }
}

private object BorderSearch {

  /** What a row in memory takes beside its bytes: one without columns has none. */
  private val bytesOfObjects = 64
}
