package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{Attribute, RowOrdering, UnsafeRow}
import org.apache.spark.sql.execution.RowIterator

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher}

/**
 * Matches the rows of one key in one micro-batch, for each key that has rows, or whose time has
 * come. One matcher serves all keys of a task, one after the other.
 *
 * '''Finality.''' A row is searched once the watermark has reached its time, in the order of ORDER
 * BY: rows at or before the watermark are all there, since Spark drops those that come later. What
 * the search finds is then final whatever rows follow ([[PartitionSearch]]). A match that waits for
 * the end of WITHIN is final once the watermark has reached that end. In the order of arrival, rows
 * are searched at once, and such a match is final once a micro-batch begins after that end.
 */
final private[streaming] class KeyedMatcher(
    plan: MatchPlan,
    input: Seq[Attribute],
    time: SearchTime,
    matcher: PartitionMatcher) {
  private val ordering = RowOrdering.create(plan.order, input)

  private var searched = 0L
  private var timeless = 0L
  private var change   = StateLevels.none

  /** What was done for all keys so far. */
  def progress: ClauseProgress = ClauseProgress(
    searched,
    timeless,
    matcher.matchCount,
    matcher.timedOutMatchCount,
    matcher.outputRowCount,
    change)

  /**
   * The output rows of a key; each is valid until the next. The state is saved after the last.
   *
   * @param clock
   *   the watermark or the time of the micro-batch, in milliseconds
   */
  def process(rows: Iterator[UnsafeRow], clock: Long, state: KeyState): Iterator[UnsafeRow] = {
    matcher.begin()
    state.restore(matcher)
    change -= StateLevels.of(matcher, state)
    val due = new ArrayBuffer[UnsafeRow]
    due ++= state.takeDue(clock)
    // A row without a time has no place in the order.
    rows.foreach { row =>
      if (time.isMissing(row)) timeless += 1
      else {
        val rowDue = time.due(row)
        if (rowDue <= clock) due += row.copy() else state.add(row, rowDue)
      }
    }
    searched += due.size
    val found = new Found(due.sorted(ordering).iterator, clock, state)
    found.toScala.map(_.asInstanceOf[UnsafeRow])
  }

  /** Pulls output rows while due rows are searched. */
  final private class Found(due: Iterator[UnsafeRow], clock: Long, state: KeyState)
      extends RowIterator {
    private var hasAdvanced = false
    private var isDone      = false

    override def advanceNext(): Boolean = {
      var hasRow = false
      while (!hasRow && !isDone) {
        hasRow = matcher.next()
        if (!hasRow) proceed()
      }
      hasRow
    }

    private def proceed(): Unit =
      if (due.hasNext) matcher.append(due.next())
      else if (!hasAdvanced) {
        hasAdvanced = true
        matcher.advanceTo(time.passed(clock))
      } else {
        isDone = true
        save(clock, state)
      }

    override def getRow: UnsafeRow = matcher.row
  }

  /** A key that waits for nothing leaves no state. */
  private def save(clock: Long, state: KeyState): Unit = {
    change += StateLevels.of(matcher, state)
    val waits = state.earliest
    if (waits.isEmpty && matcher.canBeginAnew) state.remove()
    else {
      val ends = matcher.deadline.map(time.firstClockAt)
      val due  = (waits ++ ends).reduceOption(_ min _)
      state.save(matcher, due.map(math.max(_, clock + 1)))
    }
  }
}
