package org.matchrecognize.spark.execution.tracing

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.matchrecognize.TaskCancellation

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.rows.{MatcherStores, PartitionRows, StorePlaces}

/** Holds the rows of the partition that a task traces, and what is bound to them. */
final private[tracing] class TracedPartition(
    plan: MatchPlan,
    written: Seq[WrittenCondition],
    input: Seq[Attribute],
    task: TaskContext) {
  val poll: () => Unit = TaskCancellation.poll(task)

  val store: PartitionRows =
    new MatcherStores(task, plan.clause.settings.spillThreshold, StorePlaces.InTask)
      .rows(input.size)

  val binding: TraceBinding = new TraceBinding(plan, written, input, store, poll)
  val names: PlaceNames     = new PlaceNames(plan, input, store)

  task.addTaskCompletionListener[Unit](_ => store.close())
}
