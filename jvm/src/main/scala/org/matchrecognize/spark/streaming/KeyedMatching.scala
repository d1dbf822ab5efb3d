package org.matchrecognize.spark.streaming

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, RowOrdering, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.LogicalGroupState
import org.apache.spark.sql.streaming.GroupState

import org.matchrecognize.spark.execution.{MatchMetrics, MatchPlan, PartitionMatcher}

/**
 * Matches the rows of one key in one micro-batch: the function that Spark's stateful operator calls
 * for each key that has rows, or whose time has come.
 */
final private[streaming] class KeyedMatching(
    plan: MatchPlan,
    input: Seq[Attribute],
    metrics: MatchMetrics)
    extends ((Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any])
    with Serializable {

  /** One per task: each task has its own copy of this function. */
  @transient private lazy val task = new KeyedMatcher(plan, input, metrics, TaskContext.get())

  override def apply(
      key: Any,
      rows: Iterator[Any],
      state: LogicalGroupState[Any]): Iterator[Any] =
    task.process(
      rows.asInstanceOf[Iterator[UnsafeRow]],
      state.asInstanceOf[GroupState[Array[Byte]]])
}

/**
 * The work of [[KeyedMatching]] in a task. One matcher serves all keys of the task, one after the
 * other.
 *
 * '''Finality.''' A row is searched once the watermark has reached its time, in the order of ORDER
 * BY: rows at or before the watermark are all there, since Spark drops those that come later. What
 * the search finds is then final whatever rows follow ([[PartitionSearch]]). A match that waits for
 * the end of WITHIN is final once the watermark has reached that end.
 */
final private[streaming] class KeyedMatcher(
    plan: MatchPlan,
    input: Seq[Attribute],
    metrics: MatchMetrics,
    context: TaskContext) {
  private val matcher   = new PartitionMatcher(plan, input, metrics, context)
  private val keyState  = new KeyState(plan, input)
  private val ordering  = RowOrdering.create(plan.order, input)
  private val eventTime =
    input.indexWhere(_.semanticEquals(plan.order.head.child))

  private def time(row: UnsafeRow): Long = row.getLong(eventTime)

  /** The output rows of a key; each is valid until the next. The state is set after the last. */
  def process(rows: Iterator[UnsafeRow], state: GroupState[Array[Byte]]): Iterator[UnsafeRow] = {
    val watermark = KeyedMatcher.micros(state.getCurrentWatermarkMs())
    val waiting   = new ArrayBuffer[UnsafeRow]
    matcher.begin()
    state.getOption.foreach(keyState.read(_, waiting, matcher))
    // A row without a time has no place in the order.
    rows.foreach(row => if (!row.isNullAt(eventTime)) waiting += row.copy())
    val sorted           = waiting.sorted(ordering)
    val (settled, later) = sorted.span(time(_) <= watermark)
    new Found(settled.iterator, later, watermark, state)
  }

  /** Pulls output rows while settled rows are searched. */
  final private class Found(
      settled: Iterator[UnsafeRow],
      later: Iterable[UnsafeRow],
      watermark: Long,
      state: GroupState[Array[Byte]])
      extends Iterator[UnsafeRow] {
    private var hasRow    = false
    private var isSettled = false
    private var isDone    = false

    override def hasNext: Boolean = {
      while (!hasRow && !isDone) {
        hasRow = matcher.next()
        if (!hasRow) proceed()
      }
      hasRow
    }

    private def proceed(): Unit =
      if (settled.hasNext) matcher.append(settled.next())
      else if (!isSettled) {
        isSettled = true
        matcher.advanceTo(watermark)
      } else {
        isDone = true
        save(later, state)
      }

    override def next(): UnsafeRow = {
      if (!hasNext) throw new NoSuchElementException("end of the matches")
      hasRow = false
      matcher.row
    }
  }

  /** A key that waits for nothing leaves no state. */
  private def save(later: Iterable[UnsafeRow], state: GroupState[Array[Byte]]): Unit =
    if (later.isEmpty && matcher.isIdle) state.remove()
    else {
      state.update(keyState.write(later, matcher))
      (later.headOption.map(time) ++ matcher.deadline).reduceOption(_ min _).foreach { due =>
        state.setTimeoutTimestamp(
          math.max(KeyedMatcher.lastMillisBefore(due), state.getCurrentWatermarkMs()))
      }
    }
}

private object KeyedMatcher {

  def micros(millis: Long): Long = Math.multiplyExact(millis, 1000L)

  /** Spark calls for a key once the watermark is greater than its time, in milliseconds. */
  def lastMillisBefore(micros: Long): Long = Math.floorDiv(micros + 999, 1000L) - 1
}
