package org.matchrecognize.spark.streaming

import org.matchrecognize.spark.execution.MatchPlan
import org.matchrecognize.spark.execution.slots.StoredInput

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
