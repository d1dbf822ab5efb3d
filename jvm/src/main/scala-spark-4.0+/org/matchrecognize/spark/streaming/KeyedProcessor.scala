package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.streaming.{
  ExpiredTimerInfo,
  OutputMode,
  StatefulProcessor,
  TimeMode,
  TimerValues
}

/** What TransformWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedProcessor(task: KeyedTask, limits: WaitingRows.Limits)
    extends StatefulProcessor[UnsafeRow, UnsafeRow, UnsafeRow] {

  @transient private var entries: StateEntries = _

  // Each task has its own copy of this processor.
  @transient private lazy val state   = new StateInEntries(task, limits, entries)
  @transient private lazy val matcher = task.matcher(entries)

  /** On the driver, too, where Spark takes down which entries there are. */
  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit =
    entries = new StateEntries(getHandle, task.input)

  override def handleInputRows(
      key: UnsafeRow,
      rows: Iterator[UnsafeRow],
      timers: TimerValues): Iterator[UnsafeRow] = {
    val clock = clockOf(timers)
    state.begin(clock, isTimer = false)
    matcher.process(rows, clock, state)
  }

  override def handleExpiredTimer(
      key: UnsafeRow,
      timers: TimerValues,
      expired: ExpiredTimerInfo): Iterator[UnsafeRow] = {
    val clock = clockOf(timers)
    state.begin(clock, isTimer = true)
    matcher.process(Iterator.empty, clock, state)
  }

  private def clockOf(timers: TimerValues): Long = task.clock match {
    case Clock.Watermark => timers.getCurrentWatermarkInMs()
    case Clock.BatchTime => timers.getCurrentProcessingTimeInMs()
    case Clock.Stopped   => Clock.Stopped.time
  }
}
