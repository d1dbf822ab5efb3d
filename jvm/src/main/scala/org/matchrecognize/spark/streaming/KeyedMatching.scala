package org.matchrecognize.spark.streaming

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.plans.logical.LogicalGroupState
import org.apache.spark.sql.streaming.GroupState

import org.matchrecognize.spark.execution.rows.StorePlaces

/** What FlatMapGroupsWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedMatching(task: KeyedTask)
    extends ((Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any])
    with Serializable {

  // Each task has its own copy of this function.
  @transient private lazy val matcher = task.matcher(StorePlaces.InTask)

  override def apply(
      key: Any,
      rows: Iterator[Any],
      state: LogicalGroupState[Any]): Iterator[Any] = {
    val group = state.asInstanceOf[GroupState[Array[Byte]]]
    val clock = task.clock match {
      case Clock.Watermark => group.getCurrentWatermarkMs()
      case Clock.BatchTime => group.getCurrentProcessingTimeMs()
      case Clock.Stopped   => Clock.Stopped.time
    }
    matcher.process(
      rows.asInstanceOf[Iterator[UnsafeRow]],
      clock,
      new StateInOneValue(task, group))
  }
}
