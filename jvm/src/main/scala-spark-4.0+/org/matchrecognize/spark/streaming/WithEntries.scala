package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.plans.logical.{
  LocalRelation,
  LogicalPlan,
  TransformWithState
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.streaming.{
  ExpiredTimerInfo,
  OutputMode,
  StatefulProcessor,
  TimeMode,
  TimerValues
}

import org.matchrecognize.spark.execution.rows.FewRows
import org.matchrecognize.spark.logical.HandedOnWatermark

/**
 * Spark's TransformWithState. The state of a key is entries that are read and written one by one
 * ([[StateInEntries]]).
 */
final private[streaming] class WithEntries(few: FewRows, isAvro: Boolean) extends KeyedOperator {

  override def columns: StoredColumns =
    if (isAvro) StoredColumns.InAvro else StoredColumns.Fixed

  override def run(clause: KeyedClause): LogicalPlan = {
    val KeyedClause(task, grouping, found, _, child) = clause
    val input                                        = task.input
    val row                                          = RowObject(input)
    TransformWithState(
      RowObject(grouping, isCopied = true),
      row,
      grouping,
      input,
      new KeyedProcessor(task, few).asInstanceOf[StatefulProcessor[Any, Any, Any]],
      mode(task.clock),
      OutputMode.Append,
      RowEncoding.of(grouping).asInstanceOf[ExpressionEncoder[Any]],
      found,
      child,
      hasInitialState = false,
      grouping,
      input,
      row,
      LocalRelation(grouping)
    )
  }

  private def mode(clock: Clock): TimeMode = clock match {
    case Clock.Watermark => TimeMode.EventTime()
    case Clock.BatchTime => TimeMode.ProcessingTime()
    case Clock.Stopped   => TimeMode.None()
  }

  /** TransformWithState hands on its own watermark: a node above it hands on another. */
  override def handOn(clause: SparkPlan, number: Int, watermark: HandedOnWatermark): SparkPlan =
    HandedOnWatermarkExec(clause, watermark, HandedOnWatermarkExec.noState(number))
}

/** What TransformWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedProcessor(task: KeyedTask, few: FewRows)
    extends StatefulProcessor[UnsafeRow, UnsafeRow, UnsafeRow] {

  /** Of a partition. Each task has its own copy of this processor, and coalesced ones have several. */
  final private class Keys(entries: StateEntries) {
    lazy val state: StateInEntries = new StateInEntries(task, few, entries)
    lazy val matcher: KeyedMatcher = task.matcher(entries)
  }

  @transient private var keys: Keys = _

  /** On the driver, too, where Spark takes down which entries there are. */
  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit =
    keys = new Keys(new StateEntries(getHandle, task.input, few))

  override def handleInputRows(
      key: UnsafeRow,
      rows: Iterator[UnsafeRow],
      timers: TimerValues): Iterator[UnsafeRow] = {
    val clock = clockOf(timers)
    keys.state.begin(clock, isTimer = false)
    keys.matcher.process(timed(rows, timers), clock, keys.state)
  }

  override def handleExpiredTimer(
      key: UnsafeRow,
      timers: TimerValues,
      expired: ExpiredTimerInfo): Iterator[UnsafeRow] = {
    val clock = clockOf(timers)
    keys.state.begin(clock, isTimer = true)
    keys.matcher.process(Iterator.empty, clock, keys.state)
  }

  /** In real-time mode, a row in the order of arrival has the time at which it is taken. */
  private def timed(rows: Iterator[UnsafeRow], timers: TimerValues): Iterator[UnsafeRow] =
    task.timeOfArrival.fold(rows) { column =>
      val micros = Math.multiplyExact(timers.getCurrentProcessingTimeInMs(), 1000L)
      rows.map { row =>
        row.setLong(column, micros)
        row
      }
    }

  private def clockOf(timers: TimerValues): Long = task.clock match {
    case Clock.Watermark => timers.getCurrentWatermarkInMs()
    case Clock.BatchTime => timers.getCurrentProcessingTimeInMs()
    case Clock.Stopped   => Clock.Stopped.time
  }
}
