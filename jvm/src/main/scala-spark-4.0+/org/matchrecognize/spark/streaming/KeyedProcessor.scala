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
    val watermark = timers.getCurrentWatermarkInMs()
    state.begin(watermark, isTimer = false)
    matcher.process(rows, watermark, state)
  }

  override def handleExpiredTimer(
      key: UnsafeRow,
      timers: TimerValues,
      expired: ExpiredTimerInfo): Iterator[UnsafeRow] = {
    val watermark = timers.getCurrentWatermarkInMs()
    state.begin(watermark, isTimer = true)
    matcher.process(Iterator.empty, watermark, state)
  }
}
