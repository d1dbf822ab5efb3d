package org.matchrecognize.spark.streaming

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.streaming.{
  ExpiredTimerInfo,
  OutputMode,
  StatefulProcessor,
  TimeMode,
  TimerValues
}

import org.matchrecognize.spark.execution.{MatchMetrics, PartitionMatcher}

/** What TransformWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedProcessor(
    deferred: DeferredPlan,
    input: Seq[Attribute],
    metrics: MatchMetrics)
    extends StatefulProcessor[Array[Byte], UnsafeRow, UnsafeRow] {

  @transient private var entries: StateEntries = _

  // Each task has its own copy of this processor.
  @transient private lazy val plan    = deferred.get
  @transient private lazy val time    = new EventTime(plan, input)
  @transient private lazy val state   = new StateInEntries(plan, input, time, entries)
  @transient private lazy val matcher = new KeyedMatcher(
    plan,
    input,
    time,
    new PartitionMatcher(plan, input, metrics, TaskContext.get(), entries))

  /** On the driver, too, where Spark takes down which entries there are. */
  override def init(outputMode: OutputMode, timeMode: TimeMode): Unit =
    entries = new StateEntries(getHandle)

  override def handleInputRows(
      key: Array[Byte],
      rows: Iterator[UnsafeRow],
      timers: TimerValues): Iterator[UnsafeRow] = {
    state.begin(isTimer = false)
    matcher.process(rows, timers.getCurrentWatermarkInMs(), state)
  }

  override def handleExpiredTimer(
      key: Array[Byte],
      timers: TimerValues,
      expired: ExpiredTimerInfo): Iterator[UnsafeRow] = {
    state.begin(isTimer = true)
    matcher.process(Iterator.empty, timers.getCurrentWatermarkInMs(), state)
  }
}
