package org.matchrecognize.spark.streaming

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.metric.SQLMetric

import org.matchrecognize.spark.execution.{MatchPlan, PartitionMatcher}
import org.matchrecognize.spark.execution.rows.MatcherStorage
import org.matchrecognize.spark.execution.slots.StoredInput

/**
 * What a task needs to match the rows of keys. Spark's stateful operator brings it there.
 *
 * @param input
 *   the columns that the clause reads
 * @param clock
 *   by which Spark calls
 * @param timeOfArrival
 *   the column that gets its value when a row is taken
 */
final private[streaming] case class KeyedTask(
    deferred: DeferredPlan,
    input: Seq[Attribute],
    clock: Clock,
    timeOfArrival: Option[Int],
    metrics: Map[String, SQLMetric],
    progress: ProgressOfTasks) {

  /** In the task. */
  @transient lazy val plan: MatchPlan  = deferred.plan
  @transient lazy val time: SearchTime = SearchTime.of(plan, input)

  /** What the state of a key can have been written with, by its shape. */
  @transient lazy val states: Map[Int, StoredInput] =
    deferred.states.map(stored => KeyState.shape(plan, stored.columns) -> stored).toMap

  /** The shape of a state that is written. */
  @transient lazy val shape: Int = KeyState.shape(plan, input)

  /**
   * The matcher of all keys of this task.
   *
   * @param storage
   *   where rows are kept
   */
  def matcher(storage: MatcherStorage): KeyedMatcher = {
    val task  = TaskContext.get()
    val keyed =
      new KeyedMatcher(
        plan,
        input,
        time,
        new PartitionMatcher(plan, input, metrics, task, storage))
    task.addTaskCompletionListener[Unit](_ => progress.add(keyed.progress))
    keyed
  }
}

/**
 * The plan of a clause for the function that Spark's stateful operator calls. The function is made
 * when the query is planned; the values of scalar subqueries are there once the query runs, before
 * its tasks get the function.
 */
final private[streaming] class DeferredPlan extends Serializable {
  private var all: Option[(MatchPlan, Seq[StoredInput])] = None

  /**
   * On the driver, before the tasks.
   *
   * @param states
   *   the inputs with which states of the checkpoint were written
   */
  def set(plan: MatchPlan, states: Seq[StoredInput]): Unit = all = Some((plan, states))

  private def get: (MatchPlan, Seq[StoredInput]) =
    all.getOrElse(throw new IllegalStateException("the driver has not set the plan"))

  def plan: MatchPlan          = get._1
  def states: Seq[StoredInput] = get._2
}
