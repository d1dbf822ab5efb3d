package org.matchrecognize.spark.streaming

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.LogicalGroupState
import org.apache.spark.sql.streaming.GroupState

import org.matchrecognize.spark.execution.{MatchMetrics, PartitionMatcher}

/** What FlatMapGroupsWithState calls for each key that has rows, or whose time has come. */
final private[streaming] class KeyedMatching(
    deferred: DeferredPlan,
    input: Seq[Attribute],
    metrics: MatchMetrics)
    extends ((Any, Iterator[Any], LogicalGroupState[Any]) => Iterator[Any])
    with Serializable {

  // Each task has its own copy of this function.
  @transient private lazy val plan    = deferred.get
  @transient private lazy val time    = new EventTime(plan, input)
  @transient private lazy val shape   = KeyState.shape(plan, input)
  @transient private lazy val matcher = new KeyedMatcher(
    plan,
    input,
    time,
    new PartitionMatcher(plan, input, metrics, TaskContext.get()))

  override def apply(
      key: Any,
      rows: Iterator[Any],
      state: LogicalGroupState[Any]): Iterator[Any] = {
    val group = state.asInstanceOf[GroupState[Array[Byte]]]
    matcher.process(
      rows.asInstanceOf[Iterator[UnsafeRow]],
      group.getCurrentWatermarkMs(),
      new StateInOneValue(plan, input, time, shape, group))
  }
}
