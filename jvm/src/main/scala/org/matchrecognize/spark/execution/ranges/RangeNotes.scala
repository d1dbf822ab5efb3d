package org.matchrecognize.spark.execution.ranges

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import org.matchrecognize.spark.pattern.search.FoundResults

/**
 * How the search ahead of a range is noted.
 *
 * @param number
 *   how many ranges there are, at most
 * @param firstStart
 *   the first start row of all ranges but the first one: conditions and measures look at the rows
 *   before it
 * @param mostRows
 *   how many rows at each end of a range are kept at most
 * @param mostBytes
 *   how many bytes these rows have at most, about
 */
final private[execution] case class RangeSpec(
    number: Int,
    firstStart: Int,
    mostRows: Int = 1 << 16,
    mostBytes: Long = 8L * 1024 * 1024) {

  /** How many searches there are: one of each range, and one across each border. */
  def parts: Int = 2 * number

  /** How many bytes of output rows a search across a border may find. */
  def mostAddedBytes: Long = 32L * 1024 * 1024 / number
}

/**
 * Where a range is in its partition.
 *
 * @param isFirst
 *   whether no range comes before it
 * @param isLast
 *   whether no range comes after it: its end is that of the partition
 */
final private[execution] case class RangePlace(isFirst: Boolean, isLast: Boolean) {

  /** Whether the range has all rows of its partition; it can have other partitions, too. */
  def isWhole: Boolean = isFirst && isLast
}

/**
 * The beginning of a range.
 *
 * @param attempt
 *   the task that searched the range
 * @param digest
 *   a hash of all its output rows, in order
 * @param isWhole
 *   whether the rows are all rows of the range
 * @param hasFailed
 *   whether the search met an error, which need not be one of the whole search
 */
final private[execution] case class RangeHead(
    attempt: Long,
    digest: Long,
    rows: PackedRows,
    isWhole: Boolean,
    hasFailed: Boolean,
    found: FoundResults)

/**
 * The end of a range.
 *
 * @param attempt
 *   the task that searched the range
 * @param rows
 *   its rows from those on that the search from the undecided start row can look at; None if there are too
 *   many, or if the range has no start row
 * @param before
 *   how many of these are before the start row
 * @param covered
 *   how many rows from the start row on are in matches that start before it
 */
final private[execution] case class RangeTail(
    attempt: Long,
    rows: Option[PackedRows],
    before: Int,
    covered: Long)

/**
 * What a task notes of the range that it searches as if the search began there: its first and its
 * last rows, and what was found among the first. Generated code calls it, too.
 */
final class RangeNotes private (spec: RangeSpec, attempt: Long, place: RangePlace) {

  def isLast: Boolean = place.isLast

  /** The first start row. */
  val firstStart: Int = if (place.isFirst) 0 else spec.firstStart

  private val found = new FoundResults(firstStart.toLong)
  private val first = new PackedRows

  private val last = new LastRows(spec.mostRows, spec.mostBytes)

  private var count   = 0L
  private var decided = () => 0L
  private var covered = () => 0L
  private var end     = 0L
  private var rows    = 0L

  /** Set if the search has met an error. */
  var hasFailed: Boolean = false

  /** Takes each row, before the search does. */
  def take(row: UnsafeRow): Unit = {
    // No search comes into the first range from one before, and none goes on from the last one.
    if (!place.isFirst && first.size == count && count < spec.mostRows &&
      first.sizeInBytes + row.getSizeInBytes <= spec.mostBytes) first.add(row)
    if (!place.isLast) last.add(row)
    count += 1
  }

  /** Whether the row taken last is only looked at: no match begins there. */
  def isBeforeStart: Boolean = count <= firstStart

  /** Notes a result before its output rows. */
  def found(start: Long, until: Long, rowsBefore: Long, isMatch: Boolean): Unit =
    if (!place.isWhole) found.add(start, until, rowsBefore, isMatch, within = first.size.toLong)

  /** Sets the row after the last one of the match that comes next, from the row taken last on. */
  def matchEnds(after: Int): Unit = end = count - 1 + after

  /** Notes a match of so many rows, which has one output row. */
  def matched(length: Long): Unit = {
    found(end - length, end, rows, isMatch = true)
    rows += 1
  }

  /** The rows from the oldest match under way on are not decided. */
  def stopsWithin(length: Long): Unit = stopsAt(() => count - length, () => 0L)

  /** Says which start row is not decided at the end, and how many rows matches cover from there on. */
  def stopsAt(row: () => Long, coveredRows: () => Long): Unit = {
    decided = row
    covered = coveredRows
  }

  /** Sets how many output rows there are. */
  def countRows(outputRows: Long): Unit = rows = outputRows

  def head(digest: Long): RangeHead = {
    found.reach(decided(), rows)
    RangeHead(attempt, digest, first.trimmed, first.size == count, hasFailed, found)
  }

  def tail: RangeTail = {
    val start  = decided()
    val before = math.min(start, spec.firstStart.toLong).toInt
    val from   = start - before
    val kept   = if (start < firstStart) None else last.from(from)
    RangeTail(attempt, kept, before, covered())
  }
}

private[execution] object RangeNotes {
  private val places  = new ConcurrentHashMap[Long, RangePlace]
  private val ofTasks = new ConcurrentHashMap[Long, RangeNotes]

  /** Says which range the task that calls reads, before it searches it. */
  def place(range: RangePlace): Unit = {
    val attempt = TaskContext.get().taskAttemptId()
    if (places.put(attempt, range) == null) {
      TaskContext.get().addTaskCompletionListener[Unit] { _ =>
        places.remove(attempt)
        ofTasks.remove(attempt)
        ()
      }
    }
  }

  /** The notes of the task that calls: it searches one range. */
  def open(spec: RangeSpec): RangeNotes =
    ofTasks.computeIfAbsent(
      TaskContext.get().taskAttemptId(),
      attempt => new RangeNotes(spec, attempt, places.get(attempt)))
}
